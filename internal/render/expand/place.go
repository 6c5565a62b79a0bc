package expand

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// placement controls how nodes from code become content of the page.
type placement struct {
	slots  [][]ast.Node // expanded content that was passed to the code
	client bool         // the code also runs in a browser, which needs the slots
}

// place inserts the nodes that a call returned into the page. It fills slots with their content and includes
// snippets. A client component becomes an island.
func (x *expander) place(s *scope, at ast.Span, c call, nodes []ast.Node, client bool) []ast.Node {
	p := placement{slots: make([][]ast.Node, len(c.slots)), client: client}
	for i, slot := range c.slots {
		p.slots[i] = x.nodes(s, slot)
	}
	out := x.placeNodes(s, p, nodes)
	if client {
		return []ast.Node{x.islands.add(at, c, out, p.slots)}
	}
	return out
}

func (x *expander) placeNodes(s *scope, p placement, nodes []ast.Node) (out []ast.Node) {
	for _, n := range nodes {
		if !x.budget.takeNode(s, n.Place()) {
			break
		}
		switch n := n.(type) {
		case *ast.Slot:
			out = append(out, p.slot(n)...)
		case *ast.Element:
			out = append(out, x.placeElement(s, p, n)...)
		default:
			out = append(out, n)
		}
	}
	return out
}

// slot returns the content of a slot. In an island, the slot is kept.
func (p placement) slot(n *ast.Slot) []ast.Node {
	switch {
	case p.client:
		return []ast.Node{n}
	case n.Index < len(p.slots):
		return p.slots[n.Index]
	}
	return nil
}

// placeElement processes the content of an element. It removes event handlers, because only the browser needs them.
func (x *expander) placeElement(s *scope, p placement, e *ast.Element) []ast.Node {
	e.Children = x.placeNodes(s, p, e.Children)
	if ref, ok := strings.CutPrefix(e.Name, "mdx:"); ok {
		return x.placeSnippet(s, p, e, ref)
	}
	e.Props = slices.DeleteFunc(e.Props, func(one ast.Prop) bool {
		_, isHandler := one.Value.(ast.Opaque)
		return isHandler
	})
	for i := range e.Props {
		if v, ok := e.Props[i].Value.(ast.Nodes); ok {
			e.Props[i].Value = ast.Nodes(x.placeNodes(s, p, v))
		}
	}
	return []ast.Node{e}
}

// placeSnippet includes a snippet that author code imported. ref has the form "/snippets/x.mdx#default".
func (x *expander) placeSnippet(s *scope, p placement, e *ast.Element, ref string) []ast.Node {
	file, _, _ := strings.Cut(strings.TrimPrefix(ref, "/"), "#")
	content := x.include(s, e, file, e.Props)
	if p.client {
		return []ast.Node{&ast.Slot{Span: e.Span, Name: "/" + file, Nodes: content}}
	}
	return content
}
