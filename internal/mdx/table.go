package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// tableStart turns the last line of the open paragraph into a table head if this line is a delimiter row with the
// same number of columns.
func (p *parser) tableStart(c *cursor) bool {
	row := c.src[c.ns:c.end]
	if !strings.ContainsAny(row, "|:") || strings.IndexByte(row, '-') < 0 || strings.Trim(row, "|:- \t") != "" {
		return false
	}
	align := delimiterRow(row)
	leaf := p.leaf
	head := p.pieces[leaf.to-1]
	if align == nil || len(cells(p.src[head.start:head.end])) != len(align) {
		return false
	}
	b := leaf
	if leaf.to-leaf.from > 1 {
		leaf.to--
		leaf.end = p.pieces[leaf.to-1].end
		leaf.endLine = p.ln - 2
		p.closeLeaf()
		b = p.add(p.newBlock(kindTable, head.start+leadingSpace(p.src[head.start:head.end])))
		b.startLine = p.ln - 1
		// The head becomes a new piece, because closeLeaf may have moved the pieces of the paragraph.
		b.from = len(p.pieces)
		p.pieces = append(p.pieces, head)
		b.to = len(p.pieces)
	}
	b.kind, b.align = kindTable, align
	p.leaf = b
	p.reach(c.end)
	return true
}

// delimiterRow parses a row such as :--|--: and returns the alignment of each column, or nil if it is not a
// delimiter row.
func delimiterRow(row string) []int8 {
	var align []int8
	for _, cell := range cells(row) {
		s := strings.Trim(row[cell.start:cell.end], " \t")
		left, right := strings.HasPrefix(s, ":"), len(s) > 1 && strings.HasSuffix(s, ":")
		dashes := strings.TrimSuffix(strings.TrimPrefix(s, ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return nil
		}
		switch {
		case left && right:
			align = append(align, int8(ast.AlignCenter))
		case left:
			align = append(align, int8(ast.AlignLeft))
		case right:
			align = append(align, int8(ast.AlignRight))
		default:
			align = append(align, int8(ast.AlignNone))
		}
	}
	return align
}

// cells splits a row at pipes that are not escaped. The first and the last pipe are optional. Offsets are relative
// to the start of the row.
func cells(row string) []line {
	from, to := leadingSpace(row), len(strings.TrimRight(row, " \t"))
	if from < to && row[from] == '|' {
		from++
	}
	out := make([]line, 0, 1+strings.Count(row, "|"))
	start := from
	for i := from; i < to; i++ {
		switch row[i] {
		case '\\':
			i++
		case '|':
			out = append(out, line{start, i})
			start = i + 1
		}
	}
	if start < to {
		out = append(out, line{start, to})
	}
	return out
}

// maxPadding limits the number of empty cells that are added on a page. Without it, a short source with many columns
// and many rows would produce a huge table.
const maxPadding = 200_000

// table builds the rows of a table.
func (p *parser) table(b *block) *ast.Table {
	t := &ast.Table{Span: ast.Span{Start: b.start, End: b.end}}
	t.Align = make([]ast.Align, len(b.align))
	for i, a := range b.align {
		t.Align[i] = ast.Align(a)
	}
	t.Children = make(ast.Children, 0, b.to-b.from)
	for _, l := range p.pieces[b.from:b.to] {
		t.Children = append(t.Children, p.row(l, len(b.align)))
	}
	return t
}

func (p *parser) row(l piece, columns int) *ast.Row {
	source := p.src[l.start:l.end]
	from := l.start + leadingSpace(source)
	to := l.start + len(strings.TrimRight(source, " \t"))
	found := cells(source)
	row := &ast.Row{Span: ast.Span{Start: from, End: to},
		Children: make(ast.Children, 0, min(columns, len(found)+p.padded))}
	for _, span := range found {
		if len(row.Children) == columns {
			break
		}
		s := source[span.start:span.end]
		at := l.start + span.start + leadingSpace(s)
		s = strings.Trim(s, " \t")
		cell := &ast.Cell{Span: ast.Span{Start: at, End: at + len(s)}}
		in := inline{p: p, cell: true, where: "the table cell", t: text{s: s, base: at}}
		cell.Children = in.parse()
		row.Children = append(row.Children, cell)
	}
	for ; len(row.Children) < columns && p.padded > 0; p.padded-- {
		row.Children = append(row.Children, &ast.Cell{Span: ast.Span{Start: to, End: to}})
	}
	return row
}
