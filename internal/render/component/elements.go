package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// elements finds the direct children of a parent that have one of the given names, in order. It looks into included
// files, fragments and paragraphs that contain only elements, but not into other elements. Use it only to examine
// children: how many there are, or their titles. To write them, render the parent's whole content. This also writes the
// content between the children, and keeps track of the file that a child was included from.
func elements(nodes []ast.Node, names ...string) []*ast.Element {
	var found []*ast.Element
	ast.Walk(nodes, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Included, *ast.Root:
			return true
		case *ast.Paragraph:
			return !hasProse(n.Children)
		case *ast.Element:
			if n.Name == "" {
				return true
			}
			for _, name := range names {
				if n.Name == name {
					found = append(found, n)
				}
			}
		}
		return false
	})
	return found
}

// hasProse reports whether nodes contain anything other than elements and white space.
func hasProse(nodes []ast.Node) bool {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Element, *ast.Expr:
		case *ast.Text:
			if strings.TrimSpace(n.Value) != "" {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// empty reports whether nodes contain only white space.
func empty(nodes []ast.Node) bool {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text:
			if strings.TrimSpace(n.Value) != "" {
				return false
			}
		case *ast.ESM:
		case *ast.Included:
			if !empty(n.Children) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
