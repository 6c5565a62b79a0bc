package write

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Edit replaces the bytes in Span with Text. An empty span inserts Text.
type Edit struct {
	Span ast.Span
	Text string
}

// Apply returns a new body with all edits applied. The edits may be in any order; insertions at the same position keep
// their order. It returns an error if edits overlap or are outside of body. It does not change body.
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
