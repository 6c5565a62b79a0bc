package imagevariant

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/lectern-docs/lectern/internal/render/imagesize"
)

// maxProfile limits a colour profile, in bytes. Profiles of screens take a few kilobytes.
const maxProfile = 1 << 20

var (
	pngStart  = []byte("\x89PNG\r\n\x1a\n")
	jpegStart = []byte{0xff, 0xd8, 0xff}
	iccStart  = []byte("ICC_PROFILE\x00")
)

func isPNG(data []byte) bool  { return bytes.HasPrefix(data, pngStart) }
func isJPEG(data []byte) bool { return bytes.HasPrefix(data, jpegStart) }

// readProfile returns the colour profile of an image, or nil. ok is false for images whose copies would look different:
// animations, images to be rotated, and those whose profile cannot be read.
func readProfile(data []byte) (profile []byte, ok bool) {
	if isPNG(data) {
		return readPNGProfile(data)
	}
	return readJPEGProfile(data)
}

// readPNGProfile walks the chunks:
//
//	file = start chunk*     chunk = length(4) kind(4) bytes checksum(4)     iCCP = name 0 method(1) zlib
func readPNGProfile(data []byte) (profile []byte, ok bool) {
	standard, other := false, false // whether chunks declare sRGB, or another colour space
	for rest := data[len(pngStart):]; len(rest) >= 12; {
		size := int64(binary.BigEndian.Uint32(rest))
		if size+12 > int64(len(rest)) {
			return nil, false
		}
		kind, body := string(rest[4:8]), rest[8:8+size]
		switch kind {
		case "IEND":
			return profile, profile != nil || standard || !other
		case "acTL", "cICP": // several images, or video colours
			return nil, false
		case "eXIf":
			if imagesize.Orientation(body) != 1 {
				return nil, false
			}
		case "sRGB":
			standard = true
		case "gAMA":
			other = other || !near(body, 45455)
		case "cHRM":
			other = other || !near(body, 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
		case "iCCP":
			_, packed, found := bytes.Cut(body, []byte{0})
			if !found || len(packed) < 2 {
				return nil, false
			}
			if profile = inflate(packed[1:]); !forRGB(profile) {
				return nil, false
			}
		}
		rest = rest[size+12:]
	}
	return nil, false
}

// near reports whether a chunk contains approximately the given numbers, in units of 1/100000. It is used to recognize
// the numbers of sRGB, which programs round differently.
func near(body []byte, want ...int64) bool {
	if len(body) != 4*len(want) {
		return false
	}
	for i, n := range want {
		if diff := int64(binary.BigEndian.Uint32(body[4*i:])) - n; diff < -100 || diff > 100 {
			return false
		}
	}
	return true
}

// forRGB reports whether a colour profile is for RGB, the colour model of the copies. Browsers ignore a profile for
// another model.
func forRGB(profile []byte) bool { return len(profile) >= 20 && string(profile[16:20]) == "RGB " }

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

// readJPEGProfile reads the segments before the pixels. A profile may be spread over several numbered segments.
func readJPEGProfile(data []byte) (profile []byte, ok bool) {
	var parts byte
	for marker, body := range imagesize.Segments(data) {
		switch marker {
		case imagesize.MarkerScan:
			return profile, profile == nil || forRGB(profile)
		case imagesize.MarkerApp1:
			if tiff, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok && imagesize.Orientation(tiff) != 1 {
				return nil, false
			}
		case imagesize.MarkerApp2:
			part, ok := bytes.CutPrefix(body, iccStart)
			if !ok || len(part) < 2 {
				continue
			}
			if parts++; part[0] != parts || len(profile)+len(part) > maxProfile {
				return nil, false
			}
			profile = append(profile, part[2:]...)
		}
	}
	return nil, false
}

// withJPEGProfile inserts a colour profile after the start of a JPEG file, in as many segments as necessary.
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

// withPNGProfile inserts a colour profile after the header of a PNG file.
func withPNGProfile(file, profile []byte) []byte {
	const header = 8 + 12 + 13 // the start and the chunk IHDR
	if len(profile) == 0 || len(file) < header {
		return file
	}
	var packed bytes.Buffer
	packed.WriteString("iCCPicc\x00\x00")
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(profile) // writing to a buffer never fails
	_ = w.Close()
	out := append(make([]byte, 0, len(file)+packed.Len()+8), file[:header]...)
	out = binary.BigEndian.AppendUint32(out, uint32(packed.Len()-4))
	out = append(out, packed.Bytes()...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(packed.Bytes()))
	return append(out, file[header:]...)
}
