package markdown

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// blocks writes content: blocks in order, and runs of inline content as paragraphs. Inline content on separate
// lines of the source becomes separate paragraphs.
func (w *writer) blocks(nodes []ast.Node) {
	w.content(nodes, func(a, b ast.Node) bool { return a.Place().End < b.Place().Start })
}

// joined puts all inline content into one paragraph.
func joined(ast.Node, ast.Node) bool { return false }

func (w *writer) content(nodes []ast.Node, apart func(a, b ast.Node) bool) {
	if w.depth >= maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	for i := 0; i < len(nodes); {
		if !w.spend() {
			return
		}
		if w.isBlock(nodes[i], 0) {
			w.block(nodes[i])
			i++
			continue
		}
		end := i + 1
		for end < len(nodes) && !apart(nodes[end-1], nodes[end]) && !w.isBlock(nodes[end], 0) {
			end++
		}
		w.paragraph(w.inline(nodes[i:end], style{}))
		i = end
	}
}

// block writes one block.
func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		w.content(n.Children, joined)
	case *ast.Heading:
		w.heading(max(2, n.Level), w.inline(n.Children, style{flat: true}))
	case *ast.Code:
		w.fence(n.Lang+" "+n.Meta, n.Text)
	case *ast.List:
		w.list(n)
	case *ast.Quote:
		w.within("> ", "> ", func() { w.blocks(n.Children) })
	case *ast.Table:
		w.table(n)
	case *ast.Rule:
		w.begin()
		w.line("---")
	case *ast.Math:
		w.math(n.Text)
	case *ast.Footnote:
		w.noted = append(w.noted, note{w.noteLabel(n.Number), n})
	case *ast.Element:
		w.element(n)
	case *ast.Included:
		w.included(n, func() { w.blocks(n.Children) })
	case *ast.Island:
		w.island(n, func() { w.blocks(n.Children) })
	case *ast.Slot:
		w.slot(n, w.blocks)
	case *ast.Personal: // the content for an unknown reader
		w.blocks(n.Children)
	case ast.Parent:
		w.blocks(*n.List())
	}
}

// included writes content from another file. Each file has its own footnote numbers.
func (w *writer) included(_ *ast.Included, body func()) {
	before := w.scope
	w.files++
	w.scope = w.files
	body()
	w.scope = before
}

// island writes the server's output of a client component.
func (w *writer) island(n *ast.Island, body func()) {
	before := w.slots
	w.slots = n.Slots
	body()
	w.slots = before
}

// slot writes content that was passed to the enclosing island. The content belongs to the page: only islands inside it
// may contain slots.
func (w *writer) slot(n *ast.Slot, write func([]ast.Node)) {
	nodes := n.Nodes
	if n.Name == "" {
		if n.Index < 0 || n.Index >= len(w.slots) {
			return
		}
		nodes = w.slots[n.Index]
	}
	before := w.slots
	w.slots = nil
	write(nodes)
	w.slots = before
}

func (w *writer) list(n *ast.List) {
	next := func(number int) string { return "- " }
	after := dashes
	switch {
	case n.Ordered && w.prev == dots:
		next, after = func(number int) string { return strconv.Itoa(number) + ") " }, parens
	case n.Ordered:
		next, after = func(number int) string { return strconv.Itoa(number) + ". " }, dots
	case w.prev == dashes || w.prev == entries: // without a separator, a second list would continue the first one
		next, after = func(int) string { return "* " }, stars
	}
	number, begun := max(0, n.Start), false
	for _, c := range n.Children {
		item, ok := c.(*ast.Item)
		if !ok || !w.spend() {
			continue
		}
		w.item(next(min(number, 999_999_999)), n.Tight && begun, func() { w.itemBody(item) })
		number++
		begun = true
	}
	w.prev = after
}

func (w *writer) itemBody(item *ast.Item) {
	box := [...]string{ast.NoTask: "", ast.TaskOpen: "[ ] ", ast.TaskDone: "[x] "}[item.Task]
	if box == "" {
		w.blocks(item.Children)
		return
	}
	children := item.Children
	if len(children) > 0 {
		if p, ok := children[0].(*ast.Paragraph); ok {
			w.begin()
			w.line(box + oneLine(w.inline(p.Children, style{flat: true})))
			w.blocks(children[1:])
			return
		}
	}
	w.blocks(children)
}

// table writes a GFM table.
func (w *writer) table(n *ast.Table) {
	var rows [][]string
	columns := len(n.Align)
	for _, c := range n.Children {
		row, ok := c.(*ast.Row)
		if !ok {
			continue
		}
		var cells []string
		for _, c := range row.Children {
			if cell, ok := c.(*ast.Cell); ok && w.spend() {
				cells = append(cells, w.cell(cell.Children))
			}
		}
		columns = max(columns, len(cells))
		rows = append(rows, cells)
	}
	w.grid(rows, columns, n.Align)
}

func (w *writer) cell(nodes []ast.Node) string {
	return oneLine(w.inline(nodes, style{flat: true, cell: true}))
}

// grid writes rows. The first one is the head.
func (w *writer) grid(rows [][]string, columns int, align []ast.Align) {
	if len(rows) == 0 || columns == 0 {
		return
	}
	w.begin()
	for i, row := range rows {
		if w.out.Len() >= maxBytes {
			return
		}
		w.line("| " + strings.Join(row, " | ") + strings.Repeat(" | ", min(columns-len(row), maxPadding)) + " |")
		if i > 0 {
			continue
		}
		rule := "|"
		for c := range columns {
			mark := " --- |"
			if c < len(align) {
				mark = [...]string{ast.AlignNone: " --- |", ast.AlignLeft: " :--- |", ast.AlignCenter: " :---: |",
					ast.AlignRight: " ---: |"}[align[c]]
			}
			rule += mark
		}
		w.line(rule)
	}
}

// maxPadding limits the empty cells that are added to a short row. Markdown parsers add the others themselves.
const maxPadding = 32

// math writes a formula as a block.
func (w *writer) math(tex string) {
	if tex = strings.Trim(tex, "\n"); strings.TrimSpace(tex) == "" {
		return
	}
	fence := strings.Repeat("$", max(2, longest(tex, '$')+1))
	w.begin()
	w.line(fence)
	w.lines(tex)
	w.line(fence)
}

// noteLabel returns the label of a footnote.
func (w *writer) noteLabel(number int) string {
	label := strconv.Itoa(number)
	if w.scope > 0 {
		label = strconv.Itoa(w.scope) + "-" + label
	}
	return label
}

// notes writes the footnotes that were referenced.
func (w *writer) notes() {
	for i := 0; i < len(w.noted); i++ { // a footnote may refer to others
		n := w.noted[i]
		w.within("[^"+n.label+"]: ", "    ", func() { w.blocks(n.body.Children) })
	}
}
