package expand

import (
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// evaluateHere evaluates with package expr, including JSX and the expressions in it.
func evaluateHere(source string) (ast.Value, error) {
	x, err := expr.Parse(source)
	if err != nil {
		return nil, err
	}
	v, err := x.Eval(inScope)
	if err != nil {
		return nil, err
	}
	return evaluateInside(v)
}

// evaluateInside evaluates the expressions that JSX outside functions keeps as source.
func evaluateInside(v ast.Value) (ast.Value, error) {
	switch v := v.(type) {
	case []ast.Value:
		out := make([]ast.Value, len(v))
		for i := range v {
			var err error
			if out[i], err = evaluateInside(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *ast.Object:
		out := &ast.Object{}
		for _, k := range v.Keys {
			value, err := evaluateInside(v.Values[k])
			if err != nil {
				return nil, err
			}
			out.Set(k, value)
		}
		return out, nil
	case ast.Nodes:
		return evaluateNodes(v)
	}
	return v, nil
}

func evaluateNodes(nodes []ast.Node) (out ast.Nodes, err error) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Expr:
			v, err := evaluateHere(n.Source)
			if err != nil {
				return nil, err
			}
			if out, err = shown(out, v); err != nil {
				return nil, err
			}
		case *ast.Element:
			e := &ast.Element{Name: n.Name}
			if e.Props, err = evaluateProps(n); err != nil {
				return nil, err
			}
			children, err := evaluateNodes(n.Children)
			if err != nil {
				return nil, err
			}
			e.Children = ast.Children(children)
			out = append(out, e)
		default:
			out = append(out, n)
		}
	}
	return out, nil
}

func evaluateProps(e *ast.Element) ([]ast.Prop, error) {
	o := &ast.Object{}
	for _, p := range e.Props {
		v, err := evaluateInside(p.Value)
		if err != nil {
			return nil, err
		}
		o.Set(p.Name, v)
	}
	for _, a := range e.Attrs {
		var v ast.Value = true
		var err error
		switch a.Kind {
		case ast.AttrString:
			v = a.Value
		case ast.AttrExpr, ast.AttrSpread:
			if v, err = evaluateHere(a.Value); err != nil {
				return nil, err
			}
		}
		if a.Kind != ast.AttrSpread {
			o.Set(a.Name, v)
			continue
		}
		if more, ok := v.(*ast.Object); ok {
			for _, k := range more.Keys {
				o.Set(k, more.Values[k])
			}
		}
	}
	var props []ast.Prop
	for _, k := range o.Keys {
		if k != "key" && k != "ref" && k != "children" {
			props = append(props, ast.Prop{Name: k, Value: o.Values[k]})
		}
	}
	return props, nil
}

// shown appends a value to content.
func shown(out ast.Nodes, v ast.Value) (ast.Nodes, error) {
	switch v := v.(type) {
	case nil, ast.Undefined, bool:
		return out, nil
	case ast.Nodes:
		return append(out, v...), nil
	case []ast.Value:
		var err error
		for _, item := range v {
			if out, err = shown(out, item); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *ast.Object:
		return out, nil // content reports it as a warning
	}
	return append(out, &ast.Text{Value: ast.String(v)}), nil
}
