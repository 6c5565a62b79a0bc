package apipage

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/highlight"
)

// host draws the nodes that these pages use.
type host struct {
	w       *component.Writer
	outline []string
}

func newHost(colours bool) *host {
	h := &host{}
	h.w = &component.Writer{Buffer: &htmlbuf.Buffer{}, Host: h, IDs: &slug.Set{}, Side: &htmlbuf.Buffer{},
		Inside: map[string]int{}, Classes: map[string]bool{}}
	if colours {
		h.w.Highlight = highlight.New(64)
	}
	return h
}

func (h *host) Inline(s string) []ast.Node { return mdx.Inline(s) }
func (h *host) Resolve(d string, _ bool, _ ast.Span) (component.Address, bool) {
	return component.Address{Href: d}, len(d) < 11 || d[:11] != "javascript:"
}
func (h *host) Warn(ast.Span, string, string, string) {}
func (h *host) Outline(_ int, id, text string)        { h.outline = append(h.outline, id+" "+text) }

func (h *host) Render(nodes []ast.Node) {
	for _, n := range nodes {
		h.node(n)
	}
}

func (h *host) wrap(tag string, children []ast.Node) {
	h.w.Raw("<")
	h.w.Name(tag)
	h.w.Raw(">")
	h.Render(children)
	h.w.Raw("</")
	h.w.Name(tag)
	h.w.Raw(">")
}

func (h *host) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		h.w.Text(n.Value)
	case *ast.CodeSpan:
		h.w.Raw("<code>")
		h.w.Text(n.Value)
		h.w.Raw("</code>")
	case *ast.Break:
		h.w.Raw("<br>")
	case *ast.Paragraph:
		h.wrap("p", n.Children)
	case *ast.Strong:
		h.wrap("strong", n.Children)
	case *ast.Emphasis:
		h.wrap("em", n.Children)
	case *ast.List:
		h.wrap("ul", n.Children)
	case *ast.Item:
		h.wrap("li", n.Children)
	case *ast.Link:
		h.w.Raw("<a")
		if to, ok := h.Resolve(n.URL, false, n.Span); ok {
			h.w.Attr("href", to.Href)
		}
		h.w.Raw(">")
		h.Render(n.Children)
		h.w.Raw("</a>")
	case *ast.Code:
		b := component.ParseMeta(n.Lang, n.Meta)
		b.Text = n.Text
		component.WriteCode(h.w, b)
	case *ast.Element:
		if c, ok := component.Find(n.Name); ok {
			c.Render(h.w, n)
		}
	case *ast.Heading:
		h.wrap("h"+strconv.Itoa(n.Level), n.Children)
	case ast.Parent:
		h.Render(*n.List())
	}
}
