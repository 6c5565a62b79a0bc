package load

import (
	"bytes"
	"strings"
)

// texts stores copies of short strings in a few large allocations. A large site has several strings for every page, and
// each allocation costs the garbage collector time. A piece stays in memory as long as any of its strings is in use. A
// nil texts copies each string separately. It is not safe for concurrent use.
type texts struct {
	piece strings.Builder
	page  bytes.Buffer // reused for the source of each page
}

// textPiece is the size of one piece, in bytes. To waste less memory, strings longer than a fraction of this size are
// allocated separately.
const textPiece = 32 << 10

func (t *texts) keep(s string) string {
	if t == nil || len(s) > textPiece/8 {
		return strings.Clone(s)
	}
	if t.piece.Len()+len(s) > t.piece.Cap() {
		t.piece = strings.Builder{}
		t.piece.Grow(textPiece)
	}
	start := t.piece.Len()
	t.piece.WriteString(s)
	return t.piece.String()[start:]
}

// sourcePiece is the initial size of the buffer for sources, in bytes. It is enough for nearly all pages.
const sourcePiece = 64 << 10

// source returns an empty buffer for one source at a time, or nil for a nil texts.
func (t *texts) source() *bytes.Buffer {
	if t == nil {
		return nil
	}
	if t.page.Cap() > 8*sourcePiece {
		t.page = bytes.Buffer{}
	}
	t.page.Reset()
	t.page.Grow(sourcePiece)
	return &t.page
}

func (t *texts) keepAll(list []string) (out []string) {
	for _, s := range list {
		out = append(out, t.keep(s))
	}
	return out
}
