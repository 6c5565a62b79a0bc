package expr

import (
	"html"
	"strings"
)

// jsxChildren reads the content between the tags, and the closing tag.
func (p *parser) jsxChildren(n *jsxNode) {
	for p.err == nil {
		start := p.pos
		end := strings.IndexAny(p.src[p.pos:], "<{")
		if end < 0 {
			p.syntax(int(n.offset), "the element "+n.name+" has no closing tag")
			return
		}
		p.pos += end
		if text := jsxText(p.src[start:p.pos]); text != "" {
			n.children = append(n.children, jsxChild{text: text, span: p.span(start, p.pos)})
		}
		if strings.HasPrefix(p.src[p.pos:], "<") {
			if p.jsxClosing(n) {
				return
			}
			continue
		}
		p.jsxContainer(n)
	}
}

// jsxClosing reads the closing tag and returns true, or reads a child element.
func (p *parser) jsxClosing(n *jsxNode) bool {
	start := p.pos
	p.pos++
	p.skipSpace()
	if !p.jsxAccept("/") {
		p.pos = start
		if child := p.jsxElement(); child != nil {
			n.children = append(n.children, jsxChild{value: child, span: p.span(start, p.pos)})
		}
		return false
	}
	p.skipSpace()
	name := p.jsxName(true)
	p.skipSpace()
	if p.err == nil && (name != n.name || !p.jsxAccept(">")) {
		p.syntax(start, "expected the closing tag of "+n.name+" here")
	}
	return true
}

func (p *parser) jsxContainer(n *jsxNode) {
	start := p.pos
	p.pos++
	child := jsxChild{braces: true}
	child.value = p.jsxBraces(n.eager, true)
	if p.err != nil {
		return
	}
	child.source, child.span = p.src[start+1:p.pos-1], p.span(start, p.pos)
	if child.value == nil && onlyComments(child.source) {
		return
	}
	n.children = append(n.children, child)
}

func onlyComments(source string) bool {
	p := &parser{src: source}
	p.skipSpace()
	return p.err == nil && p.pos == len(source)
}

// jsxText normalizes text like JSX: it trims lines at line breaks, drops empty lines, joins the rest with spaces, and
// decodes entities.
func jsxText(raw string) string {
	if !strings.ContainsAny(raw, "\n\r") {
		return decodeEntities(raw)
	}
	lines := strings.FieldsFunc(raw, func(r rune) bool { return r == '\n' || r == '\r' })
	first := raw[0] != '\n' && raw[0] != '\r'
	last := raw[len(raw)-1] != '\n' && raw[len(raw)-1] != '\r'
	var b strings.Builder
	for i, line := range lines {
		if i > 0 || !first {
			line = strings.TrimLeft(line, " \t")
		}
		if i < len(lines)-1 || !last {
			line = strings.TrimRight(line, " \t")
		}
		if line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(decodeEntities(line))
	}
	return b.String()
}

// isCharacter reports whether s may occur between & and ; in a character reference: a name, or # and a number.
func isCharacter(s string) bool {
	return strings.IndexFunc(strings.TrimPrefix(s, "#"),
		func(r rune) bool { return (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') }) < 0
}

// decodeEntities decodes &name; and &#1;. Unlike HTML, it requires the semicolon.
func decodeEntities(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		end := strings.IndexAny(s[1:min(len(s), 34)], ";& \n")
		if end < 1 || s[1+end] != ';' || !isCharacter(s[1:1+end]) {
			b.WriteByte('&')
			s = s[1:]
			continue
		}
		b.WriteString(html.UnescapeString(s[:end+2]))
		s = s[end+2:]
	}
}
