package expand

import "github.com/lectern-docs/lectern/internal/mdx/ast"

// expander walks the content of one page and replaces the parts that need evaluation. Its fields hold the state of
// the page.
type expander struct {
	evaluator    *evaluator    // expressions and attributes
	scripts      *scripts      // author components
	dependencies *dependencies // snippets
	findings     *findings
	budget       *budget  // counts nodes and snippets
	islands      *islands // components that also run in the browser
}

// nodes expands content. The input is shared with other pages and is not changed; unchanged nodes are reused.
func (x *expander) nodes(s *scope, in []ast.Node) []ast.Node {
	out, changed := in, false
	for i, n := range in {
		got, same := x.node(s, n)
		if same {
			if changed {
				out = append(out, n)
			}
			continue
		}
		if !changed {
			out, changed = append(make([]ast.Node, 0, len(in)+len(got)), in[:i]...), true
		}
		out = append(out, got...)
	}
	return out
}

// node expands one node. If same is true, the node stays unchanged; otherwise the returned nodes replace it.
func (x *expander) node(s *scope, n ast.Node) (instead []ast.Node, same bool) {
	if !x.budget.takeNode(s, n.Place()) {
		return nil, false
	}
	switch n := n.(type) {
	case *ast.ESM:
		return nil, false
	case *ast.Expr:
		return x.expression(s, n), false
	case *ast.Element:
		return x.element(s, n), false
	case ast.Parent:
		before := *n.List()
		after := x.nodes(s, before)
		if len(before) != len(after) || len(before) > 0 && &before[0] != &after[0] {
			return []ast.Node{ast.WithChildren(n, after)}, false
		}
	}
	return nil, true
}

// expression expands {source} in content. If the source is not JavaScript, it becomes text in braces.
func (x *expander) expression(s *scope, e *ast.Expr) []ast.Node {
	if nodes, ok := x.personal(s, e); ok {
		return nodes
	}
	v, ok := x.value(s, source{text: e.Source, at: e.Span, node: e})
	if !ok {
		return []ast.Node{&ast.Text{Span: e.Span, Value: "{" + e.Source + "}"}}
	}
	return x.show(s, e.Span, v)
}

// value evaluates an expression and expands the elements in its value. ok is false if the expression is not JavaScript.
func (x *expander) value(s *scope, src source) (v ast.Value, ok bool) {
	x.warnPersonal(s, src.at, src.text)
	res, ok := x.evaluator.evaluate(s, src)
	if res.call == nil {
		return x.expandValue(s, res.value), ok
	}
	if nodes, isContent := res.value.(ast.Nodes); isContent {
		return ast.Nodes(x.place(s, src.at, *res.call, nodes, res.client)), ok
	}
	return res.value, ok
}

// expandValue expands the elements in a value that was evaluated in this process.
func (x *expander) expandValue(s *scope, v ast.Value) ast.Value {
	switch v := v.(type) {
	case ast.Nodes:
		return ast.Nodes(x.nodes(s, v))
	case []ast.Value:
		out := make([]ast.Value, len(v))
		for i, e := range v {
			out[i] = x.expandValue(s, e)
		}
		return out
	}
	return v
}

// show converts a value to content.
func (x *expander) show(s *scope, at ast.Span, v ast.Value) []ast.Node {
	switch v := v.(type) {
	case nil, ast.Undefined, bool:
	case string:
		return []ast.Node{&ast.Text{Span: at, Value: v}}
	case float64:
		return []ast.Node{&ast.Text{Span: at, Value: ast.Number(v)}}
	case ast.Nodes:
		return v
	case []ast.Value:
		var out []ast.Node
		for _, e := range v {
			if !x.budget.takeNode(s, at) {
				break
			}
			out = append(out, x.show(s, at, e)...)
		}
		return out
	case ast.Opaque:
		x.findings.warn(s, at, "value-not-shown", "Call the function, or use it as a component.",
			"A %s cannot be shown as text.", v.Type)
	default:
		x.findings.warn(s, at, "value-not-shown", "Show one of its fields, or JSON.stringify(it).",
			"An object cannot be shown as text.")
	}
	return nil
}
