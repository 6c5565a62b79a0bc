package imagevariant

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// maxProfile bounds a colour profile, in bytes. Those of screens have a few kilobytes.
const maxProfile = 1 << 20

var (
	pngStart  = []byte("\x89PNG\r\n\x1a\n")
	jpegStart = []byte{0xff, 0xd8, 0xff}
	iccStart  = []byte("ICC_PROFILE\x00")
)

func isPNG(data []byte) bool  { return bytes.HasPrefix(data, pngStart) }
func isJPEG(data []byte) bool { return bytes.HasPrefix(data, jpegStart) }

// readProfile returns the colour profile of a picture, nil when it has none. ok is false for pictures that a copy would
// show differently: animations, pictures that are to be turned, and those whose profile cannot be read.
func readProfile(data []byte) (profile []byte, ok bool) {
	if isPNG(data) {
		return readPNGProfile(data)
	}
	return readJPEGProfile(data)
}

// readPNGProfile walks the chunks before the pixels:
//
//	file = start chunk*     chunk = length(4) kind(4) bytes checksum(4)     iCCP = name 0 method(1) zlib
func readPNGProfile(data []byte) (profile []byte, ok bool) {
	for rest := data[len(pngStart):]; len(rest) >= 12; {
		size := int64(binary.BigEndian.Uint32(rest))
		if size+12 > int64(len(rest)) {
			return nil, false
		}
		kind, body := string(rest[4:8]), rest[8:8+size]
		switch kind {
		case "IDAT":
			return profile, true
		case "acTL":
			return nil, false
		case "iCCP":
			_, packed, found := bytes.Cut(body, []byte{0})
			if !found || len(packed) < 2 {
				return nil, false
			}
			if profile = inflate(packed[1:]); profile == nil {
				return nil, false
			}
		}
		rest = rest[size+12:]
	}
	return nil, false
}

func inflate(packed []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	out, err := io.ReadAll(io.LimitReader(r, maxProfile+1))
	if err != nil || len(out) == 0 || len(out) > maxProfile {
		return nil
	}
	return out
}

// readJPEGProfile walks the segments before the pixels. A profile may be spread over several, which are numbered.
func readJPEGProfile(data []byte) (profile []byte, ok bool) {
	for rest := data[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		marker := rest[1]
		if marker == 0xff {
			rest = rest[1:]
			continue
		}
		size := int(binary.BigEndian.Uint16(rest[2:])) + 2
		if size < 4 || size > len(rest) {
			return nil, false
		}
		body := rest[4:size]
		switch {
		case marker == 0xda:
			return profile, true
		case marker == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) && turned(body[6:]):
			return nil, false
		case marker == 0xe2 && bytes.HasPrefix(body, iccStart) && len(body) > len(iccStart)+2:
			profile = append(profile, body[len(iccStart)+2:]...)
			if len(profile) > maxProfile {
				return nil, false
			}
		}
		rest = rest[size:]
	}
	return nil, false
}

// turned reports whether the camera wrote that the picture is to be turned or mirrored; see imagesize for the format.
func turned(tiff []byte) bool {
	const orientation, entry = 0x0112, 12
	if len(tiff) < 8 {
		return false
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(tiff[:2]) == "MM" {
		order = binary.BigEndian
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return false
	}
	count, list := int(order.Uint16(tiff[at:])), tiff[at+2:]
	for ; count > 0 && len(list) >= entry; count, list = count-1, list[entry:] {
		if order.Uint16(list) == orientation {
			return order.Uint16(list[8:]) > 1
		}
	}
	return false
}

// withJPEGProfile adds a colour profile behind the start of a JPEG file, in as many segments as it takes.
func withJPEGProfile(file, profile []byte) []byte {
	const most = 1<<16 - 1 - 2 - 14 // bytes of a profile in one segment
	count := (len(profile) + most - 1) / most
	if count == 0 || count > 255 {
		return file
	}
	out := append(make([]byte, 0, len(file)+len(profile)+20*count), file[:2]...)
	for i := range count {
		part := profile[i*most : min((i+1)*most, len(profile))]
		out = append(out, 0xff, 0xe2)
		out = binary.BigEndian.AppendUint16(out, uint16(2+len(iccStart)+2+len(part)))
		out = append(append(out, iccStart...), byte(i+1), byte(count))
		out = append(out, part...)
	}
	return append(out, file[2:]...)
}

// withPNGProfile adds a colour profile behind the header of a PNG file.
func withPNGProfile(file, profile []byte) []byte {
	const header = 8 + 12 + 13 // the start and the chunk IHDR
	if len(profile) == 0 || len(file) < header {
		return file
	}
	var packed bytes.Buffer
	packed.WriteString("iCCPicc\x00\x00")
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(profile) // a Buffer takes everything
	_ = w.Close()
	out := append(make([]byte, 0, len(file)+packed.Len()+8), file[:header]...)
	out = binary.BigEndian.AppendUint32(out, uint32(packed.Len()-4))
	out = append(out, packed.Bytes()...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(packed.Bytes()))
	return append(out, file[header:]...)
}
