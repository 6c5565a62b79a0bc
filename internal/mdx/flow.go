package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/esm"
	"github.com/lectern-docs/lectern/internal/mdx/jsx"
)

// tagToken is a tag with source positions, before it is matched with its partner.
type tagToken struct {
	ast.Span
	name      string
	attrs     []ast.Attr
	close     bool
	selfClose bool
}

// brokenTag records why a tag among blocks is invalid. It is used when the tag is read again as part of a paragraph's
// text.
type brokenTag struct {
	at  int // source offset
	err *jsx.Error
}

// flow reads a sequence of tags and expressions that fills whole lines. Lines that contain anything else belong to a
// paragraph.
func (p *parser) flow(c *cursor, depth int) bool {
	g := &growing{p: p, depth: depth, ln: p.ln, t: text{s: p.src[c.ns:c.end], base: c.ns}, last: c.end}
	if !jsx.Opens(g.t.s, 0) && g.t.s[0] == '<' || p.budget <= 0 {
		return false
	}
	found, ok := p.flowRun(g)
	if !ok {
		p.spend(len(g.t.s))
		return false
	}
	p.closeTo(depth)
	first := p.ln
	for i := range found {
		b := p.newBlock(found[i].kind, found[i].start)
		b.end, b.tag, b.source = found[i].end, found[i].tag, found[i].source
		b.startLine, b.endLine = first, g.ln
		p.add(b)
	}
	p.ln = g.ln
	p.reach(g.last)
	return true
}

// flowRun reads tags and expressions up to the end of a line. An expression may follow a tag, but not another
// expression.
func (p *parser) flowRun(g *growing) (found []block, ok bool) {
	for at, before := 0, byte(0); ; {
		at += leadingSpace(g.t.s[at:])
		s := g.t.s
		if at >= len(s) || s[at] == '\n' {
			return found, true
		}
		var b block
		var end int
		switch {
		case s[at] == '<' && strings.HasPrefix(s[at:], "<!"):
			end = p.comment(g, at)
			b.kind = kindDropped
		case s[at] == '<':
			b, end = p.flowTag(g, at)
		case s[at] == '{' && before != '{':
			b, end = p.flowExpr(g, at)
		}
		if end == 0 {
			if s[at] != '<' && s[at] != '{' {
				// The tags are complete, but text follows them. Their lines stay together as text, even if one of them
				// looks like a quote.
				p.sealed = g.ln
			}
			return nil, false
		}
		before = s[at]
		span := g.t.span(at, end)
		b.start, b.end = span.Start, span.End
		found = append(found, b)
		at = end
	}
}

func (p *parser) flowTag(g *growing, at int) (b block, end int) {
	tag, err := jsx.Scan(g, at)
	if err != nil {
		if p.broken == nil {
			p.broken = map[int]brokenTag{}
		}
		p.broken[g.t.place(at)] = brokenTag{g.t.place(err.At), err}
		return b, 0
	}
	b.kind, b.tag = kindTag, p.token(&g.t, &tag)
	return b, tag.End
}

func (p *parser) flowExpr(g *growing, at int) (b block, end int) {
	value, end, err := jsx.Expression(g, at)
	if err != nil {
		return b, 0
	}
	b.kind, b.source = kindExpr, value
	return b, end
}

// comment skips <!-- … --> or <!DOCTYPE …>. It returns the offset after it, or 0 if there is none.
func (p *parser) comment(in jsx.Input, at int) int {
	open, end := "<!--", "-->"
	if !strings.HasPrefix(in.Text()[at:], open) {
		if len(in.Text()) < at+9 || !strings.EqualFold(in.Text()[at:at+9], "<!doctype") {
			return 0
		}
		open, end = "<!", ">"
	}
	for from := at + len(open); ; {
		s := in.Text()
		if i := strings.Index(s[from:], end); i >= 0 {
			return from + i + len(end)
		}
		from = max(at+len(open), len(s)-len(end))
		if !in.More() {
			return 0
		}
	}
}

// token converts a tag's offsets to source positions.
func (p *parser) token(t *text, tag *jsx.Tag) *tagToken {
	out := &tagToken{Span: t.span(tag.Start, tag.End), name: tag.Name, close: tag.Close, selfClose: tag.SelfClose}
	if tag.Comment {
		p.warn(out.Start, "mdx-lenient-comment", "Write {/* … */} instead.", "A comment in a tag must be in braces.")
	}
	if len(tag.Attrs) == 0 {
		return out
	}
	out.attrs = make([]ast.Attr, len(tag.Attrs))
	for i, a := range tag.Attrs {
		out.attrs[i] = ast.Attr{Span: t.span(a.Start, a.End), Name: a.Name, Kind: a.Kind, Value: a.Value}
		if a.Kind == ast.AttrString {
			out.attrs[i].Value = resolveEntities(a.Value)
		}
		if a.Kind != ast.AttrTrue {
			out.attrs[i].ValueSpan = t.span(a.ValueStart, a.ValueEnd)
		}
	}
	return out
}

// module reads import and export statements. They must start at the very beginning of a line, outside of
// containers, and extend to the first blank line at which they are complete.
func (p *parser) module(c *cursor, depth int) bool {
	first := p.lines[p.ln]
	s := p.src[c.ns:c.end]
	if c.ns != first.start || depth > 0 || p.leaf != nil && p.leaf.kind == kindParagraph ||
		!strings.HasPrefix(s, "import ") && !strings.HasPrefix(s, "export ") {
		return false
	}
	var scanner esm.Scanner
	ln := p.ln
	var end int
	for {
		scanner.Feed([]byte(p.src[p.lines[ln].start:p.lines[ln].end]))
		scanner.Feed([]byte{'\n'})
		end = p.lines[ln].end
		ln++
		if ln >= len(p.lines) {
			break
		}
		l := p.lines[ln]
		if strings.Trim(p.src[l.start:l.end], " \t") == "" && (scanner.Complete() || scanner.Err() != nil) {
			break
		}
	}
	p.closeTo(0)
	b := p.add(p.newBlock(kindESM, c.ns))
	b.source = strings.TrimRight(p.src[c.ns:end], " \t\r\n")
	p.ln = ln - 1
	b.end, b.endLine = c.ns+len(b.source), p.ln
	return true
}
