package mdx

import (
	"strings"
)

// leafStart opens or reads a leaf block that begins at the cursor.
func (p *parser) leafStart(c *cursor, depth int) bool {
	switch c.src[c.ns] {
	case '#':
		return p.atx(c, depth)
	case '`', '~':
		return p.fenceStart(c, depth)
	case '$':
		return p.mathStart(c, depth)
	case '*', '-', '_':
		return p.rule(c, depth)
	case '<', '{':
		return p.flow(c, depth)
	case 'i', 'e':
		return p.module(c, depth)
	}
	return false
}

func (p *parser) atx(c *cursor, depth int) bool {
	i := c.ns
	for i < c.end && c.src[i] == '#' {
		i++
	}
	level := i - c.ns
	if level > 6 || i < c.end && c.src[i] != ' ' && c.src[i] != '\t' {
		return false
	}
	p.closeTo(depth)
	b := p.add(p.newBlock(kindHeading, c.ns))
	b.indent = level
	from := i + leadingSpace(c.src[i:c.end])
	to := from + len(strings.TrimRight(c.src[from:c.end], " \t"))
	// A closing run of # is recognized only after white space.
	hash := from + len(strings.TrimRight(c.src[from:to], "#"))
	if hash == from {
		to = from
	} else if hash < to && (c.src[hash-1] == ' ' || c.src[hash-1] == '\t') {
		to = from + len(strings.TrimRight(c.src[from:hash], " \t"))
	}
	b.from = len(p.pieces)
	p.pieces = append(p.pieces, piece{from, to, 0})
	b.to = len(p.pieces)
	b.end = c.end
	p.reach(c.end)
	return true
}

func leadingSpace(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// setext turns the open paragraph into a heading if this line underlines it.
func (p *parser) setext(c *cursor) bool {
	sign := c.src[c.ns]
	if sign != '=' && sign != '-' {
		return false
	}
	rest := strings.TrimRight(c.src[c.ns:c.end], " \t")
	if strings.Trim(rest, string(sign)) != "" {
		return false
	}
	b := p.leaf
	p.cutDefinitions(b)
	if b.kind != kindParagraph {
		p.leaf = nil
		return false
	}
	b.kind, b.indent = kindHeading, 1
	if sign == '-' {
		b.indent = 2
	}
	p.reach(c.end)
	p.leaf = nil
	return true
}

func (p *parser) rule(c *cursor, depth int) bool {
	sign, n := c.src[c.ns], 0
	for i := c.ns; i < c.end; i++ {
		switch c.src[i] {
		case sign:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	if n < 3 {
		return false
	}
	p.closeTo(depth)
	b := p.add(p.newBlock(kindRule, c.ns))
	b.end = c.end
	p.reach(c.end)
	return true
}

func run(s string, sign byte) int {
	n := 0
	for n < len(s) && s[n] == sign {
		n++
	}
	return n
}

func (p *parser) fenceStart(c *cursor, depth int) bool {
	sign := c.src[c.ns]
	n := run(c.src[c.ns:c.end], sign)
	if n < 3 {
		return false
	}
	info := c.src[c.ns+n : c.end]
	if sign == '`' && strings.IndexByte(info, '`') >= 0 {
		return false
	}
	p.openFence(c, depth, kindCode, n, strings.Trim(info, " \t"))
	return true
}

func (p *parser) mathStart(c *cursor, depth int) bool {
	n := run(c.src[c.ns:c.end], '$')
	if n < 2 {
		return false
	}
	meta := c.src[c.ns+n : c.end]
	if strings.IndexByte(meta, '$') >= 0 {
		return false
	}
	p.openFence(c, depth, kindMath, n, strings.Trim(meta, " \t"))
	return true
}

func (p *parser) openFence(c *cursor, depth int, k kind, n int, info string) {
	p.closeTo(depth)
	b := p.add(p.newBlock(k, c.ns))
	b.fence, b.width, b.indent, b.info = c.src[c.ns], n, c.indent(), info
	b.from, b.to = len(p.pieces), len(p.pieces)
	p.leaf = b
	p.reach(c.end)
}

// fenceLine adds a line to the open fence or closes the fence.
func (p *parser) fenceLine(c *cursor) {
	b := p.leaf
	if !c.blank() && c.src[c.ns] == b.fence {
		n := run(c.src[c.ns:c.end], b.fence)
		if n >= b.width && strings.Trim(c.src[c.ns+n:c.end], " \t") == "" {
			b.closed = true
			p.reach(c.end)
			p.leaf = nil
			return
		}
	}
	c.eat(b.indent)
	p.pieces = append(p.pieces, piece{c.pos, c.end, c.rem})
	b.to = len(p.pieces)
	p.reach(c.end)
}

// fenceText returns the text of a fence.
func (p *parser) fenceText(b *block) string {
	pieces := p.pieces[b.from:b.to]
	if len(pieces) == 0 {
		return ""
	}
	if s, ok := p.contiguous(pieces); ok {
		return s
	}
	size := 0
	for _, l := range pieces {
		size += l.end - l.start + l.pad + 1
	}
	var t strings.Builder
	t.Grow(size)
	for i, l := range pieces {
		if i > 0 {
			t.WriteByte('\n')
		}
		t.WriteString("   "[:l.pad])
		t.WriteString(p.src[l.start:l.end])
	}
	return t.String()
}

// contiguous returns the text of pieces that are adjacent in the source, without copying it.
func (p *parser) contiguous(pieces []piece) (string, bool) {
	for i, l := range pieces {
		if l.pad > 0 || i > 0 && (l.start != pieces[i-1].end+1 || p.src[l.start-1] != '\n') {
			return "", false
		}
	}
	return p.src[pieces[0].start:pieces[len(pieces)-1].end], true
}
