package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// builder turns a sequence of nodes, tags and marks into a tree.
type builder struct {
	p      *parser
	flow   bool   // builds blocks, not inlines
	where  string // the block that contains the nodes, for messages
	nodes  []ast.Node
	frames []frame
	pend   pending
	t      *text
}

// frame is an open tag or emphasis. Its children are nodes[start:].
type frame struct {
	tag   *tagToken
	mark  mark
	start int
	at    int  // source offset of the emphasis
	deep  bool // the depth limit is exceeded: its children are added to the parent
}

// pending collects text that has not been turned into a node yet, so that adjacent text becomes one node.
type pending struct {
	from, to int // if not mixed, the text is s[from:to]
	mixed    bool
	b        strings.Builder
}

// build turns tokens with matched emphasis into a tree.
func (in *inline) build(tokens []token) []ast.Node {
	b := builder{p: in.p, where: in.where, t: &in.t, nodes: make([]ast.Node, 0, len(tokens))}
	if b.where == "" {
		b.where = "the paragraph"
	}
	b.pend.to = -1
	for i := range tokens {
		t := &tokens[i]
		switch t.kind {
		case tokText:
			b.text(t.from, t.to, t.value)
		case tokNode:
			b.flush()
			b.nodes = append(b.nodes, t.node)
		case tokTag:
			b.flush()
			b.tag(t.node.(*tagToken))
		case tokDelim:
			b.delim(t)
		}
	}
	b.finish()
	return b.nodes
}

func (b *builder) text(from, to int, value string) {
	if to <= from {
		return
	}
	p := &b.pend
	switch {
	case p.to < 0:
		p.from, p.to, p.mixed = from, to, value != ""
		if p.mixed {
			p.b.WriteString(value)
		}
		return
	case value == "" && !p.mixed && from == p.to:
		p.to = to
		return
	case !p.mixed:
		p.mixed = true
		p.b.WriteString(b.t.s[p.from:p.to])
	}
	if value == "" {
		value = b.t.s[from:to]
	}
	p.b.WriteString(value)
	p.to = to
}

// flush turns the pending text into a node.
func (b *builder) flush() {
	p := &b.pend
	if p.to < 0 {
		return
	}
	t := &ast.Text{Span: b.t.span(p.from, p.to)}
	if p.mixed {
		t.Value = p.b.String()
		p.b = strings.Builder{}
	} else {
		t.Value = b.t.s[p.from:p.to]
	}
	p.to = -1
	b.nodes = append(b.nodes, t)
}

// delim closes emphasis, adds delimiters that are plain text, and opens emphasis.
func (b *builder) delim(t *token) {
	at, left := t.from, int(t.left)
	if t.marks == nil {
		b.text(at, at+left, "")
		return
	}
	for _, m := range t.marks.closes {
		b.flush()
		at += m.n
		b.closeMark(m, b.t.span(at-m.n, at).End)
	}
	b.text(at, at+left, "")
	at += left
	for i := len(t.marks.opens) - 1; i >= 0; i-- {
		b.flush()
		m := t.marks.opens[i]
		if len(b.frames) < maxDepth {
			b.frames = append(b.frames, frame{mark: m, start: len(b.nodes), at: b.t.place(at)})
		}
		at += m.n
	}
}

func (b *builder) closeMark(m mark, end int) {
	// Tags opened inside the emphasis must end here. Emphasis beyond the depth limit has no frame.
	k := len(b.frames) - 1
	for k >= 0 && b.frames[k].tag != nil {
		k--
	}
	if k < 0 || b.frames[k].mark.id != m.id {
		return
	}
	b.unwind(k+1, nil, "the emphasis")
	f := b.frames[k]
	b.frames = b.frames[:k]
	children := b.take(f.start)
	span := ast.Span{Start: f.at, End: end}
	var n ast.Node
	switch {
	case m.sign == '~':
		n = &ast.Strike{Span: span, Children: children}
	case m.n == 2:
		n = &ast.Strong{Span: span, Children: children}
	default:
		n = &ast.Emphasis{Span: span, Children: children}
	}
	b.nodes = append(b.nodes, n)
}

// take removes the nodes from start on and returns a copy of them.
func (b *builder) take(start int) ast.Children {
	if start >= len(b.nodes) {
		return nil
	}
	children := make(ast.Children, len(b.nodes)-start)
	copy(children, b.nodes[start:])
	clear(b.nodes[start:])
	b.nodes = b.nodes[:start]
	return children
}

func (b *builder) finish() {
	b.flush()
	b.unwind(0, nil, b.where)
}
