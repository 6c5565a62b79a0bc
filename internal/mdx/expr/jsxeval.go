package expr

import (
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// jsx creates the nodes of an element. The result of a fragment is its children.
func (m *machine) jsx(n *jsxNode, e *env) (ast.Value, error) {
	children, err := m.jsxChildren(n, e)
	if err != nil {
		return nil, err
	}
	if err := m.spend(n.at(), 128+64*len(n.attrs)); err != nil {
		return nil, err
	}
	if n.name == "" {
		return ast.Nodes(children), nil
	}
	el := &ast.Element{
		Span: ast.Span{Start: m.x.base + n.at(), End: m.x.base + n.end}, Children: children, Name: n.name, Open: n.open,
	}
	if !n.eager {
		for _, a := range n.attrs {
			el.Attrs = append(el.Attrs, a.Attr)
		}
		return ast.Nodes{el}, nil
	}
	for _, a := range n.attrs {
		if err := m.jsxProp(el, a, e); err != nil {
			return nil, err
		}
	}
	return ast.Nodes{el}, nil
}

// jsxProp evaluates an attribute. It drops key, which is only meant for React.
func (m *machine) jsxProp(el *ast.Element, a jsxAttr, e *env) error {
	var v ast.Value = true
	switch a.Kind {
	case ast.AttrString:
		v = a.Value
	case ast.AttrExpr, ast.AttrSpread:
		var err error
		if v, err = m.eval(a.value, e); err != nil {
			return err
		}
	}
	if a.Kind != ast.AttrSpread {
		if a.Name != "key" {
			el.Props = append(el.Props, ast.Prop{Name: a.Name, Value: v, Attr: a.Span})
		}
		return nil
	}
	o := &ast.Object{}
	if err := m.spread(o, v, a.value.at()); err != nil {
		return err
	}
	for _, k := range o.Keys {
		if k == "key" || k == "children" {
			return beyond("spread of " + k)
		}
		el.Props = append(el.Props, ast.Prop{Name: k, Value: o.Values[k], Attr: a.Span})
	}
	return nil
}

func (m *machine) jsxChildren(n *jsxNode, e *env) (out []ast.Node, err error) {
	for _, c := range n.children {
		switch {
		case c.text != "":
			out = append(out, &ast.Text{Span: c.span, Value: c.text})
		case c.braces && !n.eager:
			out = append(out, &ast.Expr{Span: c.span, Source: c.source})
		default:
			v, err := m.eval(c.value, e)
			if err != nil {
				return nil, err
			}
			if out, err = appendNodes(out, v, c.span); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// appendNodes appends a value in the same way as React renders it: nothing for null and booleans, and each element of a
// list. An object is left to the engine, which drops only the object and reports that. Here, the whole expression would
// have to fail.
func appendNodes(out []ast.Node, v ast.Value, span ast.Span) ([]ast.Node, error) {
	switch v := v.(type) {
	case nil, ast.Undefined, bool:
		return out, nil
	case string:
		if v == "" {
			return out, nil
		}
		return append(out, &ast.Text{Span: span, Value: v}), nil
	case float64:
		return append(out, &ast.Text{Span: span, Value: ast.Number(v)}), nil
	case ast.Nodes:
		return append(out, v...), nil
	case []ast.Value:
		var err error
		for _, e := range v {
			if out, err = appendNodes(out, e, span); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *ast.Object:
		return nil, beyond("object as content")
	}
	return nil, beyond("value that only JavaScript holds")
}
