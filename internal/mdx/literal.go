package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// literal reports whether the text of an element is kept as typed.
func literal(name string) bool {
	switch name {
	case "code", "pre", "kbd", "samp", "tt", "style", "script":
		return true
	}
	return false
}

// straight restores the quotes, dashes and dots as typed in the text of literal flow elements. This cannot be done
// while a leaf is parsed: tags among blocks are matched at the end, so the elements around the leaf are not known yet.
func (p *parser) straight(nodes []ast.Node, inside bool) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text:
			if inside {
				n.Value = p.typed(n)
			}
		case *ast.Element:
			p.straight(n.Children, inside || literal(n.Name))
		case ast.Parent:
			p.straight(*n.List(), inside)
		}
	}
}

// typed reverts the changes that smart made, except for characters that occur in the source.
func (p *parser) typed(t *ast.Text) string {
	source := p.src[t.Start:t.End]
	out := t.Value
	for _, c := range [...]struct{ smart, typed string }{{"“", `"`}, {"”", `"`}, {"‘", "'"}, {"’", "'"}, {"—", "--"},
		{"…", "..."}} {
		if strings.Contains(out, c.smart) && !strings.Contains(source, c.smart) {
			out = strings.ReplaceAll(out, c.smart, c.typed)
		}
	}
	return out
}
