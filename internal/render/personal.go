package render

import "github.com/lectern-docs/lectern/internal/mdx/ast"

// personal writes content that depends on the reader. The page contains the content for an unknown reader and the data
// that web/theme/src/content/reader.ts needs to change it. It never contains any reader's values.
func (p *page) personal(n *ast.Personal) {
	if !n.Choice {
		p.w.Raw("<lectern-user")
		p.w.Attr("data-value", n.Code)
		p.w.Raw(">")
		p.Render(n.Children)
		p.w.Raw("</lectern-user>")
		return
	}
	then, other := n.Code, `["!",`+n.Code+`]`
	if !n.Holds {
		then, other = other, then
	}
	p.alternative(n.Children, then, false)
	p.w.Folded++ // headings in this content are not part of the page's outline
	p.alternative(n.Other, other, true)
	p.w.Folded--
}

func (p *page) alternative(nodes []ast.Node, condition string, hidden bool) {
	if len(nodes) == 0 {
		return
	}
	p.w.Raw("<lectern-user")
	p.w.Attr("data-if", condition)
	if hidden {
		p.w.Raw(" hidden")
	}
	p.w.Raw(">")
	p.Render(nodes)
	p.w.Raw("</lectern-user>")
}
