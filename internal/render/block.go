package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
)

// node writes one node of any kind.
func (p *page) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		p.w.Text(n.Value)
	case *ast.Paragraph:
		p.paragraph(n)
	case *ast.Heading:
		p.heading(n)
	case *ast.Code:
		p.code(n)
	case *ast.Element:
		p.element(n)
	case *ast.List:
		p.listing(n)
	case *ast.Quote:
		p.w.Raw("<blockquote>\n")
		p.Render(n.Children)
		p.w.Raw("</blockquote>\n")
	case *ast.Table:
		p.table(n)
	case *ast.Rule:
		p.w.Raw("<hr>\n")
	case *ast.Math:
		p.math(n)
	case *ast.Footnote:
		p.notes = append(p.notes, n)
	case *ast.Included:
		p.included(n)
	case *ast.Island:
		p.island(n)
	case *ast.Slot:
		p.slot(n)
	case *ast.Personal:
		p.personal(n)
	default:
		p.inline(n)
	}
}

// included writes content from another file. Positions in findings refer to that file.
func (p *page) included(n *ast.Included) {
	before := p.file
	p.file = n.File
	p.Render(n.Children)
	p.file = before
}

var headingTags = [...]string{1: "h1", 2: "h2", 3: "h3", 4: "h4", 5: "h5", 6: "h6"}

// heading writes a heading with its anchor. The title of the page is the only h1, so the highest level here is h2,
// unless the layout shows no title.
func (p *page) heading(n *ast.Heading) {
	level := min(6, max(2, n.Level))
	id, text := p.headingID(n)
	p.checkLevel(level, n.Span)
	p.Outline(level, id, text)
	tag := headingTags[level]
	if n.Level == 1 && p.untitled {
		tag, p.untitled = "h1", false
	}
	p.w.Raw("<")
	p.w.Name(tag)
	p.w.Attr("id", id)
	p.w.Raw(`><a class="anchor"`)
	p.w.Attr("href", "#"+id)
	p.w.Raw(` aria-label="Link to this section" data-platform></a>`)
	p.Render(n.Children)
	p.w.Raw("</")
	p.w.Name(tag)
	p.w.Raw(">\n")
}

// checkLevel reports a heading that skips a level. Screen reader users navigate by headings and would look for the
// missing one. It does not check headings in collapsed parts, which are not part of the outline.
func (p *page) checkLevel(level int, at ast.Span) {
	if p.w.Folded > 0 {
		return
	}
	before := 1 // the page's title
	for _, h := range slices.Backward(p.out.Headings) {
		if !h.Folded {
			before = h.Level
			break
		}
	}
	if level > before+1 {
		p.Warn(at, "heading-skip", fmt.Sprintf("A heading of level %d follows one of level %d.", level, before),
			fmt.Sprintf("Write %s, or add the heading between them.", strings.Repeat("#", before+1)))
	}
}

func (p *page) code(n *ast.Code) {
	block := component.ParseMeta(n.Lang, n.Meta)
	block.Text, block.At = n.Text, n.Span
	component.WriteCode(p.w, block)
	p.w.Raw("\n")
}

func (p *page) listing(n *ast.List) {
	tag := "ul"
	if n.Ordered {
		tag = "ol"
	}
	p.w.Raw("<")
	p.w.Name(tag)
	if n.Ordered && n.Start != 1 {
		p.w.Attr("start", strconv.Itoa(n.Start))
	}
	if hasTasks(n) {
		p.w.Raw(` class="tasks"`)
	}
	p.w.Raw(">\n")
	for _, c := range n.Children {
		if item, ok := c.(*ast.Item); ok {
			p.item(item, n.Tight)
		} else {
			p.node(c)
		}
	}
	p.w.Raw("</")
	p.w.Name(tag)
	p.w.Raw(">\n")
}

func hasTasks(n *ast.List) bool {
	for _, c := range n.Children {
		if item, ok := c.(*ast.Item); ok && item.Task != ast.NoTask {
			return true
		}
	}
	return false
}

// item writes a list item. In a tight list, its paragraphs have no <p>.
func (p *page) item(n *ast.Item, tight bool) {
	p.w.Raw("<li>")
	box := n.Task
	for i, c := range n.Children {
		para, ok := c.(*ast.Paragraph)
		if !ok {
			p.checkbox(&box, n)
			p.node(c)
			continue
		}
		kind := proseOnly
		if !tight {
			kind = p.kindOf(para.Children)
			p.openParagraph(kind)
		}
		p.checkbox(&box, n)
		p.Render(para.Children)
		if !tight {
			p.closeParagraph(kind)
		}
		if !tight || i+1 < len(n.Children) {
			p.w.Raw("\n")
		}
	}
	p.checkbox(&box, n)
	p.w.Raw("</li>\n")
}

// checkbox writes a task's checkbox once. Its label is the item's text, which follows it.
func (p *page) checkbox(box *ast.Task, n *ast.Item) {
	switch *box {
	case ast.TaskOpen:
		p.w.Raw(`<input type="checkbox" disabled`)
	case ast.TaskDone:
		p.w.Raw(`<input type="checkbox" disabled checked`)
	default:
		return
	}
	p.w.Attr("aria-label", clip.Words(collapseSpace(ast.PlainText(n.Children)), 80))
	p.w.Raw("> ")
	*box = ast.NoTask
}

// tableOpen opens the container of a table, which scrolls if the table is wider than the column.
const tableOpen, tableClose = `<div class="table-scroll" data-table-wrapper="true">`, "</div>"

func (p *page) table(n *ast.Table) {
	p.w.Raw(tableOpen, "<table>\n")
	for i, c := range n.Children {
		row, ok := c.(*ast.Row)
		if !ok {
			continue
		}
		switch i {
		case 0:
			p.w.Raw("<thead>\n")
			p.row(row, n.Align, "th")
			p.w.Raw("</thead>\n")
		case 1:
			p.w.Raw("<tbody>\n")
			fallthrough
		default:
			p.row(row, n.Align, "td")
		}
	}
	if len(n.Children) > 1 {
		p.w.Raw("</tbody>\n")
	}
	p.w.Raw("</table>", tableClose, "\n")
}

func (p *page) row(row *ast.Row, align []ast.Align, tag string) {
	p.w.Raw("<tr>")
	for i, c := range row.Children {
		p.w.Raw("<")
		p.w.Name(tag)
		if tag == "th" {
			p.w.Raw(` scope="col"`)
		}
		if i < len(align) {
			p.w.AttrIf("align", [...]string{ast.AlignLeft: "left", ast.AlignCenter: "center",
				ast.AlignRight: "right"}[align[i]])
		}
		p.w.Raw(">")
		if cell, ok := c.(*ast.Cell); ok {
			p.Render(cell.Children)
		}
		p.w.Raw("</")
		p.w.Name(tag)
		p.w.Raw(">")
	}
	p.w.Raw("</tr>\n")
}
