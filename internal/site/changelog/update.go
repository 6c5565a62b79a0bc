// Package changelog finds and writes the entries of a changelog page: its Update components.
//
// Inputs: the tree of a page, or what a new entry says.
// Outputs: the components that the page has, in its order, and the source of a new one.
// It never writes files or decides what an entry says.
package changelog

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Updates returns the Update components at the top level of a page, in its order: the newest is usually the first. What
// only looks like one, such as an example in a code block, is none.
func Updates(root *ast.Root) (out []*ast.Element) {
	for _, n := range root.Children {
		if e, ok := n.(*ast.Element); ok && e.Name == "Update" {
			out = append(out, e)
		}
	}
	return out
}

// Update returns the source of an Update component, up to the end of its last line. description may be "". content is
// MDX, without an end of its last line.
func Update(label, description, content string) string {
	open := `<Update label="` + plain(label) + `"`
	if description != "" {
		open += ` description="` + plain(description) + `"`
	}
	return open + ">\n" + content + "\n</Update>\n"
}

// plain keeps a text inside of an attribute's quotes.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`"\{}<>`, r) {
			return -1
		}
		return r
	}, s)
}
