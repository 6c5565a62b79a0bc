package write

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxTable is the maximum width, in columns, of tables that are aligned. Wider tables would be unreadable.
const maxTable = 160

// tables aligns the columns of tables.
func tables(p page) (out []group) {
	ast.Walk(p.root.Children, func(n ast.Node) bool {
		if t, ok := n.(*ast.Table); ok {
			if g := alignTable(p.body, t); len(g) > 0 {
				out = append(out, g)
			}
			return false
		}
		return true
	})
	return out
}

// alignTable rewrites every row. It changes nothing if a row contains source that the table does not show.
func alignTable(body []byte, t *ast.Table) group {
	widths := make([]int, len(t.Align))
	rows := make([][]string, 0, len(t.Children))
	for _, n := range t.Children {
		r, ok := n.(*ast.Row)
		if !ok {
			return nil
		}
		cells, ok := rowCells(body, r)
		if !ok || len(cells) != len(widths) {
			return nil
		}
		for i, c := range cells {
			widths[i] = max(widths[i], 3, width(c))
		}
		rows = append(rows, cells)
	}
	total := 1
	for _, w := range widths {
		total += w + 3
	}
	if len(rows) == 0 || total > maxTable {
		return nil
	}
	start, end, ok := delimiterRow(body, t.Children[0].Place(), t.End)
	if !ok {
		return nil
	}
	var g group
	change := func(from, to int, text string) {
		if string(body[from:to]) != text {
			g = append(g, replace(from, to, text))
		}
	}
	for i, n := range t.Children {
		s := n.Place()
		change(s.Start, s.End, writeRow(rows[i], widths, t.Align))
	}
	change(start, end, delimiters(widths, t.Align))
	return g
}

// rowCells returns the sources of the cells. It returns false if the row contains anything other than cells and
// bars.
func rowCells(body []byte, r *ast.Row) ([]string, bool) {
	var cells []string
	at := r.Start
	for _, n := range r.Children {
		s := n.Place()
		if s.Start == s.End { // a cell that is empty or missing
			cells = append(cells, "")
			continue
		}
		if s.Start < at || s.End > r.End || len(bytes.Trim(body[at:s.Start], "| \t")) > 0 {
			return nil, false
		}
		cells = append(cells, string(body[s.Start:s.End]))
		at = s.End
	}
	return cells, len(bytes.Trim(body[at:r.End], "| \t")) == 0 && bytes.Count(body[r.Start:r.End], []byte{'|'}) > 0
}

// delimiterRow finds the line of dashes below the head. It skips tables whose lines have a prefix other than space.
func delimiterRow(body []byte, head ast.Span, limit int) (start, end int, ok bool) {
	lineStart := bytes.LastIndexByte(body[:head.Start], '\n') + 1
	newline := bytes.IndexByte(body[head.End:limit], '\n')
	if newline < 0 || len(bytes.TrimSpace(body[lineStart:head.Start])) > 0 ||
		len(bytes.TrimSpace(body[head.End:head.End+newline])) > 0 {
		return 0, 0, false
	}
	start = head.End + newline + 1
	end = limit
	if i := bytes.IndexByte(body[start:limit], '\n'); i >= 0 {
		end = start + i
	}
	line := body[start:end]
	start += len(line) - len(bytes.TrimLeft(line, " \t"))
	end = start + len(bytes.TrimSpace(line))
	return start, end, end > start && len(bytes.Trim(body[start:end], "|:- \t")) == 0
}

func writeRow(cells []string, widths []int, align []ast.Align) string {
	var b strings.Builder
	for i, c := range cells {
		pad := widths[i] - width(c)
		left := 0
		switch align[i] {
		case ast.AlignRight:
			left = pad
		case ast.AlignCenter:
			left = pad / 2
		}
		b.WriteString("| " + strings.Repeat(" ", left) + c + strings.Repeat(" ", pad-left) + " ")
	}
	return b.String() + "|"
}

