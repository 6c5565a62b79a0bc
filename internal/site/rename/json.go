package rename

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// jsonFile is a JSON file whose values have byte offsets.
type jsonFile struct {
	*jsontree.Source
	name string
	src  string
	root *jsontree.Value
}

func parseJSON(name, src string) (*jsonFile, error) {
	s, err := jsontree.ParseSource(name, src, jsontree.Limits{Bytes: maxSource, Depth: 200, Values: 1_000_000})
	if err != nil {
		return nil, err
	}
	return &jsonFile{Source: s, name: name, src: src, root: s.Root}, nil
}

// span returns the offsets of a value.
func (f *jsonFile) span(v *jsontree.Value) ast.Span {
	start, end := f.Span(v)
	return ast.Span{Start: start, End: end}
}

func quote(s string) string {
	var b strings.Builder
	jsontree.Quote(&b, s)
	return b.String()
}
