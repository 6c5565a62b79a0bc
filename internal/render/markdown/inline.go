package markdown

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// style describes the context of inline text.
type style struct {
	flat   bool // no line breaks: in a heading, a cell, a title
	cell   bool // in a table
	linked bool // inside a link, which cannot contain another link
	strong bool
	strike bool
	emph   bool
}

// inline returns content as inline Markdown. Blocks in it are flattened.
func (w *writer) inline(nodes []ast.Node, s style) string {
	var b strings.Builder
	w.spans(&b, nodes, s)
	return b.String()
}

func (w *writer) spans(b *strings.Builder, nodes []ast.Node, s style) {
	if w.depth >= maxDepth {
		return
	}
	w.depth++
	for _, n := range nodes {
		if !w.spend() || b.Len() >= maxBytes {
			break
		}
		w.span(b, n, s)
	}
	w.depth--
}

func (w *writer) span(b *strings.Builder, n ast.Node, s style) {
	switch n := n.(type) {
	case *ast.Text:
		w.text(b, n.Value, s)
	case *ast.CodeSpan:
		b.WriteString(codeSpan(n.Value, s.cell))
	case *ast.Emphasis:
		w.emphasis(b, n.Children, s)
	case *ast.Strong:
		w.strong(b, n.Children, s)
	case *ast.Strike:
		w.strike(b, n.Children, s)
	case *ast.Break:
		w.lineBreak(b, s)
	case *ast.Link:
		w.link(b, n, s)
	case *ast.Image:
		w.image(b, n.URL, n.Alt, n.Title, s)
	case *ast.FootnoteRef:
		b.WriteString("[^" + w.noteLabel(n.Number) + "]")
	case *ast.Math:
		formula(b, n.Text, s)
	case *ast.Element:
		w.inlineElement(b, n, s)
	case *ast.Included:
		w.included(n, func() { w.spans(b, n.Children, s) })
	case *ast.Island:
		w.island(n, func() { w.spans(b, n.Children, s) })
	case *ast.Slot:
		w.slot(n, func(nodes []ast.Node) { w.spans(b, nodes, s) })
	case *ast.Personal:
		w.spans(b, n.Children, s)
	case *ast.Footnote:
		w.noted = append(w.noted, note{w.noteLabel(n.Number), n})
	case *ast.Code:
		apart(b, codeSpan(n.Text, s.cell))
	case ast.Parent: // a block in inline content
		s.flat = true
		apart(b, w.inline(*n.List(), s))
	}
}

// apart writes a block's text with a blank on both sides.
func apart(b *strings.Builder, text string) {
	if text != "" {
		b.WriteString(" " + text + " ")
	}
}

func (w *writer) text(b *strings.Builder, text string, s style) {
	if s.flat && strings.IndexByte(text, '\n') >= 0 {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	escape(b, text, s.cell)
}

func (w *writer) lineBreak(b *strings.Builder, s style) {
	switch {
	case s.cell:
		b.WriteString("<br />")
	case s.flat:
		b.WriteByte(' ')
	default:
		b.WriteString("\\\n")
	}
}

func (w *writer) strong(b *strings.Builder, nodes []ast.Node, s style) {
	mark := "**"
	if s.strong {
		mark = ""
	}
	s.strong = true
	wrap(b, mark, w.inline(nodes, s))
}

// emphasis writes emphasized text. Inside bold text it uses another mark, so that the two marks do not merge.
func (w *writer) emphasis(b *strings.Builder, nodes []ast.Node, s style) {
	mark := "*"
	switch {
	case s.emph:
		mark = ""
	case s.strong:
		mark = "_"
	}
	s.emph = true
	wrap(b, mark, w.inline(nodes, s))
}

func (w *writer) strike(b *strings.Builder, nodes []ast.Node, s style) {
	mark := "~~"
	if s.strike {
		mark = ""
	}
	s.strike = true
	wrap(b, mark, w.inline(nodes, s))
}

// wrap puts marks around text. White space at the ends is written outside the marks, because Markdown would otherwise
// not recognize them.
func wrap(b *strings.Builder, mark, text string) {
	inner := strings.TrimSpace(text)
	if inner == "" {
		b.WriteString(text)
		return
	}
	at := strings.Index(text, inner)
	b.WriteString(text[:at] + mark + inner + mark + text[at+len(inner):])
}

func (w *writer) link(b *strings.Builder, n *ast.Link, s style) {
	if n.Auto {
		if t := ast.PlainText(n.Children); !s.linked && bare(t) {
			b.WriteString(t)
			return
		}
	}
	w.linkTo(b, n.URL, n.Title, n.Children, s)
}

// bare reports whether Markdown recognizes a URL without brackets and the URL contains no other syntax.
func bare(text string) bool { return !strings.ContainsAny(text, " \n\\`*~[]{}<>$&|()\"'") }

// linkTo writes a link, or only the link's text if the URL is refused or the link is inside another link.
func (w *writer) linkTo(b *strings.Builder, url, title string, children []ast.Node, s style) {
	href, ok := "", false
	if !s.linked && strings.TrimSpace(url) != "" {
		href, ok = w.resolve(url, false)
	}
	if !ok || href == "" {
		w.spans(b, children, s)
		return
	}
	s.linked = true
	text := w.inline(children, s)
	inner := strings.TrimSpace(text)
	if s.flat {
		inner = oneLine(text)
	}
	if inner == "" {
		inner = Text(href)
	}
	b.WriteString("[" + inner + "](" + address(href) + titled(title, s.cell) + ")")
	if text != inner && strings.HasSuffix(text, " ") {
		b.WriteByte(' ')
	}
}

// titled returns the title of a link or an image.
func titled(title string, cell bool) string {
	if title = oneLine(title); title == "" {
		return ""
	}
	var b strings.Builder
	escape(&b, title, cell)
	return ` "` + strings.ReplaceAll(b.String(), `"`, `\"`) + `"`
}

func (w *writer) image(b *strings.Builder, url, alt, title string, s style) {
	src, ok := w.resolve(url, true)
	if !ok || src == "" || strings.HasPrefix(src, "data:") { // a data URL is useless as text
		escape(b, oneLine(alt), s.cell)
		return
	}
	var text strings.Builder
	escape(&text, oneLine(alt), s.cell)
	b.WriteString("![" + text.String() + "](" + address(src) + titled(title, s.cell) + ")")
}

// formula writes a TeX formula inline. A formula that cannot be written between dollar signs becomes code.
func formula(b *strings.Builder, tex string, s style) {
	tex = oneLine(tex)
	switch {
	case tex == "":
	case strings.Contains(tex, "$") || s.cell && strings.Contains(tex, "|"):
		b.WriteString(codeSpan(tex, s.cell))
	default:
		b.WriteString("$" + tex + "$")
	}
}

// rich returns a prop as content: JSX unchanged, a string parsed as inline Markdown, or nil.
func rich(e *ast.Element, name string) []ast.Node {
	if nodes, ok := e.Prop(name).(ast.Nodes); ok {
		return nodes
	}
	text := e.Str(name)
	if text == "" {
		return nil
	}
	if !strings.ContainsAny(text, "`*_~[\\&") {
		return []ast.Node{&ast.Text{Value: text}}
	}
	return mdx.Inline(text)
}

// title returns a prop as inline Markdown.
func (w *writer) title(e *ast.Element, name string, s style) string {
	s.flat = true
	return oneLine(w.inline(rich(e, name), s))
}
