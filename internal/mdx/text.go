package mdx

import (
	"sort"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// text is the text of a leaf without the prefixes of its containers, with a mapping to source positions.
type text struct {
	s    string
	base int       // source offset of s[0] when segs is nil
	segs []segment // otherwise
}

// segment maps the text from offset at on to the source from src on.
type segment struct{ at, src int }

// place returns the source offset of s[i].
func (t *text) place(i int) int {
	if t.segs == nil {
		return t.base + i
	}
	k := sort.Search(len(t.segs), func(k int) bool { return t.segs[k].at > i }) - 1
	if k < 0 {
		return t.segs[0].src
	}
	return t.segs[k].src + i - t.segs[k].at
}

// span returns the source span of s[from:to]. Its end is computed from the last character, so that it is also
// correct at the end of a line.
func (t *text) span(from, to int) ast.Span {
	if t.segs == nil {
		return ast.Span{Start: t.base + from, End: t.base + to}
	}
	if to <= from {
		at := t.place(from)
		return ast.Span{Start: at, End: at}
	}
	return ast.Span{Start: t.place(from), End: t.place(to-1) + 1}
}

// textOf joins the lines of a leaf.
func (p *parser) textOf(pieces []piece) text {
	if len(pieces) == 0 {
		return text{}
	}
	if s, ok := p.contiguous(pieces); ok {
		return text{s: s, base: pieces[0].start}
	}
	size := 0
	for _, l := range pieces {
		size += l.end - l.start + 1
	}
	var b strings.Builder
	b.Grow(size)
	t := text{segs: make([]segment, 0, len(pieces))}
	for i, l := range pieces {
		if i > 0 {
			b.WriteByte('\n')
		}
		t.segs = append(t.segs, segment{b.Len(), l.start})
		b.WriteString(p.src[l.start:l.end])
	}
	t.s = b.String()
	return t
}

// trimRight removes white space at the end.
func (t *text) trimRight() { t.s = strings.TrimRight(t.s, " \t\n") }

// growing is the text of a block while it is being parsed. More appends the next line as long as all containers
// continue on it.
type growing struct {
	p     *parser
	depth int // containers that must continue
	ln    int // last line of the text
	t     text
	last  int // source offset after the last byte
	b     *strings.Builder
}

// Text implements jsx.Input.
func (g *growing) Text() string { return g.t.s }

// More implements jsx.Input.
func (g *growing) More() bool {
	p := g.p
	if g.ln+1 >= len(p.lines) {
		return false
	}
	c := p.cursor(g.ln + 1)
	if p.match(&c, g.depth) < g.depth {
		return false
	}
	g.ln++
	if g.b == nil && c.pos == g.last+1 && p.src[g.last] == '\n' {
		g.t.s = p.src[g.t.base:c.end]
		g.last = c.end
		return true
	}
	if g.b == nil {
		g.b = &strings.Builder{}
		g.b.WriteString(g.t.s)
		g.t.segs = []segment{{0, g.t.base}}
	}
	g.b.WriteByte('\n')
	g.t.segs = append(g.t.segs, segment{g.b.Len(), c.pos})
	g.b.WriteString(p.src[c.pos:c.end])
	g.t.s = g.b.String()
	g.last = c.end
	return true
}

// Text implements jsx.Input. The text of a leaf is complete.
func (t *text) Text() string { return t.s }

// More implements jsx.Input.
func (t *text) More() bool { return false }
