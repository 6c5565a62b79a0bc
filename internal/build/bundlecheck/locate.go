package bundlecheck

import (
	"bytes"
	"unicode/utf8"
)

// locator converts offsets to positions. It reads each byte only once if the offsets are ascending, which matters for
// pages with very long lines.
type locator struct {
	src                []byte
	mark, line, column int // position of the byte at mark; line is 0 before the first call
}

// at returns the line and the column of an offset, both from 1.
func (l *locator) at(offset int) (line, column int) {
	offset = min(offset, len(l.src))
	if l.line == 0 || offset < l.mark {
		l.mark, l.line, l.column = 0, 1, 1
	}
	between := l.src[l.mark:offset]
	if end := bytes.LastIndexByte(between, '\n'); end >= 0 {
		l.line += bytes.Count(between, []byte{'\n'})
		l.column, between = 1, between[end+1:]
	}
	l.column += utf8.RuneCount(between)
	l.mark = offset
	return l.line, l.column
}
