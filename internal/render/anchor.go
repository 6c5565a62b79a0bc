package render

import (
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/htmlpolicy"
)

// anchor is the id and text of a heading. It is assigned before the page is written.
type anchor struct{ id, text string }

// reserveIDs assigns ids to the headings of a page before anything is written, so that the title of an earlier tab or
// step does not take the plain id of a heading with the same text. Ids that authors set on HTML elements are reserved
// in document order. A node that occurs several times, for example in a snippet, gets one anchor per occurrence, in
// order.
func (p *page) reserveIDs(nodes []ast.Node, depth int) {
	if depth >= maxDepth {
		return
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text, *ast.Code, *ast.CodeSpan, *ast.Math:
		case *ast.Heading:
			p.anchors[n] = append(p.anchors[n], p.claimAnchor(n))
			p.reserveIDs(n.Children, depth+1)
		case *ast.Element:
			for i := range n.Props {
				if jsx, ok := n.Props[i].Value.(ast.Nodes); ok {
					p.reserveIDs(jsx, depth+1)
				}
			}
			if p.reserveElementID(n) {
				p.reserveIDs(n.Children, depth+1)
			}
		case *ast.Island:
			p.reserveIDs(n.Children, depth+1)
			for _, s := range n.Slots {
				p.reserveIDs(s, depth+1)
			}
		case *ast.Personal:
			p.reserveIDs(n.Children, depth+1)
			p.reserveIDs(n.Other, depth+1)
		case ast.Parent:
			p.reserveIDs(*n.List(), depth+1)
		}
	}
}

// reserveElementID reserves the id of an HTML element. It returns false if the children are not shown.
func (p *page) reserveElementID(e *ast.Element) bool {
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

func (p *page) claimAnchor(n *ast.Heading) anchor {
	a := anchor{text: collapseSpace(ast.PlainText(n.Children))}
	if htmlpolicy.ValidID(n.ID) {
		a.id = p.w.IDs.Claim(n.ID)
	} else {
		a.id = p.w.IDs.Heading(a.text)
	}
	return a
}

// headingID returns the anchor reserved for a heading, or a new one for a heading that only appears during
// rendering.
func (p *page) headingID(n *ast.Heading) (id, text string) {
	if kept := p.anchors[n]; len(kept) > 0 {
		p.anchors[n] = kept[1:]
		return kept[0].id, kept[0].text
	}
	a := p.claimAnchor(n)
	return a.id, a.text
}
