package maintain

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// readable returns the spans of a source that readers see as text, in order: text outside of code and bare
// addresses, alt texts, attributes that contain prose.
func (s *source) readable() (out []ast.Span) {
	ast.Walk(s.root.Children, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Text:
			out = append(out, n.Span)
		case *ast.Link:
			return !n.Auto
		case *ast.Image:
			if span, ok := s.altSpan(n); ok {
				out = append(out, span)
			}
		case *ast.Element:
			for _, a := range n.Attrs {
				if a.Kind == ast.AttrString && slices.Contains(readable, a.Name) {
					out = append(out, a.ValueSpan)
				}
			}
			return n.Name != "code" && n.Name != "pre" && n.Name != "kbd" && n.Name != "style" && n.Name != "script" &&
				n.Name != "samp" && n.Name != "var"
		}
		return true
	})
	return slices.DeleteFunc(out,
		func(p ast.Span) bool { return p.Start < 0 || p.End > len(s.body) || p.Start >= p.End })
}

// altSpan returns the span of an image's alt text.
func (s *source) altSpan(n *ast.Image) (ast.Span, bool) {
	src := string(s.body[max(0, n.Start):min(len(s.body), n.End)])
	if !strings.HasPrefix(src, "![") {
		return ast.Span{}, false
	}
	end := strings.Index(src, "](")
	if end < 0 || strings.Contains(src[2:end], "[") {
		return ast.Span{}, false
	}
	return ast.Span{Start: n.Start + 2, End: n.Start + end}, true
}

// heads reports whether one of the edits is inside text from which ids for references are made: a heading, or an
// attribute.
func (s *source) heads(edits []write.Edit) (found bool) {
	var spans []ast.Span
	ast.Walk(s.root.Children, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Heading:
			spans = append(spans, n.Span)
			return false
		case *ast.Element:
			if len(n.Attrs) > 0 {
				spans = append(spans, n.Open)
			}
		}
		return true
	})
	slices.SortFunc(spans, func(a, b ast.Span) int { return a.Start - b.Start })
	for _, e := range edits {
		if within(spans, e.Span.Start) {
			return true
		}
	}
	return false
}
