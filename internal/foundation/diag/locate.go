package diag

import (
	"bytes"
	"unicode/utf8"
)

// Locate converts a byte offset to a line and a column, both from 1. An offset after the end is treated as the end.
func Locate(src []byte, offset int) (line, column int) {
	offset = max(0, min(offset, len(src)))
	before := src[:offset]
	line = 1 + bytes.Count(before, []byte{'\n'})
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}
