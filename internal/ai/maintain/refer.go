package maintain

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// reference is an address in a source: in a link, an image, or an attribute.
type reference struct {
	dest  string
	image bool
	pos   diag.Pos
	node  ast.Node // the link or image; nil for an attribute
	span  ast.Span // the text between an attribute's quotes
}

// linking maps the attributes that hold addresses to whether the address is that of an image.
var linking = map[string]bool{"href": false, "to": false, "src": true, "img": true, "image": true, "poster": true,
	"icon": true, "light": true, "dark": true}

// literal matches an expression that is only a string literal.
var literal = lazyregexp.New("^\\s*(?:\"([^\"\\\\$]*)\"|'([^'\\\\$]*)'|`([^`\\\\$]*)`)\\s*$")

// references lists a source's addresses in reading order. It leaves out addresses that code assembles.
func (s *source) references() (out []reference) {
	ast.Walk(s.root.Children, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Link:
			out = append(out, reference{dest: n.URL, pos: s.file.Pos(n.Start), node: n})
		case *ast.Image:
			out = append(out, reference{dest: n.URL, image: true, pos: s.file.Pos(n.Start), node: n})
		case *ast.Element:
			for _, a := range n.Attrs {
				if r, ok := s.attribute(n, a); ok {
					out = append(out, r)
				}
			}
		}
		return true
	})
	return slices.DeleteFunc(out, func(r reference) bool { return strings.Contains(r.dest, "{{") })
}

func (s *source) attribute(e *ast.Element, a ast.Attr) (r reference, ok bool) {
	image, ok := linking[a.Name]
	if !ok || a.Name == "icon" && !strings.HasPrefix(a.Value, "/") && !strings.HasPrefix(a.Value, ".") {
		return r, false
	}
	r = reference{dest: a.Value, image: image && e.Name != "iframe", pos: s.file.Pos(a.Start), span: a.ValueSpan}
	switch a.Kind {
	case ast.AttrString:
		return r, true
	case ast.AttrExpr:
		m := literal.FindSubmatchIndex(s.body[a.ValueSpan.Start:a.ValueSpan.End])
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				r.span = ast.Span{Start: a.ValueSpan.Start + m[i], End: a.ValueSpan.Start + m[i+1]}
				r.dest = string(s.body[r.span.Start:r.span.End])
			}
		}
		return r, m != nil
	}
	return r, false
}

// definition matches a line that defines the target of a link label.
var definition = lazyregexp.New(`(?m)^ {0,3}\[[^\]\n]+\]:[ \t]*<?([^\s>]+)`)

// redirect returns the edits that point a reference at another address. It returns none if the address cannot be
// written there.
func (s *source) redirect(r reference, to string) []write.Edit {
	if r.node == nil {
		if strings.ContainsAny(to, "\"'`&<>{}\\\n") {
			return nil
		}
		return []write.Edit{{Span: r.span, Text: to}}
	}
	edit, err := write.SetLinkURL(s.body, r.node, to)
	if err == nil {
		return []write.Edit{edit}
	}
	if !errors.Is(err, write.ErrNotThere) || strings.ContainsAny(to, " <>\n") {
		return nil
	}
	if s.defined == nil {
		s.defined = map[string][]ast.Span{}
		for _, m := range definition.FindAllSubmatchIndex(s.body, -1) {
			dest := string(s.body[m[2]:m[3]])
			s.defined[dest] = append(s.defined[dest], ast.Span{Start: m[2], End: m[3]})
		}
	}
	var out []write.Edit
	for _, span := range s.defined[r.dest] {
		out = append(out, write.Edit{Span: span, Text: to})
	}
	return out
}

// withoutOverlaps drops overlapping edits: several links may share one definition.
func withoutOverlaps(edits []write.Edit) (out []write.Edit) {
	slices.SortStableFunc(edits, func(a, b write.Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	for _, e := range edits {
		if n := len(out); n == 0 || e.Span.Start >= out[n-1].Span.End && e.Span != out[n-1].Span {
			out = append(out, e)
		}
	}
	return out
}
