package render

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/htmlpolicy"
)

// paragraphKind decides how a paragraph is written. Parsers end a <p> at the first block inside it. A paragraph that
// also contains blocks, from an inline component or element, therefore becomes a <div> that looks like a paragraph. A
// paragraph that contains only blocks gets no wrapper.
type paragraphKind int

const (
	proseOnly paragraphKind = iota
	mixed
	blocksOnly
)

func (p *page) paragraph(n *ast.Paragraph) {
	kind := p.kindOf(n.Children)
	p.openParagraph(kind)
	p.Render(n.Children)
	p.closeParagraph(kind)
	p.w.Raw("\n")
}

func (p *page) openParagraph(kind paragraphKind) {
	switch kind {
	case proseOnly:
		p.w.Raw("<p>")
	case mixed:
		p.w.Raw(`<div class="p">`)
	}
}

func (p *page) closeParagraph(kind paragraphKind) {
	switch kind {
	case proseOnly:
		p.w.Raw("</p>")
	case mixed:
		p.w.Raw("</div>")
	}
}

func (p *page) kindOf(nodes []ast.Node) paragraphKind {
	blocks, prose := false, false
	for _, n := range nodes {
		if t, ok := n.(*ast.Text); ok {
			prose = prose || strings.TrimSpace(t.Value) != ""
		} else if p.isBlock(n, 0) {
			blocks = true
		} else {
			prose = true
		}
	}
	switch {
	case !blocks:
		return proseOnly
	case prose:
		return mixed
	}
	return blocksOnly
}

func (p *page) hasBlocks(nodes []ast.Node) bool { return p.holdsBlock(nodes, 0) }

func (p *page) holdsBlock(nodes []ast.Node, depth int) bool {
	for _, n := range nodes {
		if p.isBlock(n, depth) {
			return true
		}
	}
	return false
}

// isBlock reports whether a parser would end a paragraph at the node or at one of its descendants.
func (p *page) isBlock(n ast.Node, depth int) bool {
	if depth >= maxDepth {
		return false
	}
	switch n := n.(type) {
	case *ast.Text, *ast.CodeSpan, *ast.Break, *ast.Image:
		return false
	case *ast.Paragraph, *ast.List, *ast.Heading, *ast.Code, *ast.Table, *ast.Quote, *ast.Rule:
		return true
	case *ast.Element:
		if c, ok := component.Find(n.Name); ok {
			return !c.Inline || p.holdsBlock(n.Children, depth+1)
		}
		policy, ok := htmlpolicy.Element(n.Name)
		if ok && (policy.Block || policy.Closed) {
			return policy.Block
		}
		return p.holdsBlock(n.Children, depth+1)
	case *ast.Island:
		for _, s := range n.Slots {
			if p.holdsBlock(s, depth+1) {
				return true
			}
		}
		return p.holdsBlock(n.Children, depth+1)
	case *ast.Personal:
		return p.holdsBlock(n.Children, depth+1) || p.holdsBlock(n.Other, depth+1)
	case ast.Parent:
		return p.holdsBlock(*n.List(), depth+1)
	}
	return false
}
