package mdx

import (
	"strings"
	"unicode/utf8"
)

// line is one line of the source: src[start:end] without the line break.
type line struct{ start, end int }

// splitLines finds the lines of src, which end with \n, \r\n or \r. A byte order mark is not part of the first line.
func splitLines(src string) []line {
	lines := make([]line, 0, 1+strings.Count(src, "\n"))
	at := 0
	if strings.HasPrefix(src, "\ufeff") {
		at = len("\ufeff")
	}
	returns := strings.IndexByte(src, '\r') >= 0
	newline := at - 1 // position of the next \n, so that a page without any is not searched at each \r
	for at < len(src) {
		if newline < at {
			newline = len(src)
			if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
				newline = at + i
			}
		}
		end, next := newline, newline+1
		if returns {
			if i := strings.IndexByte(src[at:end], '\r'); i >= 0 {
				end = at + i
				if end+1 != newline || newline == len(src) {
					next = end + 1
				}
			}
		}
		lines = append(lines, line{at, end})
		at = next
	}
	return lines
}

// needsCleaning reports whether src has bytes that text must not contain.
func needsCleaning(src string) bool {
	return strings.IndexByte(src, 0) >= 0 || !utf8.ValidString(src)
}

// cleanText replaces NUL and invalid UTF-8.
func cleanText(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	return strings.ReplaceAll(s, "\x00", "\ufffd")
}

// cursor advances along one line and tracks columns, because a tab takes several.
type cursor struct {
	src   string
	pos   int // next byte
	end   int
	col   int // column of pos, from 0; inside a tab when rem > 0
	rem   int // remaining columns of a partially consumed tab; pos is after that tab
	ns    int // position of the first byte that is not white space
	nscol int
}

func (p *parser) cursor(ln int) cursor {
	l := p.lines[ln]
	c := cursor{src: p.src, pos: l.start, end: l.end}
	c.find()
	return c
}

// find sets ns and nscol to the next byte that is not white space.
func (c *cursor) find() {
	col := c.col + c.rem
	i := c.pos
	for ; i < c.end; i++ {
		if c.src[i] == ' ' {
			col++
		} else if c.src[i] == '\t' {
			col += 4 - col%4
		} else {
			break
		}
	}
	c.ns, c.nscol = i, col
}

func (c *cursor) blank() bool { return c.ns >= c.end }

// indent returns the number of columns of white space at the cursor.
func (c *cursor) indent() int { return c.nscol - c.col }

// eat consumes up to n columns of white space.
func (c *cursor) eat(n int) {
	if c.rem > 0 {
		k := min(n, c.rem)
		c.rem, c.col, n = c.rem-k, c.col+k, n-k
	}
	for n > 0 && c.pos < c.ns {
		width := 1
		if c.src[c.pos] == '\t' {
			width = 4 - c.col%4
		}
		c.pos++
		k := min(n, width)
		c.col, c.rem, n = c.col+k, width-k, n-k
	}
}

// skip consumes white space and then n bytes.
func (c *cursor) skip(n int) {
	c.pos, c.col, c.rem = c.ns+n, c.nscol+n, 0
	c.find()
}
