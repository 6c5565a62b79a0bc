package imagesize

import (
	"bytes"
	"encoding/binary"
	"iter"
)

var jpegStart = []byte{0xff, 0xd8, 0xff}

// Markers that identify JPEG segments.
const (
	MarkerScan = 0xda // start of the pixels
	MarkerApp1 = 0xe1 // metadata of a camera
	MarkerApp2 = 0xe2 // part of a colour profile
)

// Segments yields the marker and the content of each segment of a JPEG file. The last segment is the start of the
// pixels. It ends early if the file is truncated or invalid.
//
//	file = FFD8 segment*     segment = FF+ marker [length(2, including itself) bytes]
func Segments(file []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		if !bytes.HasPrefix(file, jpegStart) {
			return
		}
		for rest := file[2:]; len(rest) >= 4 && rest[0] == 0xff; {
			marker := rest[1]
			switch {
			case marker == 0xff: // padding
				rest = rest[1:]
				continue
			case marker == 0x01 || marker >= 0xd0 && marker <= 0xd7: // segments without content
				rest = rest[2:]
				continue
			}
			size := int(binary.BigEndian.Uint16(rest[2:])) + 2
			if marker == 0xd9 || size < 4 || size > len(rest) {
				return
			}
			if !yield(marker, rest[4:size]) || marker == MarkerScan {
				return
			}
			rest = rest[size:]
		}
	}
}

// IsFrame reports whether a segment describes the image: its size and encoding.
func IsFrame(marker byte) bool {
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc
}

// parseJPEG finds the segment that describes the image.
func parseJPEG(head []byte) (width, height int, ok bool) {
	onSide := false
	for marker, body := range Segments(head) {
		switch {
		case IsFrame(marker):
			if len(body) < 5 {
				return 0, 0, false
			}
			w, h := uint32(binary.BigEndian.Uint16(body[3:])), uint32(binary.BigEndian.Uint16(body[1:]))
			if onSide {
				w, h = h, w
			}
			return sides(w, h)
		case marker == MarkerApp1:
			if tiff, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok {
				onSide = Orientation(tiff) >= 5
			}
		}
	}
	return 0, 0, false
}

// Orientation returns how the image must be rotated or mirrored for display, as recorded by the camera: from 1
// (unchanged) to 8. With 5 to 8, width and height are swapped. The metadata is a TIFF file:
//
//	tiff = order("II" or "MM") 42(2) offset(4)     at offset: count(2) entry*     entry = tag(2) kind(2) count(4) value(4)
func Orientation(tiff []byte) int {
	const orientation, entry = 0x0112, 12
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(tiff[:2]) == "MM" {
		order = binary.BigEndian
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 1
	}
	count, list := int(order.Uint16(tiff[at:])), tiff[at+2:]
	for ; count > 0 && len(list) >= entry; count, list = count-1, list[entry:] {
		if value := order.Uint16(list[8:]); order.Uint16(list) == orientation && value >= 1 && value <= 8 {
			return int(value)
		}
	}
	return 1
}
