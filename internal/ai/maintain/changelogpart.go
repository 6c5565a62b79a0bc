package maintain

import (
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// part is a heading of a changelog with the content below it.
type part struct {
	head  *ast.Heading
	title string // source of the heading's text, without link targets
	nodes []ast.Node
}

// end returns the end of the part's last node. Link definitions after it do not belong to the part.
func (p part) end() int {
	if n := len(p.nodes); n > 0 {
		return p.nodes[n-1].Place().End
	}
	return p.head.End
}

// parts splits nodes at the headings of a level; headings of higher levels also end a part.
func (s *source) parts(nodes []ast.Node, level int) (out []part) {
	open := false
	for _, n := range nodes {
		h, ok := n.(*ast.Heading)
		switch {
		case ok && h.Level == level:
			out, open = append(out, part{head: h, title: s.title(h)}), true
		case ok && h.Level < level:
			open = false
		case open:
			last := &out[len(out)-1]
			last.nodes = append(last.nodes, n)
		}
	}
	return out
}

func (s *source) title(h *ast.Heading) string {
	var b strings.Builder
	for _, n := range h.Children {
		text := s.written(n.Place())
		if l, ok := n.(*ast.Link); ok && len(l.Children) > 0 && strings.HasSuffix(text, ")") {
			text = s.written(ast.Span{Start: l.Children[0].Place().Start, End: l.Children[len(l.Children)-1].Place().End})
		}
		b.WriteString(text)
	}
	return b.String()
}

func (s *source) written(at ast.Span) string { return string(s.body[at.Start:at.End]) }

// items calls f for the items of all lists, in order, with their first paragraph, until f returns false.
func (s *source) items(nodes []ast.Node, f func(i *ast.Item, p *ast.Paragraph) bool) {
	more := true
	ast.Walk(nodes, func(n ast.Node) bool {
		if i, ok := n.(*ast.Item); ok && more && len(i.Children) > 0 {
			if p, ok := i.Children[0].(*ast.Paragraph); ok {
				more = f(i, p)
			}
		}
		return more
	})
}

// find returns the item with the same text as the entry, or nil.
func (e *entryWriter) find(nodes []ast.Node) (found *ast.Item) {
	bare := func(s string) string { return strings.TrimRight(strings.Join(strings.Fields(s), " "), ".") }
	e.items(nodes, func(i *ast.Item, p *ast.Paragraph) bool {
		if bare(e.written(p.Span)) == bare(e.text) {
			found = i
		}
		return found == nil
	})
	return found
}

// bullet returns the text before the first item of an example: indentation and bullet.
func (e *entryWriter) bullet(example []ast.Node) string {
	out := "  - "
	e.items(example, func(i *ast.Item, p *ast.Paragraph) bool {
		line := strings.LastIndexByte(string(e.body[:i.Start]), '\n') + 1
		if before := string(e.body[line:p.Start]); strings.Trim(before, " \t-*+") == "" { // neither a number nor a check box
			out = before
		}
		return false
	})
	return out
}

// ended returns the entry with a full stop if the entries of an example have one.
func (e *entryWriter) ended(example []ast.Node) string {
	out := e.text
	e.items(example, func(_ *ast.Item, p *ast.Paragraph) bool {
		last, _ := utf8.DecodeLastRuneInString(e.text)
		if strings.HasSuffix(e.written(p.Span), ".") && !strings.ContainsRune(".!?:)", last) {
			out += "."
		}
		return false
	})
	return out
}
