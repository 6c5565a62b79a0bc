package write

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// meaning serializes a tree without positions. Two pages with the same meaning render the same. It does not distinguish
// between imports in one block and imports in several blocks, and normalizes line ends in code in the same way as
// JavaScript.
func meaning(nodes []ast.Node) string {
	m := &meaningWriter{}
	m.nodes(nodes)
	return m.b.String()
}

type meaningWriter struct{ b strings.Builder }

func (m *meaningWriter) nodes(nodes []ast.Node) {
	m.b.WriteByte('(')
	modules := false
	for _, n := range nodes {
		e, ok := n.(*ast.ESM)
		switch {
		case ok && modules:
			m.b.WriteString("\n" + strings.TrimSpace(lineEnds(e.Source)))
		case ok:
			m.b.WriteString("esm " + strings.TrimSpace(lineEnds(e.Source)))
		default:
			if modules {
				m.b.WriteByte('\n')
			}
			m.node(n)
			if p, ok := n.(ast.Parent); ok {
				m.nodes(*p.List())
			}
		}
		modules = ok
	}
	m.b.WriteByte(')')
}

func lineEnds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

func (m *meaningWriter) node(n ast.Node) {
	fmt.Fprintf(&m.b, "%T", n)
	switch n := n.(type) {
	case *ast.Heading:
		m.fields(n.Level, n.ID)
	case *ast.List:
		m.fields(n.Ordered, n.Start, n.Tight)
	case *ast.Item:
		m.fields(n.Task)
	case *ast.Code:
		m.fields(n.Lang, n.Meta, lineEnds(n.Text))
	case *ast.Math:
		m.fields(n.Text, n.Block)
	case *ast.Table:
		m.fields(fmt.Sprint(n.Align))
	case *ast.Footnote:
		m.fields(n.Label, n.Number, n.Refs)
	case *ast.FootnoteRef:
		m.fields(n.Number, n.Nth)
	case *ast.Text:
		m.fields(n.Value)
	case *ast.CodeSpan:
		m.fields(n.Value)
	case *ast.Link:
		m.fields(n.URL, n.Title, n.Auto)
	case *ast.Image:
		m.fields(n.URL, n.Title, n.Alt)
	case *ast.Expr:
		m.fields(lineEnds(n.Source), n.Flow)
	case *ast.Element:
		m.fields(n.Name, n.Flow)
		for _, a := range n.Attrs {
			m.fields(a.Name, int(a.Kind), lineEnds(a.Value))
		}
	}
}

// fields writes values in a form that keeps them apart.
func (m *meaningWriter) fields(values ...any) {
	for _, v := range values {
		fmt.Fprintf(&m.b, " %q", fmt.Sprint(v))
	}
}
