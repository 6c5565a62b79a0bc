package imagesize

import (
	"bytes"
	"encoding/binary"
)

var jpegStart = []byte{0xff, 0xd8, 0xff}

// parseJPEG walks the segments up to the one that starts the picture:
//
//	file = FFD8 segment*     segment = FF+ marker [length(2, itself included) bytes]
func parseJPEG(head []byte) (width, height int, ok bool) {
	turned := false
	for rest := head[2:]; len(rest) >= 4; {
		if rest[0] != 0xff {
			return 0, 0, false
		}
		marker := rest[1]
		// filling, or a marker without content
		if marker == 0xff || marker == 0x01 || marker >= 0xd0 && marker <= 0xd7 {
			step := 2
			if marker == 0xff {
				step = 1
			}
			rest = rest[step:]
			continue
		}
		size := int(binary.BigEndian.Uint16(rest[2:])) + 2
		if size < 4 || size > len(rest) {
			return 0, 0, false
		}
		body := rest[4:size]
		switch {
		case marker == 0xd9, marker == 0xda: // the end, or the picture without its start
			return 0, 0, false
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			if len(body) < 5 {
				return 0, 0, false
			}
			w, h := uint32(binary.BigEndian.Uint16(body[3:])), uint32(binary.BigEndian.Uint16(body[1:]))
			if turned {
				w, h = h, w
			}
			return sides(w, h)
		case marker == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")):
			turned = liesOnSide(body[6:])
		}
		rest = rest[size:]
	}
	return 0, 0, false
}

// liesOnSide reports whether a camera wrote that the picture is to be shown turned by a quarter, as browsers do. The
// note is a TIFF file:
//
//	tiff = order("II" or "MM") 42(2) offset(4)     at offset: count(2) entry*     entry = tag(2) kind(2) count(4) value(4)
func liesOnSide(tiff []byte) bool {
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
			value := order.Uint16(list[8:])
			return value >= 5 && value <= 8
		}
	}
	return false
}
