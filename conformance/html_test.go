package conformance

import (
	"fmt"
	"html"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// printer prints a tree as HTML in the form of the specifications, so that examples can be compared byte by byte. It is
// not a renderer: tags and expressions, which the specifications do not have, are printed in a form that no example
// expects.
type printer struct {
	strings.Builder
	gfm    bool // print like GitHub's reference implementation
	strong bool // whether the parent is strong
}

func printHTML(root *ast.Root, gfm bool) string {
	p := printer{gfm: gfm}
	p.blocks(root.Children, false)
	return p.String()
}

// line starts a new line unless one was just started.
func (p *printer) line() {
	if s := p.String(); s != "" && s[len(s)-1] != '\n' {
		p.WriteByte('\n')
	}
}

func (p *printer) blocks(nodes []ast.Node, tight bool) {
	for _, n := range nodes {
		if para, ok := n.(*ast.Paragraph); ok && tight {
			p.inlines(para.Children)
			continue
		}
		p.line()
		p.block(n)
		p.line()
	}
}

func (p *printer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		p.wrap("p", n.Children)
	case *ast.Heading:
		p.wrap(fmt.Sprintf("h%d", n.Level), n.Children)
	case *ast.Quote:
		p.WriteString("<blockquote>\n")
		p.blocks(n.Children, false)
		p.WriteString("</blockquote>")
	case *ast.List:
		p.list(n)
	case *ast.Code:
		p.code(n)
	case *ast.Rule:
		p.WriteString("<hr />")
	case *ast.Table:
		p.table(n)
	default:
		p.inline(n)
	}
}

func (p *printer) wrap(tag string, children []ast.Node) {
	p.WriteString("<" + tag + ">")
	p.inlines(children)
	p.WriteString("</" + tag + ">")
}

func (p *printer) list(l *ast.List) {
	tag, start := "ul", ""
	if l.Ordered {
		tag = "ol"
		if l.Start != 1 {
			start = fmt.Sprintf(` start="%d"`, l.Start)
		}
	}
	p.WriteString("<" + tag + start + ">\n")
	for _, child := range l.Children {
		item := child.(*ast.Item)
		p.WriteString("<li>")
		switch item.Task {
		case ast.TaskOpen:
			p.WriteString(`<input disabled="" type="checkbox"> `)
		case ast.TaskDone:
			p.WriteString(`<input checked="" disabled="" type="checkbox"> `)
		}
		if l.Tight {
			p.tight(item.Children)
		} else if len(item.Children) > 0 {
			p.blocks(item.Children, false)
		}
		p.WriteString("</li>\n")
	}
	p.WriteString("</" + tag + ">")
}

// tight prints a list item whose paragraphs have no tags; other blocks are on separate lines.
func (p *printer) tight(nodes []ast.Node) {
	for i, n := range nodes {
		if para, ok := n.(*ast.Paragraph); ok {
			p.inlines(para.Children)
			if i < len(nodes)-1 {
				p.line()
			}
			continue
		}
		p.line()
		p.block(n)
		p.line()
	}
}

func (p *printer) code(c *ast.Code) {
	p.WriteString("<pre><code")
	if c.Lang != "" {
		p.WriteString(` class="language-` + escape(c.Lang) + `"`)
	}
	p.WriteString(">" + escape(c.Text))
	if c.Text != "" || strings.Contains(c.Text, "\n") {
		p.WriteByte('\n')
	}
	p.WriteString("</code></pre>")
}

func (p *printer) table(t *ast.Table) {
	p.WriteString("<table>\n")
	for i, child := range t.Children {
		cell := "td"
		switch i {
		case 0:
			p.WriteString("<thead>\n")
			cell = "th"
		case 1:
			p.WriteString("<tbody>\n")
		}
		p.WriteString("<tr>\n")
		for k, c := range child.(*ast.Row).Children {
			align := map[ast.Align]string{ast.AlignLeft: ` align="left"`, ast.AlignCenter: ` align="center"`,
				ast.AlignRight: ` align="right"`}[t.Align[k]]
			p.WriteString("<" + cell + align + ">")
			p.inlines(c.(*ast.Cell).Children)
			p.WriteString("</" + cell + ">\n")
		}
		p.WriteString("</tr>\n")
		if i == 0 {
			p.WriteString("</thead>\n")
		} else if i == len(t.Children)-1 {
			p.WriteString("</tbody>\n")
		}
	}
	p.WriteString("</table>")
}

func (p *printer) inlines(nodes []ast.Node) {
	for _, n := range nodes {
		p.inline(n)
	}
}

func (p *printer) inline(n ast.Node) {
	strong := p.strong
	p.strong = false
	switch n := n.(type) {
	case *ast.Text:
		p.WriteString(escape(n.Value))
	case *ast.Emphasis:
		p.wrap("em", n.Children)
	case *ast.Strong:
		if p.gfm && strong { // GitHub's implementation omits a strong element directly inside another
			p.inStrong(n.Children)
			break
		}
		p.WriteString("<strong>")
		p.inStrong(n.Children)
		p.WriteString("</strong>")
	case *ast.Strike:
		p.wrap("del", n.Children)
	case *ast.CodeSpan:
		p.WriteString("<code>" + escape(n.Value) + "</code>")
	case *ast.Break:
		p.WriteString("<br />\n")
	case *ast.Link:
		p.WriteString(`<a href="` + address(n.URL) + `"` + title(n.Title) + ">")
		p.inlines(n.Children)
		p.WriteString("</a>")
	case *ast.Image:
		p.WriteString(`<img src="` + address(n.URL) + `" alt="` + escape(n.Alt) + `"` + title(n.Title) + " />")
	default:
		fmt.Fprintf(p, "[%T]", n)
	}
}

func (p *printer) inStrong(nodes []ast.Node) {
	for _, child := range nodes {
		p.strong = true
		p.inline(child)
	}
	p.strong = false
}

func title(s string) string {
	if s == "" {
		return ""
	}
	return ` title="` + escape(s) + `"`
}

func escape(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(html.EscapeString(s), "&#34;", "&quot;"), "&#39;", "'")
}

// address encodes the characters that are not allowed in an address, and keeps existing escapes.
func address(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			b.WriteByte(c)
		case c > ' ' && c < 0x7f && strings.IndexByte("\"<>\\^`{|}[]%", c) < 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return escape(b.String())
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
