package conformance

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// printTree writes one line for each node: its kind, its values, and the source range that it covers.
func printTree(src string, nodes []ast.Node) string {
	var b strings.Builder
	writeNodes(&b, src, nodes, 0)
	return b.String()
}

func writeNodes(b *strings.Builder, src string, nodes []ast.Node, depth int) {
	for _, n := range nodes {
		s := n.Place()
		fmt.Fprintf(b, "%s%s @%d-%d\n", strings.Repeat("  ", depth), describe(n), s.Start, s.End)
		if p, ok := n.(ast.Parent); ok {
			writeNodes(b, src, *p.List(), depth+1)
		}
	}
}

func describe(n ast.Node) string {
	q := strconv.Quote
	switch n := n.(type) {
	case *ast.Paragraph:
		return "paragraph"
	case *ast.Heading:
		return fmt.Sprintf("heading %d id=%s", n.Level, q(n.ID))
	case *ast.Quote:
		return "quote"
	case *ast.List:
		return fmt.Sprintf("list ordered=%t start=%d tight=%t", n.Ordered, n.Start, n.Tight)
	case *ast.Item:
		return "item" + [...]string{"", " open", " done"}[n.Task]
	case *ast.Code:
		return fmt.Sprintf("code lang=%s meta=%s %s", q(n.Lang), q(n.Meta), q(n.Text))
	case *ast.Math:
		return fmt.Sprintf("math block=%t %s", n.Block, q(n.Text))
	case *ast.Rule:
		return "rule"
	case *ast.Table:
		return fmt.Sprintf("table align=%v", n.Align)
	case *ast.Row:
		return "row"
	case *ast.Cell:
		return "cell"
	case *ast.Footnote:
		return fmt.Sprintf("footnote %d label=%s refs=%d", n.Number, q(n.Label), n.Refs)
	case *ast.Element:
		return fmt.Sprintf("element %s flow=%t%s", q(n.Name), n.Flow, attributes(n.Attrs))
	case *ast.Expr:
		return fmt.Sprintf("expression flow=%t %s", n.Flow, q(n.Source))
	case *ast.ESM:
		return "module " + q(n.Source)
	}
	return describeInline(n)
}

func describeInline(n ast.Node) string {
	q := strconv.Quote
	switch n := n.(type) {
	case *ast.Text:
		return "text " + q(n.Value)
	case *ast.Emphasis:
		return "emphasis"
	case *ast.Strong:
		return "strong"
	case *ast.Strike:
		return "strike"
	case *ast.CodeSpan:
		return "codespan " + q(n.Value)
	case *ast.Link:
		return fmt.Sprintf("link %s title=%s auto=%t", q(n.URL), q(n.Title), n.Auto)
	case *ast.Image:
		return fmt.Sprintf("image %s title=%s alt=%s", q(n.URL), q(n.Title), q(n.Alt))
	case *ast.Break:
		return "break"
	case *ast.FootnoteRef:
		return fmt.Sprintf("footnoteref %d nth=%d", n.Number, n.Nth)
	}
	return fmt.Sprintf("%T", n)
}

func attributes(attrs []ast.Attr) string {
	var b strings.Builder
	for _, a := range attrs {
		switch a.Kind {
		case ast.AttrTrue:
			b.WriteString(" " + a.Name)
		case ast.AttrString:
			b.WriteString(" " + a.Name + "=" + strconv.Quote(a.Value))
		case ast.AttrExpr:
			b.WriteString(" " + a.Name + "={" + strconv.Quote(a.Value) + "}")
		case ast.AttrSpread:
			b.WriteString(" {..." + strconv.Quote(a.Value) + "}")
		}
	}
	return b.String()
}
