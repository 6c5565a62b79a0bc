package markdown

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/htmlpolicy"
)

// isBlock reports whether a node cannot be written inline, because of itself or its content.
func (w *writer) isBlock(n ast.Node, depth int) bool {
	if w.looks--; w.looks < 0 || depth >= maxDepth {
		return false
	}
	switch n := n.(type) {
	case *ast.Text, *ast.CodeSpan, *ast.Break, *ast.Image, *ast.Link, *ast.Emphasis, *ast.Strong, *ast.Strike,
		*ast.FootnoteRef, *ast.Expr:
		return false
	case *ast.Math:
		return n.Block
	case *ast.Element:
		return w.blockElement(n, depth)
	case *ast.Included:
		return w.holdsBlock(n.Children, depth+1)
	case *ast.Personal:
		return w.holdsBlock(n.Children, depth+1)
	case *ast.Island:
		if w.holdsBlock(n.Children, depth+1) {
			return true
		}
		for _, s := range n.Slots {
			if w.holdsBlock(s, depth+1) {
				return true
			}
		}
		return false
	case *ast.Slot:
		if n.Name != "" {
			return w.holdsBlock(n.Nodes, depth+1)
		}
		// At a deeper level, the slot may belong to an island in between. The content of that slot has been examined
		// together with that island.
		return depth == 0 && n.Index >= 0 && n.Index < len(w.slots) && w.holdsBlock(w.slots[n.Index], depth+1)
	}
	return true
}

func (w *writer) holdsBlock(nodes []ast.Node, depth int) bool {
	for _, n := range nodes {
		if w.isBlock(n, depth) {
			return true
		}
	}
	return false
}

func (w *writer) blockElement(e *ast.Element, depth int) bool {
	switch e.Name {
	case "Latex":
		return e.Flow && !e.Flag("inline") || e.Flag("block")
	case "Visibility":
		return w.holdsBlock(e.Children, depth+1)
	case "a", "Link", "code", "kbd", "svg", "button", "img", "Image", "select", "textarea", "math":
		return false
	case "tr", "td", "th", "thead", "tbody", "tfoot", "caption", "pre":
		return true
	}
	if c, ok := component.Find(e.Name); ok {
		return !c.Inline
	}
	policy, ok := htmlpolicy.Element(e.Name)
	if ok && policy.Block {
		return true
	}
	return w.holdsBlock(e.Children, depth+1)
}

// element writes a tag among blocks.
func (w *writer) element(e *ast.Element) {
	if write := componentWriter(e.Name); write != nil {
		write(w, e)
		return
	}
	if write := htmlWriter(e.Name); write != nil {
		write(w, e)
		return
	}
	if inner, ok := w.innerHTML(e); ok {
		w.blocks(inner)
		return
	}
	if w.shown(e) {
		w.blocks(e.Children) // unknown element: write the children
	}
}

// shown reports whether readers see the content of an element.
func (w *writer) shown(e *ast.Element) bool {
	if _, ok := component.Find(e.Name); ok {
		return true
	}
	policy, ok := htmlpolicy.Element(e.Name)
	if policy.Drop || ok && (policy.Empty || policy.Style || policy.Void) {
		return false
	}
	return e.Name != "svg" && e.Name != "template" && e.Name != "datalist"
}

// innerHTML returns the content that dangerouslySetInnerHTML sets.
func (w *writer) innerHTML(e *ast.Element) ([]ast.Node, bool) {
	o, ok := e.Prop("dangerouslySetInnerHTML").(*ast.Object)
	if !ok {
		return nil, false
	}
	source, ok := o.Get("__html").(string)
	if !ok || !w.shown(e) {
		return nil, ok
	}
	nodes, err := htmlpolicy.Parse(source, e.Span)
	return nodes, err == nil
}

