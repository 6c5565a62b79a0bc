package render

import (
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/htmlpolicy"
)

// anchor is a heading's id and text, found before the page is written.
type anchor struct{ id, text string }

// reserve gives ids to the headings of a page before anything is written, so that the title of a tab or a step that stands earlier does
// not take the plain id from a heading of the same words. Ids that authors put on HTML elements count where they stand. A node that shows
// several times (a snippet) has several anchors, in order.
func (p *page) reserve(nodes []ast.Node, depth int) {
	if depth >= maxDepth {
		return
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text, *ast.Code, *ast.CodeSpan, *ast.Math:
		case *ast.Heading:
			p.anchors[n] = append(p.anchors[n], p.claim(n))
			p.reserve(n.Children, depth+1)
		case *ast.Element:
			for i := range n.Props {
				if jsx, ok := n.Props[i].Value.(ast.Nodes); ok {
					p.reserve(jsx, depth+1)
				}
			}
			if p.reserveElement(n) {
				p.reserve(n.Children, depth+1)
			}
		case *ast.Island:
			p.reserve(n.Children, depth+1)
			for _, s := range n.Slots {
				p.reserve(s, depth+1)
			}
		case ast.Parent:
			p.reserve(*n.List(), depth+1)
		}
	}
}

// reserveElement takes an HTML element's id; false when its children are not shown.
func (p *page) reserveElement(e *ast.Element) bool {
	if _, ok := component.Find(e.Name); ok {
		return e.Name != "Visibility" || e.Str("for") != "agents"
	}
	policy, ok := htmlpolicy.Element(e.Name)
	if !ok {
		return !policy.Drop
	}
	if id, isText := e.Prop("id").(string); isText && htmlpolicy.ValidID(id) {
		p.w.IDs.Take(id)
	}
	return !policy.Void && !policy.Empty && !policy.Style && !e.Has("dangerouslySetInnerHTML")
}

func (p *page) claim(n *ast.Heading) anchor {
	a := anchor{text: words(ast.PlainText(n.Children))}
	if htmlpolicy.ValidID(n.ID) {
		a.id = p.w.IDs.Claim(n.ID)
	} else {
		a.id = p.w.IDs.Heading(a.text)
	}
	return a
}

// headingID is the anchor that was kept for a heading, or a new one for headings that only writing the page brings up.
func (p *page) headingID(n *ast.Heading) (id, text string) {
	if kept := p.anchors[n]; len(kept) > 0 {
		p.anchors[n] = kept[1:]
		return kept[0].id, kept[0].text
	}
	a := p.claim(n)
	return a.id, a.text
}
