package ast

import (
	"sort"
	"sync"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/diag"
)

// File tells where a tree came from, for positions in findings. It is safe for concurrent use.
type File struct {
	Name string
	Body []byte
	Line int // line of the file that Body starts on, from 1

	once   sync.Once
	starts []int // offsets of Body's lines
}

// Pos turns an offset in Body into a place in the file. The first call reads the body once; later ones are cheap but for the length
// of the line itself.
func (f *File) Pos(offset int) diag.Pos {
	f.once.Do(func() {
		f.starts = []int{0}
		for i, c := range f.Body {
			if c == '\n' {
				f.starts = append(f.starts, i+1)
			}
		}
	})
	offset = max(0, min(offset, len(f.Body)))
	n := sort.SearchInts(f.starts, offset+1) - 1
	return diag.Pos{File: f.Name, Line: f.Line + n, Column: 1 + utf8.RuneCount(f.Body[f.starts[n]:offset])}
}
