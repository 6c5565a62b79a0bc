package expand

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// written returns a value as text that includes its types.
func written(v ast.Value) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case []ast.Value:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = written(v[i])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *ast.Object:
		parts := make([]string, len(v.Keys))
		for i, k := range v.Keys {
			parts[i] = fmt.Sprintf("%q: %s", k, written(v.Values[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case ast.Nodes:
		return "content(" + writtenNodes(v) + ")"
	}
	return ast.String(v)
}

func writtenNodes(nodes []ast.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(n.Value)
		case *ast.Element:
			b.WriteString("<" + n.Name)
			for _, p := range slices.SortedFunc(slices.Values(n.Props),
				func(a, b ast.Prop) int { return strings.Compare(a.Name, b.Name) }) {
				if p.Value != ast.Value(ast.Undefined{}) { // equals a missing prop
					b.WriteString(" " + p.Name + "=" + written(p.Value))
				}
			}
			b.WriteString(">" + writtenNodes(n.Children) + "</" + n.Name + ">")
		default:
			fmt.Fprintf(&b, "%T", n)
		}
	}
	return b.String()
}
