package ast

import (
	"sort"
	"sync"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// File is the source file of a tree. It computes positions for findings. It is safe for concurrent use.
type File struct {
	Name string
	Body []byte
	Line int // line of the file at which Body starts, from 1

	once   sync.Once
	starts []int // offsets of the lines of Body
	marks  []int // number of characters before each multiple of markEvery, to compute columns of long lines quickly
}

// markEvery is the distance between two marks in bytes.
const markEvery = 512

// Pos converts an offset in Body to a position in the file. The first call scans the body; later ones are cheap.
func (f *File) Pos(offset int) diag.Pos {
	f.once.Do(func() {
		f.starts = []int{0}
		characters := 0
		for i, c := range f.Body {
			if i%markEvery == 0 {
				f.marks = append(f.marks, characters)
			}
			if utf8.RuneStart(c) {
				characters++
			}
			if c == '\n' {
				f.starts = append(f.starts, i+1)
			}
		}
	})
	offset = max(0, min(offset, len(f.Body)))
	n := sort.SearchInts(f.starts, offset+1) - 1
	return diag.Pos{File: f.Name, Line: f.Line + n, Column: 1 + f.characters(offset) - f.characters(f.starts[n])}
}

// characters returns the number of characters that start before offset.
func (f *File) characters(offset int) int {
	if len(f.marks) == 0 {
		return 0
	}
	mark := min(offset/markEvery, len(f.marks)-1)
	n := f.marks[mark]
	for _, c := range f.Body[mark*markEvery : offset] {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}
