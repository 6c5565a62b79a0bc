package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func codeBlockComponent() Component {
	return Component{Name: "CodeBlock", Render: renderCodeBlock, Props: []Prop{
		{Name: "language", Kind: Text}, {Name: "filename", Kind: Text}, {Name: "icon", Kind: Icon},
		{Name: "iconType", Kind: Text},
		{Name: "lines", Kind: Flag}, {Name: "wrap", Kind: Flag}, {Name: "nocopy", Kind: Flag},
		{Name: "expandable", Kind: Flag},
		{Name: "highlight", Kind: Data}, {Name: "focus", Kind: Data}, {Name: "title", Kind: Text},
		{Name: "lang", Kind: Text},
		{Name: "code", Kind: Text}, {Name: "twoslash", Kind: Flag}, {Name: "diff", Kind: Flag},
		{Name: "theme", Ignored: true},
	}}
}

// renderCodeBlock renders its text like a fence. If it contains a fence, its props are added to the meta of that fence.
func renderCodeBlock(w *Writer, e *ast.Element) {
	b := CodeBlock{At: e.Span}
	if fence, ok := ast.Only[*ast.Code](e.Children); ok {
		b = ParseMeta(fence.Lang, fence.Meta)
		b.Text, b.At = fence.Text, fence.Span
	} else {
		b.Text = strings.Trim(blockText(e.Children), "\n")
	}
	if code := e.Str("code"); code != "" && b.Text == "" {
		b.Text = strings.Trim(code, "\n")
	}
	for _, p := range e.Props {
		switch p.Name {
		case "language", "lang":
			if s := ast.String(p.Value); s != "" && e.Str(p.Name) != "" {
				b.Lang = s
			}
		case "filename", "title", "icon":
			if e.Str(p.Name) != "" {
				b.set(p.Name, e.Str(p.Name))
			}
		case "highlight", "focus":
			b.set(p.Name, ast.String(p.Value))
		case "lines", "wrap", "nocopy", "expandable", "twoslash", "diff":
			b.toggle(p.Name, e.Flag(p.Name))
		}
	}
	WriteCode(w, b)
}

// blockText returns the text of nodes with an empty line between blocks and with markers before list items and
// headings. It is close enough to Markdown to be copied into a prompt.
func blockText(nodes []ast.Node) string {
	var b strings.Builder
	writeBlocks(&b, nodes, "")
	return strings.TrimRight(b.String(), "\n ")
}

func writeBlocks(b *strings.Builder, nodes []ast.Node, indent string) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Paragraph:
			writeIndented(b, indent, ast.PlainText(n.Children))
			b.WriteString("\n\n")
		case *ast.Heading:
			b.WriteString(indent + strings.Repeat("#", n.Level) + " " + ast.PlainText(n.Children) + "\n\n")
		case *ast.Code:
			writeIndented(b, indent, "```"+n.Lang+"\n"+n.Text+"\n```")
			b.WriteString("\n\n")
		case *ast.List:
			writeList(b, n, indent)
			b.WriteByte('\n')
		case *ast.Quote:
			writeBlocks(b, n.Children, indent+"> ")
		case *ast.Included:
			writeBlocks(b, n.Children, indent)
		case *ast.Element:
			writeBlocks(b, n.Children, indent)
		case ast.Parent:
			b.WriteString(ast.PlainText([]ast.Node{n}))
		default:
			b.WriteString(ast.PlainText([]ast.Node{n}))
		}
	}
}

func writeList(b *strings.Builder, list *ast.List, indent string) {
	for i, n := range list.Children {
		item, ok := n.(*ast.Item)
		if !ok {
			continue
		}
		mark := "- "
		if list.Ordered {
			mark = ast.Number(float64(list.Start+i)) + ". "
		}
		inner := indent + strings.Repeat(" ", len(mark))
		var text strings.Builder
		writeBlocks(&text, item.Children, inner)
		b.WriteString(indent + mark + strings.TrimPrefix(strings.TrimRight(text.String(), "\n "), inner) + "\n")
	}
}

func writeIndented(b *strings.Builder, indent, text string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(indent + line)
	}
}
