package mdx

import "github.com/lectern-docs/lectern/internal/mdx/ast"

// cleanNodes replaces the characters that text must not contain in all nodes.
func cleanNodes(nodes []ast.Node) {
	ast.Walk(nodes, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Text:
			n.Value = cleanText(n.Value)
		case *ast.CodeSpan:
			n.Value = cleanText(n.Value)
		case *ast.Code:
			n.Lang, n.Meta, n.Text = cleanText(n.Lang), cleanText(n.Meta), cleanText(n.Text)
		case *ast.Math:
			n.Text = cleanText(n.Text)
		case *ast.Link:
			n.URL, n.Title = cleanText(n.URL), cleanText(n.Title)
		case *ast.Image:
			n.URL, n.Title, n.Alt = cleanText(n.URL), cleanText(n.Title), cleanText(n.Alt)
		case *ast.Heading:
			n.ID = cleanText(n.ID)
		case *ast.Footnote:
			n.Label = cleanText(n.Label)
		case *ast.Expr:
			n.Source = cleanText(n.Source)
		case *ast.ESM:
			n.Source = cleanText(n.Source)
		case *ast.Element:
			n.Name = cleanText(n.Name)
			for i := range n.Attrs {
				n.Attrs[i].Name, n.Attrs[i].Value = cleanText(n.Attrs[i].Name), cleanText(n.Attrs[i].Value)
			}
		}
		return true
	})
}