// inlineElement writes a tag within a line of text.
func (w *writer) inlineElement(b *strings.Builder, e *ast.Element, s style) {
	children := e.Children
	if inner, ok := w.innerHTML(e); ok {
		children = inner
	}
	switch e.Name {
	case "b", "strong":
		w.strong(b, children, s)
	case "i", "em", "cite", "dfn", "var":
		w.emphasis(b, children, s)
	case "s", "del", "strike":
		w.strike(b, children, s)
	case "code", "kbd", "samp", "tt":
		b.WriteString(codeSpan(ast.PlainText(children), s.cell))
	case "br":
		w.lineBreak(b, s)
	case "wbr", "Icon", "input", "select", "datalist", "svg", "template", "progress", "meter", "source", "track":
	case "sub", "sup":
		if text := strings.TrimSpace(w.inline(children, s)); text != "" {
			b.WriteString("<" + e.Name + ">" + text + "</" + e.Name + ">")
		}
	case "a", "Link":
		w.anchor(b, e, children, s)
	case "img", "Image":
		if !otherScheme(e) {
			w.image(b, e.Str("src"), e.Str("alt"), e.Str("title"), s)
		}
	case "iframe", "video", "audio":
		w.media(b, e, s)
	case "Tooltip":
		w.tooltip(b, e, s)
	case "Latex":
		formula(b, latex(e), s)
	case "Visibility":
		if e.Str("for") != "humans" {
			w.spans(b, children, s)
		}
	default:
		w.plainElement(b, e, children, s)
	}
}

// plainElement writes the children of a tag that has no inline form of its own. It puts blanks between blocks.
func (w *writer) plainElement(b *strings.Builder, e *ast.Element, children []ast.Node, s style) {
	if !w.shown(e) {
		return
	}
	if !w.blockElement(e, 0) {
		w.spans(b, children, s)
		return
	}
	s.flat = true
	if title := w.title(e, "title", s); title != "" {
		apart(b, title)
	}
	apart(b, w.inline(children, s))
}

func (w *writer) anchor(b *strings.Builder, e *ast.Element, children []ast.Node, s style) {
	url := e.Str("href")
	if url == "" {
		url = e.Str("to")
	}
	s.flat = s.flat || w.holdsBlock(children, 0)
	w.linkTo(b, url, e.Str("title"), children, s)
}

// otherScheme reports whether an image is the dark variant of a pair. The classes of such an image hide it initially.
func otherScheme(e *ast.Element) bool {
	hidden, dark := false, false
	for c := range strings.FieldsSeq(e.Str("className") + " " + e.Str("class")) {
		hidden = hidden || c == "hidden"
		dark = dark || strings.HasPrefix(c, "dark:")
	}
	return hidden && dark
}

// media writes video and sound as a link.
func (w *writer) media(b *strings.Builder, e *ast.Element, s style) {
	src := e.Str("src")
	ast.Walk(e.Children, func(n ast.Node) bool {
		if c, ok := n.(*ast.Element); ok && src == "" && c.Name == "source" {
			src = c.Str("src")
		}
		return src == ""
	})
	title := oneLine(e.Str("title"))
	if title == "" {
		title = map[string]string{"iframe": "Embedded page", "video": "Video", "audio": "Audio"}[e.Name]
	}
	if src != "" {
		w.linkTo(b, src, "", []ast.Node{&ast.Text{Value: title}}, s)
	}
}

// tooltip writes a word followed by its explanation.
func (w *writer) tooltip(b *strings.Builder, e *ast.Element, s style) {
	if e.Str("href") != "" {
		w.linkTo(b, e.Str("href"), "", e.Children, s)
	} else {
		w.spans(b, e.Children, s)
	}
	var parts []string
	for _, name := range [...]string{"headline", "tip"} {
		if t := w.title(e, name, s); t != "" {
			parts = append(parts, t)
		}
	}
	if len(parts) > 0 {
		b.WriteString(" (" + strings.Join(parts, ": ") + ")")
	}
}
