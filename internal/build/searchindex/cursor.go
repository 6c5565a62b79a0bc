package searchindex

import (
	"encoding/binary"
	"fmt"
	"io"
)

// run is a sorted list of terms on disk.
type run struct {
	from         io.ReaderAt
	at, size     int64
	terms        int
	base, chunks int // the first chunk, to which the lists are relative, and the number of chunks
}

// termMax limits a term, in bytes. Tokens are shorter, but damaged data may not be.
const termMax = 1 << 10

// headMax is the maximum size of the data that precedes the distances in a list.
const headMax = termMax + 6*binary.MaxVarintLen32

// cursor reads a run through a buffer, term by term.
type cursor struct {
	run
	buf []byte // data that was read; at is the position in it
	at  int

	term     []byte
	n        int // number of postings
	heading  bool
	first    int // first chunk, relative to base
	span     int // distance to the last one
	distance int // bytes of distances that follow in buf or on disk, followed by n levels
}

// open returns a cursor before the first term, with a buffer of the given size.
func (r run) open(buffer int) cursor {
	return cursor{run: r, buf: make([]byte, 0, max(headMax, min(int64(buffer), r.size)))}
}

// fill makes at least n bytes available, or as many as there are. n must not exceed the buffer's size.
func (c *cursor) fill(n int) error {
	if len(c.buf)-c.at >= n || c.size == 0 {
		return nil
	}
	kept := copy(c.buf[:cap(c.buf)], c.buf[c.at:])
	more := int(min(int64(cap(c.buf)-kept), c.size))
	c.buf, c.at = c.buf[:kept+more], 0
	if _, err := c.from.ReadAt(c.buf[kept:], c.run.at); err != nil {
		return fmt.Errorf("read search terms: %w", err)
	}
	c.run.at += int64(more)
	c.size -= int64(more)
	return nil
}

// next advances to the next term. ok is false after the last one. The preceding list must have been read with take or
// ignored with skip.
func (c *cursor) next() (ok bool, err error) {
	if c.terms == 0 {
		if c.size > 0 || c.at < len(c.buf) {
			return false, ErrRecord
		}
		return false, nil
	}
	c.terms--
	if err := c.fill(headMax); err != nil {
		return false, err
	}
	r := fieldReader{data: c.buf[c.at:]}
	same := r.number()
	rest := r.text()
	if r.bad || same > len(c.term) || same+len(rest) > termMax || len(rest) == 0 ||
		same < len(c.term) && rest[0] <= c.term[same] {
		return false, ErrRecord // also if terms are not sorted
	}
	c.term = append(c.term[:same], rest...)
	n := r.number()
	c.n, c.heading, c.first = n>>1, n&1 == 1, r.number()
	c.span, c.distance = 0, 0
	if c.n > 1 {
		c.span, c.distance = r.number(), r.number()
	}
	c.at = len(c.buf) - len(r.data)
	if r.bad || c.n < 1 || c.first+c.span >= c.chunks || c.n > c.span+1 || c.n > 1 && c.distance < c.n-1 ||
		c.distance > 6*c.n {
		return false, ErrRecord
	}
	return true, nil
}

// take appends the current list to l, whose chunks are relative to base.
func (c *cursor) take(l *list, base int) (err error) {
	first := c.base - base + c.first
	l.next(first, first+c.span, c.n)
	l.heading = l.heading || c.heading
	if c.distance > 0 {
		if l.rest, err = c.copy(l.rest, c.distance); err != nil {
			return err
		}
	}
	l.levels, err = c.copy(l.levels, c.n)
	return err
}

// skip ignores the current list.
func (c *cursor) skip() error {
	n := c.distance + c.n
	read := min(n, len(c.buf)-c.at)
	c.at += read
	if n -= read; int64(n) > c.size {
		return ErrRecord
	}
	c.run.at += int64(n)
	c.size -= int64(n)
	return nil
}

// copy appends the next n bytes.
func (c *cursor) copy(to []byte, n int) ([]byte, error) {
	if n <= len(c.buf)-c.at {
		c.at += n
		return append(to, c.buf[c.at-n:c.at]...), nil
	}
	for n > 0 {
		if c.at == len(c.buf) {
			if err := c.fill(1); err != nil {
				return to, err
			}
			if c.at == len(c.buf) {
				return to, ErrRecord
			}
		}
		part := c.buf[c.at:min(c.at+n, len(c.buf))]
		to = append(to, part...)
		c.at += len(part)
		n -= len(part)
	}
	return to, nil
}
