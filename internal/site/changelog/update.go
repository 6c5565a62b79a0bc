// Package changelog finds and writes the entries of a changelog page, which are Update components.
//
// Inputs: the tree of a page, or the content of a new entry. Outputs: the components on the page, in page order, and
// the source of a new entry. It never writes files or decides what an entry contains.
package changelog

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Updates returns the Update components at the top level of a page, in page order; the newest is usually the first. It
// ignores text that only looks like an Update, such as an example in a code block.
func Updates(root *ast.Root) (out []*ast.Element) {
	for _, n := range root.Children {
		if e, ok := n.(*ast.Element); ok && e.Name == "Update" {
			out = append(out, e)
		}
	}
	return out
}

// Update returns the source of an Update component, up to the end of its last line. description may be "". content
// is MDX without a final line break.
func Update(label, description, content string) string {
	open := `<Update label="` + plain(label) + `"`
	if description != "" {
		open += ` description="` + plain(description) + `"`
	}
	return open + ">\n" + content + "\n</Update>\n"
}

// plain removes characters that could end a quoted attribute or have a meaning in MDX.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`"\{}<>`, r) {
			return -1
		}
		return r
	}, s)
}
