package mdx

import "strings"

// match consumes the prefixes of the first n open containers on a line and returns how many of them continue.
func (p *parser) match(c *cursor, n int) int {
	for i, b := range p.open[:n] {
		ok := false
		switch b.kind {
		case kindQuote:
			ok = quoteMark(c)
		case kindItem:
			if c.blank() {
				// An item that begins with a blank line must not have a second blank line.
				ok = len(b.children) > 0 || b.startLine == p.ln
				c.eat(b.width)
			} else if ok = c.indent() >= b.width; ok {
				c.eat(b.width)
			}
		case kindNote:
			if ok = c.blank() || c.indent() >= 4; ok {
				c.eat(4)
			}
		}
		if !ok {
			return i
		}
	}
	return n
}

func quoteMark(c *cursor) bool {
	if c.blank() || c.src[c.ns] != '>' {
		return false
	}
	c.skip(1)
	c.eat(1)
	return true
}

// containerStart opens one container. interrupts means that the container would interrupt an open paragraph.
func (p *parser) containerStart(c *cursor, depth int, interrupts bool) bool {
	if p.ln <= p.sealed {
		return false
	}
	var b *block
	switch ch := c.src[c.ns]; {
	case ch == '>':
		b = p.newBlock(kindQuote, c.ns)
		if p.tooDeep(depth, c.ns) {
			return false
		}
		p.closeTo(depth)
		p.add(b)
		quoteMark(c)
	case ch == '[':
		label, n := noteMark(c.src[c.ns:c.end])
		if n == 0 || p.tooDeep(depth, c.ns) {
			return false
		}
		b = p.newBlock(kindNote, c.ns)
		p.closeTo(depth)
		p.add(b)
		b.note = p.defineNote(label, b)
		c.skip(n)
	case ch == '-' || ch == '+' || ch == '*' || ch >= '0' && ch <= '9':
		m := readMarker(c)
		if m.size == 0 || interrupts && (m.empty || m.ordered && m.number != 1) || p.tooDeep(depth, c.ns) {
			return false
		}
		b = p.item(c, depth, m)
	default:
		return false
	}
	p.open = append(p.open, b)
	p.reach(c.end)
	return true
}

func (p *parser) tooDeep(depth, at int) bool {
	if depth < maxDepth {
		return false
	}
	if !p.deep {
		p.deep = true
		p.fail(at, "mdx-too-deep", "Nest fewer quotes and lists.", "Quotes and lists are nested deeper than %d levels.",
			maxDepth)
	}
	return true
}

// marker is the bullet or number that begins a list item.
type marker struct {
	size    int // bytes; 0 = no marker
	sign    byte
	ordered bool
	number  int
	empty   bool // nothing follows on the line
}

func readMarker(c *cursor) (m marker) {
	i := c.ns
	for i < c.end && i-c.ns < 9 && c.src[i] >= '0' && c.src[i] <= '9' {
		m.number = m.number*10 + int(c.src[i]-'0')
		i++
	}
	if i > c.ns {
		m.ordered = true
		if i >= c.end || c.src[i] != '.' && c.src[i] != ')' {
			return marker{}
		}
	}
	m.sign = c.src[i]
	i++
	m.empty = strings.TrimLeft(c.src[i:c.end], " \t") == ""
	if i < c.end && c.src[i] != ' ' && c.src[i] != '\t' {
		return marker{}
	}
	m.size = i - c.ns
	return m
}

// item opens a list item. It joins the preceding list if the markers match.
func (p *parser) item(c *cursor, depth int, m marker) *block {
	p.closeTo(depth)
	parent := p.container()
	var list *block
	if n := len(parent.children); n > 0 {
		last := parent.children[n-1]
		if last.kind == kindList && last.ordered == m.ordered && last.fence == m.sign {
			list = last
		}
	}
	if list == nil {
		list = p.add(p.newBlock(kindList, c.ns))
		list.ordered, list.fence, list.number = m.ordered, m.sign, m.number
	}
	b := p.newBlock(kindItem, c.ns)
	list.children = append(list.children, b)
	before := c.indent()
	c.skip(m.size)
	after := c.indent()
	if m.empty {
		after = 1
	}
	b.width = before + m.size + after
	c.eat(after)
	return b
}
