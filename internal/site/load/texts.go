package load

import (
	"bytes"
	"strings"
)

// texts keeps copies of short texts together, in few pieces of memory: a large site has several for every page, and the garbage collector
// looks at each piece on its own. A piece stays as long as one of its texts is in use. A nil texts copies each by itself, for what comes and
// goes one by one. It serves one goroutine.
type texts struct {
	piece strings.Builder
	page  bytes.Buffer // for the source of one page after the other: nothing of it is kept
}

// textPiece is the size of one piece, in bytes. Longer texts than a share of it stand alone, so that little is left unused.
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

// sourcePiece is the memory for sources that is kept for the next one, in bytes; nearly all fit.
const sourcePiece = 64 << 10

// source is an empty buffer, for one source at a time; nil for a nil texts.
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
