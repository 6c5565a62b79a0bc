package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// content builds the children of a container.
func (p *parser) content(parent *block) []ast.Node {
	b := builder{p: p, flow: true, where: parent.name(), nodes: make([]ast.Node, 0, len(parent.children))}
	b.pend.to = -1
	for _, child := range parent.children {
		if child.kind == kindTag {
			b.tag(child.tag)
			continue
		}
		p.nest += len(b.frames) + 1
		b.nodes = p.convert(b.nodes, child)
		p.nest -= len(b.frames) + 1
	}
	b.finish()
	return b.nodes
}

func (b *block) name() string {
	switch b.kind {
	case kindQuote:
		return "the quote"
	case kindItem:
		return "the list item"
	case kindNote:
		return "the footnote"
	}
	return "the page"
}

// convert appends the nodes of one block.
func (p *parser) convert(out []ast.Node, b *block) []ast.Node {
	span := ast.Span{Start: b.start, End: b.end}
	switch b.kind {
	case kindParagraph:
		return p.paragraph(out, b)
	case kindHeading:
		return append(out, p.heading(b))
	case kindQuote:
		return append(out, &ast.Quote{Span: span, Children: p.content(b)})
	case kindList:
		return append(out, p.list(b))
	case kindCode:
		lang, meta := cutInfo(b.info)
		return append(out, &ast.Code{Span: span, Lang: unescape(lang), Meta: unescape(meta), Text: p.fenceText(b)})
	case kindMath:
		return append(out, &ast.Math{Span: span, Text: p.fenceText(b), Block: true})
	case kindRule:
		return append(out, &ast.Rule{Span: span})
	case kindTable:
		return append(out, p.table(b))
	case kindExpr:
		return append(out, &ast.Expr{Span: span, Source: b.source, Flow: true})
	case kindESM:
		return append(out, &ast.ESM{Span: span, Source: b.source})
	case kindDropped:
		if strings.HasPrefix(p.src[b.start:], "<!") {
			p.warnComment(b.start)
		}
	}
	return out
}

// cutInfo splits the info string of a fence into the first word and the rest.
func cutInfo(info string) (lang, meta string) {
	i := strings.IndexAny(info, " \t")
	if i < 0 {
		return info, ""
	}
	return info[:i], strings.Trim(info[i:], " \t")
}

// paragraph builds a paragraph. A paragraph that consists only of tags and expressions becomes blocks instead.
func (p *parser) paragraph(out []ast.Node, b *block) []ast.Node {
	in := inline{p: p, t: p.textOf(p.pieces[b.from:b.to])}
	in.t.trimRight()
	nodes := in.parse()
	if len(nodes) == 0 {
		return out
	}
	if !lonely(nodes) {
		return append(out, &ast.Paragraph{Span: ast.Span{Start: b.start, End: in.t.span(0, len(in.t.s)).End},
			Children: nodes})
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Element:
			n.Flow = true
		case *ast.Expr:
			n.Flow = true
		case *ast.Text:
			continue
		}
		out = append(out, n)
	}
	return out
}

// lonely reports whether nodes consist of tags and expressions separated only by white space.
func lonely(nodes []ast.Node) bool {
	found := false
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Element, *ast.Expr:
			found = true
		case *ast.Text:
			if strings.Trim(n.Value, " \t\r\n") != "" {
				return false
			}
		default:
			return false
		}
	}
	return found
}

func (p *parser) heading(b *block) *ast.Heading {
	h := &ast.Heading{Span: ast.Span{Start: b.start, End: b.end}, Level: b.indent}
	in := inline{p: p, where: "the heading", t: p.textOf(p.pieces[b.from:b.to])}
	in.t.trimRight()
	h.ID = cutID(&in.t)
	h.Children = in.parse()
	return h
}

// cutID removes {#id} from the end of a heading and returns the id. White space in the id becomes a hyphen.
func cutID(t *text) string {
	if !strings.HasSuffix(t.s, "}") {
		return ""
	}
	i := strings.LastIndexByte(t.s, '{')
	if i < 0 || !strings.HasPrefix(t.s[i:], "{#") || i > 0 && t.s[i-1] == '\\' {
		return ""
	}
	id := strings.Join(strings.Fields(t.s[i+2:len(t.s)-1]), "-")
	if id == "" {
		return ""
	}
	t.s = t.s[:i]
	t.trimRight()
	return id
}

func (p *parser) list(b *block) *ast.List {
	first, last := b.children[0], b.children[len(b.children)-1]
	list := &ast.List{Span: ast.Span{Start: first.start, End: last.end}, Ordered: b.ordered, Tight: tight(b)}
	if b.ordered {
		list.Start = b.number
	}
	list.Children = make(ast.Children, 0, len(b.children))
	for _, child := range b.children {
		item := &ast.Item{Span: ast.Span{Start: child.start, End: child.end}}
		item.Task = p.task(child)
		item.Children = p.content(child)
		list.Children = append(list.Children, item)
	}
	return list
}

// tight reports whether there are no blank lines between the items of a list or between the blocks of an item.
func tight(list *block) bool {
	for i, item := range list.children {
		if i > 0 && item.startLine > list.children[i-1].endLine+1 {
			return false
		}
		for j := 1; j < len(item.children); j++ {
			if item.children[j].startLine > item.children[j-1].lastLine()+1 {
				return false
			}
		}
	}
	return true
}

// lastLine returns the number of the last line of a block that is not blank.
func (b *block) lastLine() int {
	if b.kind == kindList {
		return b.children[len(b.children)-1].endLine
	}
	return b.endLine
}

// task removes [ ] or [x] from the start of an item's first paragraph.
func (p *parser) task(item *block) ast.Task {
	if len(item.children) == 0 || item.children[0].kind != kindParagraph {
		return ast.NoTask
	}
	b := item.children[0]
	first := &p.pieces[b.from]
	s := p.src[first.start:first.end]
	if len(s) < 3 || s[0] != '[' || s[2] != ']' || len(s) > 3 && s[3] != ' ' && s[3] != '\t' {
		return ast.NoTask
	}
	task := ast.TaskDone
	switch s[1] {
	case ' ', '\t':
		task = ast.TaskOpen
	case 'x', 'X':
	default:
		return ast.NoTask
	}
	rest := strings.TrimLeft(s[3:], " \t")
	if rest == "" && b.to-b.from == 1 {
		return ast.NoTask
	}
	if rest == "" {
		b.from++
		first = &p.pieces[b.from]
		rest = strings.TrimLeft(p.src[first.start:first.end], " \t")
	}
	first.start = first.end - len(rest)
	b.start = first.start
	return task
}
