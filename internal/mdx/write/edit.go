package write

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Edit puts Text in the place of Span. An empty span inserts.
type Edit struct {
	Span ast.Span
	Text string
}

// Apply makes a new body with all edits, in whatever order they are given; insertions at one place keep theirs. Edits
// that overlap or lie outside of body are refused. body is not changed.
func Apply(body []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	out := make([]byte, 0, len(body)+64)
	at := 0
	for _, e := range sorted {
		if e.Span.Start < 0 || e.Span.End < e.Span.Start || e.Span.End > len(body) {
			return nil, fmt.Errorf("apply edit: bytes %d to %d are not in the page", e.Span.Start, e.Span.End)
		}
		if e.Span.Start < at {
			return nil, fmt.Errorf("apply edit: bytes %d to %d are changed by another edit already", e.Span.Start,
				e.Span.End)
		}
		out = append(append(out, body[at:e.Span.Start]...), e.Text...)
		at = e.Span.End
	}
	return append(out, body[at:]...), nil
}

func insert(at int, text string) Edit { return Edit{ast.Span{Start: at, End: at}, text} }

func replace(start, end int, text string) Edit { return Edit{ast.Span{Start: start, End: end}, text} }
