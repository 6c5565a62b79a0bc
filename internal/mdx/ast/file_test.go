package ast

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

func TestPositionsCountCharactersOnLongLines(t *testing.T) {
	for _, body := range []string{"", "é", "a\nbé\n", strings.Repeat("é€😀x", 700) + "\n" + strings.Repeat("ab", 600),
		strings.Repeat("a", markEvery) + "\nb"} {
		f := &File{Name: "a.mdx", Body: []byte(body), Line: 7}
		for offset := range len(body) + 1 {
			if offset < len(body) && !utf8.RuneStart(body[offset]) {
				continue
			}
			line, column := diag.Locate([]byte(body), offset)
			if got := f.Pos(offset); got != (diag.Pos{File: "a.mdx", Line: line + 6, Column: column}) {
				t.Fatalf("%.10q: byte %d is at %+v, want %d:%d", body, offset, got, line+6, column)
			}
		}
	}
}
