package stylesheet

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// readable returns a sheet in UTF-8. In browsers, a byte order mark takes precedence over the server's headers, so a
// UTF-16 sheet that has one is decoded. Any other sheet is returned unchanged.
func readable(src []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(src, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	case bytes.HasPrefix(src, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	default:
		return src
	}
	units := make([]uint16, 0, len(src)/2)
	for src = src[2:]; len(src) >= 2; src = src[2:] {
		units = append(units, order.Uint16(src))
	}
	out := make([]byte, 0, len(units)*3/2)
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return out
}
