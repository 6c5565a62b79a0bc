package expand

import (
	"encoding/json"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// writeJSX converts a tag back to JSX source. Markdown content becomes slots: the engine knows where such content is,
// but not what it is. Tags and expressions are written out, so that a component can examine its children.
func writeJSX(e *ast.Element) (source string, slots [][]ast.Node) {
	w := &jsxWriter{}
	w.element(e)
	return w.String(), w.slots
}

type jsxWriter struct {
	strings.Builder
	slots [][]ast.Node // by number
}

func (w *jsxWriter) element(e *ast.Element) {
	w.WriteString("<" + e.Name)
	for _, a := range e.Attrs {
		switch a.Kind {
		case ast.AttrTrue:
			w.WriteString(" " + a.Name)
		case ast.AttrString:
			w.WriteString(" " + a.Name + "={" + quote(a.Value) + "}")
		case ast.AttrExpr:
			w.WriteString(" " + a.Name + "={" + a.Value + "\n}") // a trailing comment must not include the brace
		case ast.AttrSpread:
			w.WriteString(" {..." + a.Value + "\n}")
		}
	}
	w.WriteString(">")
	w.children(e.Children)
	w.WriteString("</" + e.Name + ">")
}

func (w *jsxWriter) children(nodes []ast.Node) {
	for i := 0; i < len(nodes); i++ {
		switch n := nodes[i].(type) {
		case *ast.Element:
			w.element(n)
		case *ast.Text:
			w.WriteString("{" + quote(n.Value) + "}")
		case *ast.Expr:
			w.expression(n.Source)
		default:
			start := i
			for i+1 < len(nodes) && isMarkdown(nodes[i+1]) {
				i++
			}
			w.WriteString("{slot(" + ast.Number(float64(len(w.slots))) + ")}")
			w.slots = append(w.slots, nodes[start:i+1])
		}
	}
}

func (w *jsxWriter) expression(source string) {
	if isRunnable(source) {
		w.WriteString("{" + source + "\n}")
	} else if v, ok := expr.Literal(source); ok {
		w.WriteString("{" + quote(ast.String(v)) + "}")
	}
}

func isMarkdown(n ast.Node) bool {
	switch n.(type) {
	case *ast.Element, *ast.Text, *ast.Expr:
		return false
	}
	return true
}

// quote returns a string literal that is valid in JavaScript and JSX.
func quote(s string) string {
	q, _ := json.Marshal(s) // strings can always be encoded
	return string(q)
}
