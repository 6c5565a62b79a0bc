package mdx

import (
	"strings"
	"unicode/utf8"
)

// line is one line of the source: src[start:end] without its line end.
type line struct{ start, end int }

// splitLines finds the lines of src; \n, \r\n and \r end one. A byte order mark is left out of the first.
func splitLines(src string) []line {
	lines := make([]line, 0, 1+strings.Count(src, "\n"))
	at := 0
	if strings.HasPrefix(src, "\ufeff") {
		at = len("\ufeff")
	}
	returns := strings.IndexByte(src, '\r') >= 0
	newline := at - 1 // the next \n, so that a page without any is not searched for one at each \r
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

// needsCleaning reports whether src has bytes that no text may hold.
func needsCleaning(src string) bool {
	return strings.IndexByte(src, 0) >= 0 || !utf8.ValidString(src)
}

// cleanText replaces NUL and broken UTF-8.
func cleanText(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	return strings.ReplaceAll(s, "\x00", "\ufffd")
}

// cursor walks along one line and knows columns, which matter because a tab takes several.
type cursor struct {
	src   string
	pos   int // next byte
	end   int
	col   int // column of pos, from 0; in the middle of a tab when rem > 0
	rem   int // columns left of a tab that was taken in part; pos is behind that tab
	ns    int // place of the first byte that is no white space
	nscol int
}

func (p *parser) cursor(ln int) cursor {
	l := p.lines[ln]
	c := cursor{src: p.src, pos: l.start, end: l.end}
	c.find()
	return c
}

// find looks for the next byte that is no white space.
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

// indent counts the columns of white space ahead.
func (c *cursor) indent() int { return c.nscol - c.col }

// eat takes up to n columns of white space.
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

// skip takes n bytes from the first that is no white space.
func (c *cursor) skip(n int) {
	c.pos, c.col, c.rem = c.ns+n, c.nscol+n, 0
	c.find()
}
