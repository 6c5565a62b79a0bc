package mdx

type kind uint8

const (
	kindRoot kind = iota
	kindQuote
	kindList
	kindItem
	kindNote // footnote definition
	kindParagraph
	kindHeading
	kindCode
	kindMath
	kindRule
	kindTable
	kindTag
	kindExpr
	kindESM
	kindDropped // link definitions and comments: they have no output, but separate lists and make them loose
)

// block is a node during block parsing.
type block struct {
	kind       kind
	start, end int // byte offsets
	startLine  int
	endLine    int // the last line of the block that is not blank
	children   []*block
	from, to   int // for leaves: the lines are pieces[from:to]
	tag        *tagToken
	source     string // of an expression or module
	info       string // of a fence
	fence      byte   // the fence's character, or the marker character of a list
	width      int    // length of a fence; number of columns by which an item's content is indented
	indent     int    // columns before a fence; level of a heading
	number     int    // first number of a list
	ordered    bool
	closed     bool // a fence was closed
	align      []int8
	note       *note
}

// piece is one line of a leaf: pad spaces that are left of a partially consumed tab, followed by src[start:end].
type piece struct{ start, end, pad int }

func (p *parser) newBlock(k kind, start int) *block {
	if len(p.slab) == 0 {
		p.slab = make([]block, max(16, min(len(p.lines)/2, 256)))
	}
	b := &p.slab[0]
	p.slab = p.slab[1:]
	b.kind, b.start, b.end = k, start, start
	b.startLine, b.endLine = p.ln, p.ln
	return b
}

// container returns the innermost open container.
func (p *parser) container() *block {
	if len(p.open) == 0 {
		return p.root
	}
	return p.open[len(p.open)-1]
}

// add appends a block to the innermost container.
func (p *parser) add(b *block) *block {
	parent := p.container()
	parent.children = append(parent.children, b)
	return b
}

// reach extends the open leaf and the open containers to the end of the current line.
func (p *parser) reach(end int) {
	for _, b := range p.open {
		b.end, b.endLine = end, p.ln
	}
	if p.leaf != nil {
		p.leaf.end, p.leaf.endLine = end, p.ln
	}
}

// closeTo closes the leaf, and all containers except for the outermost depth ones.
func (p *parser) closeTo(depth int) {
	p.closeLeaf()
	for i := len(p.open) - 1; i >= depth; i-- {
		p.open[i] = nil
	}
	p.open = p.open[:depth]
}

func (p *parser) closeLeaf() {
	leaf := p.leaf
	p.leaf = nil
	if leaf != nil && leaf.kind == kindParagraph {
		p.cutDefinitions(leaf)
	}
}

// blocks reads all lines.
func (p *parser) blocks() {
	for p.ln = 0; p.ln < len(p.lines); p.ln++ {
		p.line()
	}
	p.ln = max(0, len(p.lines)-1)
	p.closeTo(0)
}

// line reads one line. A block that spans lines, such as a tag, advances p.ln.
func (p *parser) line() {
	c := p.cursor(p.ln)
	depth := p.match(&c, len(p.open))
	all := depth == len(p.open)
	if p.leaf != nil && (p.leaf.kind == kindCode || p.leaf.kind == kindMath) {
		if all {
			p.fenceLine(&c)
			return
		}
		p.closeTo(depth)
		all = true
	}
	if c.blank() {
		if !all {
			p.closeTo(depth)
		} else {
			p.closeLeaf()
		}
		p.reachQuotes(c.end)
		return
	}
	p.starts(&c, depth, all)
}

// reachQuotes handles a line that consists only of the prefixes of quotes. For the innermost quote and the containers
// around it, such a line is not blank, so they are extended to its end.
func (p *parser) reachQuotes(end int) {
	last := len(p.open) - 1
	for last >= 0 && p.open[last].kind != kindQuote {
		last--
	}
	for _, b := range p.open[:last+1] {
		b.end, b.endLine = end, p.ln
	}
}

// starts opens the containers and the leaf that begin on the line. What remains of the line is text.
func (p *parser) starts(c *cursor, depth int, all bool) {
	fresh := false // a container began on this line
	for !c.blank() {
		interrupts := all && !fresh && p.leaf != nil && p.leaf.kind == kindParagraph
		if interrupts && (p.setext(c) || p.tableStart(c)) {
			return
		}
		if p.leafStart(c, depth) {
			return
		}
		if !p.containerStart(c, depth, interrupts) {
			break
		}
		depth, all, fresh = len(p.open), true, true
	}
	if c.blank() {
		p.reach(c.end)
		return
	}
	if p.leaf != nil && !fresh {
		if p.leaf.kind == kindParagraph || all && p.leaf.kind == kindTable {
			p.text(c)
			return
		}
	}
	p.closeTo(depth)
	p.leaf = p.add(p.newBlock(kindParagraph, c.ns))
	p.leaf.from = len(p.pieces)
	c.eat(c.indent())
	p.text(c)
}

// text adds the rest of the line to the open leaf.
func (p *parser) text(c *cursor) {
	p.pieces = append(p.pieces, piece{c.pos, c.end, 0})
	p.leaf.to = len(p.pieces)
	p.reach(c.end)
}