func delimiters(widths []int, align []ast.Align) string {
	var b strings.Builder
	for i, w := range widths {
		line := []byte(strings.Repeat("-", w))
		if align[i] == ast.AlignLeft || align[i] == ast.AlignCenter {
			line[0] = ':'
		}
		if align[i] == ast.AlignRight || align[i] == ast.AlignCenter {
			line[w-1] = ':'
		}
		b.WriteString("| " + string(line) + " ")
	}
	return b.String() + "|"
}

// width returns the number of columns that s takes in an editor: East Asian characters and emoji take two, combining
// marks none.
func width(s string) (n int) {
	last := 0
	for _, r := range s {
		switch {
		case r == 0xfe0f: // turns the preceding character into an emoji
			n += 2 - last
			last = 2
			continue
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
			continue
		case unicode.Is(wide, r):
			last = 2
		default:
			last = 1
		}
		n += last
	}
	return n
}

// wide contains the characters that take two columns.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x231a, 0x231b, 1}, {0x23e9, 0x23ec, 1}, {0x23f0, 0x23f3, 3}, {0x25fd, 0x25fe, 1},
		{0x2614, 0x2615, 1},
		{0x2648, 0x2653, 1}, {0x267f, 0x2693, 0x14}, {0x26a1, 0x26aa, 9}, {0x26ab, 0x26bd, 0x12}, {0x26be, 0x26c4, 6},
		{0x26c5, 0x26ce, 9},
		{0x26d4, 0x26ea, 0x16}, {0x26f2, 0x26f3, 1}, {0x26f5, 0x26fa, 5}, {0x26fd, 0x2705, 8}, {0x270a, 0x270b, 1},
		{0x2728, 0x274c, 0x24},
		{0x274e, 0x2753, 5}, {0x2754, 0x2755, 1}, {0x2757, 0x2795, 0x3e}, {0x2796, 0x2797, 1}, {0x27b0, 0x27bf, 0xf},
		{0x2b1b, 0x2b1c, 1},
		{0x2b50, 0x2b55, 5}, {0x2e80, 0x303e, 1}, {0x3041, 0xa4cf, 1}, {0xa960, 0xa97c, 1}, {0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1},
		{0xfe10, 0xfe19, 1}, {0xfe30, 0xfe6f, 1}, {0xff01, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x1f004, 0x1f0cf, 0xcb}, {0x1f18e, 0x1f18e, 1}, {0x1f191, 0x1f19a, 1}, {0x1f200, 0x1f320, 1},
		{0x1f32d, 0x1f335, 1},
		{0x1f337, 0x1f37c, 1}, {0x1f37e, 0x1f393, 1}, {0x1f3a0, 0x1f3ca, 1}, {0x1f3cf, 0x1f3d3, 1},
		{0x1f3e0, 0x1f3f0, 1},
		{0x1f3f4, 0x1f3f8, 4}, {0x1f3f9, 0x1f43e, 1}, {0x1f440, 0x1f440, 1}, {0x1f442, 0x1f4fc, 1},
		{0x1f4ff, 0x1f53d, 1},
		{0x1f54b, 0x1f54e, 1}, {0x1f550, 0x1f567, 1}, {0x1f57a, 0x1f57a, 1}, {0x1f595, 0x1f596, 1},
		{0x1f5a4, 0x1f5a4, 1},
		{0x1f5fb, 0x1f64f, 1}, {0x1f680, 0x1f6c5, 1}, {0x1f6cc, 0x1f6cc, 1}, {0x1f6d0, 0x1f6d2, 1},
		{0x1f6d5, 0x1f6d7, 1},
		{0x1f6dc, 0x1f6df, 1}, {0x1f6eb, 0x1f6ec, 1}, {0x1f6f4, 0x1f6fc, 1}, {0x1f7e0, 0x1f7eb, 1},
		{0x1f7f0, 0x1f7f0, 1},
		{0x1f90c, 0x1f93a, 1}, {0x1f93c, 0x1f945, 1}, {0x1f947, 0x1f9ff, 1}, {0x1fa70, 0x1faff, 1},
		{0x20000, 0x3fffd, 1},
	},
}
