package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// unclosed is a tag without a partner in its block. It is reported at the end of the page, because the partner may
// be in another block.
type unclosed struct {
	tag    *tagToken
	where  string    // the construct that ended before the tag was closed
	closer *tagToken // the closing tag of another element that came first; nil if the block ended
}

// stray is a closing tag without a partner in its block.
type stray struct{ tag *tagToken }

// tag handles an opening, closing or self-closing tag.
func (b *builder) tag(t *tagToken) {
	switch {
	case t.close:
		b.closeTag(t)
	case t.selfClose:
		b.nodes = append(b.nodes, b.element(t, nil, t.End))
	default:
		deep := b.p.nest+len(b.frames) >= maxDepth
		if deep && !b.p.deep {
			b.p.deep = true
			b.p.fail(t.Start, "mdx-too-deep", "Nest fewer elements.", "Elements are nested deeper than %d levels.",
				maxDepth)
		}
		b.frames = append(b.frames, frame{tag: t, start: len(b.nodes), deep: deep})
	}
}

func (b *builder) element(t *tagToken, children ast.Children, end int) *ast.Element {
	return &ast.Element{Span: ast.Span{Start: t.Start, End: end}, Name: t.name, Attrs: t.attrs, Open: t.Span,
		Flow: b.flow, Children: children}
}

func (b *builder) closeTag(t *tagToken) {
	k := len(b.frames) - 1
	for k >= 0 && b.frames[k].tag != nil && b.frames[k].tag.name != t.name && len(b.frames)-k <= maxDepth {
		k--
	}
	if k < 0 || b.frames[k].tag == nil || b.frames[k].tag.name != t.name {
		b.p.strayTag(t)
		return
	}
	b.unwind(k+1, t, "")
	f := b.frames[k]
	b.frames = b.frames[:k]
	if f.deep {
		return
	}
	children := b.take(f.start)
	b.nodes = append(b.nodes, b.element(f.tag, children, t.End))
}

// unwind ends the tags from frame k on, which have no closing tag. The nodes after the innermost tag may become
// siblings of that tag and of all tags around it. They are collected in reverse order, so that each node is moved only
// once.
func (b *builder) unwind(k int, closer *tagToken, where string) {
	if k >= len(b.frames) {
		return
	}
	var back []ast.Node
	end := len(b.nodes)
	for i := len(b.frames) - 1; i >= k; i-- {
		f := &b.frames[i]
		for j := end - 1; j >= f.start; j-- {
			back = append(back, b.nodes[j])
		}
		end = min(end, f.start)
		if f.tag == nil {
			continue // cannot happen: marks are paired
		}
		n, wraps := b.unclosed(f, closer, where)
		if wraps && !f.deep {
			e := n.(*ast.Element)
			e.Children = reversed(back)
			if len(e.Children) > 0 {
				e.End = max(e.End, e.Children[len(e.Children)-1].Place().End)
			}
			back = back[:0]
		}
		if !f.deep {
			back = append(back, n)
		}
	}
	b.frames = b.frames[:k]
	b.nodes = append(b.nodes[:end], reversed(back)...)
}

func reversed(nodes []ast.Node) []ast.Node {
	if len(nodes) == 0 {
		return nil
	}
	out := make([]ast.Node, len(nodes))
	for i, n := range nodes {
		out[len(nodes)-1-i] = n
	}
	return out
}

// unclosed returns the node for a tag without a closing tag. A void HTML element is complete without one, and a
// placeholder is text. Anything else is an error, and its element wraps the nodes that follow.
func (b *builder) unclosed(f *frame, closer *tagToken, where string) (n ast.Node, wraps bool) {
	t, p := f.tag, b.p
	switch {
	case voidElement(t.name):
		p.warn(t.Start, "mdx-lenient-void", "Write <"+t.name+" />.", "<%s> is not closed; it is read as <%s />.",
			t.name, t.name)
	case p.placeholder(t):
		source := p.src[t.Start:t.End]
		p.warn(t.Start, "mdx-lenient-placeholder", `Write \`+source+" or `"+source+"`.",
			"%s is never closed and is shown as text.", source)
		text := &ast.Text{Span: t.Span, Value: source}
		if b.flow {
			return &ast.Paragraph{Span: t.Span, Children: ast.Children{text}}, false
		}
		return text, false
	default:
		p.waiting = append(p.waiting, unclosed{t, where, closer})
		wraps = true
	}
	return b.element(t, nil, t.End), wraps
}

// voidElement reports whether an HTML element has no closing tag.
func voidElement(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// htmlElement reports whether a lower-case name is an HTML element that authors use on purpose.
func htmlElement(name string) bool {
	switch name {
	case "a", "abbr", "article", "aside", "audio", "b", "blockquote", "button", "canvas", "center", "cite", "code",
		"dd", "del", "details",
		"div", "dl", "dt", "em", "fieldset", "figcaption", "figure", "font", "footer", "form", "g", "h1", "h2", "h3",
		"h4", "h5", "h6",
		"header", "i", "iframe", "ins", "kbd", "label", "li", "main", "mark", "nav", "object", "ol", "p", "path",
		"picture", "pre", "q",
		"s", "samp", "script", "section", "select", "small", "span", "strong", "style", "sub", "summary", "sup", "svg",
		"table", "tbody",
		"td", "textarea", "tfoot", "th", "thead", "tr", "u", "ul", "var", "video":
		return true
	}
	return false
}

// placeholder reports whether a tag without a partner is a placeholder for a value, such as <api_key>.
func (p *parser) placeholder(t *tagToken) bool {
	if t.name == "" || htmlElement(t.name) || p.opts.Component != nil && p.opts.Component(t.name) {
		return false
	}
	for i := range t.attrs {
		if t.attrs[i].Kind != ast.AttrTrue {
			return false
		}
	}
	if p.closes == nil {
		p.closes = closingNames(p.src)
	}
	return !p.closes[t.name]
}

// closingNames collects the names in everything that looks like a closing tag.
func closingNames(src string) map[string]bool {
	names := map[string]bool{}
	for {
		i := strings.Index(src, "</")
		if i < 0 {
			return names
		}
		src = src[i+2:]
		n := strings.IndexFunc(src, func(r rune) bool { return strings.ContainsRune(" \t\r\n<>/{}", r) })
		if n > 0 {
			names[src[:n]] = true
		}
	}
}

func (p *parser) strayTag(t *tagToken) {
	if voidElement(t.name) {
		p.warn(t.Start, "mdx-lenient-void", "Write <"+t.name+" />.", "</%s> has no opening tag and is ignored.", t.name)
		return
	}
	p.stray = append(p.stray, stray{t})
}
