package markdown

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// htmlWriter returns the function that writes an HTML element among blocks. It returns nil for elements of which only
// the content matters.
func htmlWriter(name string) func(*writer, *ast.Element) {
	switch name {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return func(w *writer, e *ast.Element) {
			w.heading(max(2, int(name[1]-'0')), w.inline(e.Children, style{flat: true}))
		}
	case "hr":
		return func(w *writer, _ *ast.Element) { w.block(&ast.Rule{}) }
	case "pre":
		return (*writer).preformatted
	case "ul", "ol", "menu", "dir":
		return (*writer).htmlList
	case "li":
		return func(w *writer, e *ast.Element) { w.entry(func() { w.blocks(e.Children) }) }
	case "blockquote":
		return func(w *writer, e *ast.Element) { w.within("> ", "> ", func() { w.blocks(e.Children) }) }
	case "table":
		return (*writer).htmlTable
	case "dt", "summary", "legend", "caption":
		return func(w *writer, e *ast.Element) { w.label(w.inline(e.Children, style{flat: true, strong: true})) }
	case "figcaption":
		return func(w *writer, e *ast.Element) { w.caption(w.inline(e.Children, style{flat: true, emph: true})) }
	}
	return nil
}

// caption writes the caption of an image.
func (w *writer) caption(text string) {
	if text = oneLine(text); text != "" {
		w.paragraph("*" + text + "*")
	}
}

// preformatted writes <pre> as a fence, with the language of a <code> inside it.
func (w *writer) preformatted(e *ast.Element) {
	if code, ok := ast.Only[*ast.Code](e.Children); ok {
		w.block(code)
		return
	}
	language := ""
	if code, ok := ast.Only[*ast.Element](e.Children); ok && code.Name == "code" {
		for c := range strings.FieldsSeq(code.Str("className") + " " + code.Str("class")) {
			if l, ok := strings.CutPrefix(c, "language-"); ok {
				language = l
			}
		}
	}
	children := e.Children
	if inner, ok := w.innerHTML(e); ok {
		children = inner
	}
	if text := strings.Trim(ast.PlainText(children), "\n"); text != "" {
		w.fence(language, text)
	}
}

// htmlList writes <ul> and <ol>. Components and loops may generate items, so any other node in the list is also written
// as an item.
func (w *writer) htmlList(e *ast.Element) {
	list := &ast.List{Span: e.Span, Ordered: e.Name == "ol", Start: 1, Tight: true}
	var gather func(nodes []ast.Node, depth int)
	gather = func(nodes []ast.Node, depth int) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *ast.Text:
				if strings.TrimSpace(n.Value) == "" {
					continue
				}
			case *ast.Element:
				if n.Name == "li" {
					list.Children = append(list.Children, &ast.Item{Span: n.Span, Children: n.Children})
					continue
				}
			case *ast.Paragraph:
				if depth < maxDepth {
					gather(n.Children, depth+1)
				}
				continue
			}
			list.Children = append(list.Children, &ast.Item{Span: n.Place(), Children: ast.Children{n}})
		}
	}
	gather(e.Children, 0)
	if len(list.Children) > 0 {
		w.list(list)
	}
}

// htmlTable writes <table> as a GFM table. It writes the content of each cell on a single line.
func (w *writer) htmlTable(e *ast.Element) {
	var rows [][]string
	columns := 0
	walkElements(e.Children, func(c *ast.Element) bool {
		switch c.Name {
		case "table":
			return false
		case "caption":
			w.element(c)
			return false
		case "tr":
			var cells []string
			walkElements(c.Children, func(c *ast.Element) bool {
				if c.Name == "td" || c.Name == "th" {
					cells = append(cells, w.cell(c.Children))
					return false
				}
				return true
			})
			if columns = max(columns, len(cells)); len(cells) > 0 {
				rows = append(rows, cells)
			}
			return false
		}
		return true
	})
	w.grid(rows, columns, nil)
}

// walkElements calls f for each element in reading order and descends through all other nodes. If f returns false, the
// content of the element is skipped.
func walkElements(nodes []ast.Node, f func(*ast.Element) bool) {
	ast.Walk(nodes, func(n ast.Node) bool {
		if e, ok := n.(*ast.Element); ok {
			return f(e)
		}
		return true
	})
}
