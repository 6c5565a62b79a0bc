package expr

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func (m *machine) arrayMethod(list []ast.Value, key string, args []ast.Value, n *callNode) (ast.Value, error) {
	m.steps += len(list) / 8
	switch key {
	case "map", "filter", "find", "findIndex", "some", "every":
		return m.iterate(list, key, args, n)
	case "join":
		return m.join(list, args, n.at())
	case "toString":
		return m.join(list, nil, n.at())
	case "slice":
		from, to, err := m.bounds(args, len(list))
		if err != nil {
			return nil, err
		}
		return slices.Clone(list[from:to]), m.spend(n.at(), 16*(to-from))
	case "concat":
		return m.concatLists(list, args, n.at())
	case "includes", "indexOf":
		return m.search(list, key, args)
	case "at":
		i, err := m.integer(args, 0, 0)
		if i < 0 {
			i += len(list)
		}
		if err != nil || i < 0 || i >= len(list) {
			return ast.Undefined{}, err
		}
		return list[i], nil
	}
	return m.unknown(list, key, n)
}

// iterate calls a callback for each element.
func (m *machine) iterate(list []ast.Value, key string, args []ast.Value, n *callNode) (ast.Value, error) {
	fn := argument(args, 0)
	switch fn.(type) {
	case *closure, builtin:
	default:
		return nil, notFunction(fn, n.at(), "the argument of "+key)
	}
	var out []ast.Value
	for i, e := range list {
		v, err := m.apply(fn, list, i)
		if err != nil {
			return nil, err
		}
		switch truthy := ast.Truthy(v); {
		case key == "map":
			out = append(out, v)
		case key == "filter" && truthy:
			out = append(out, e)
		case key == "find" && truthy:
			return e, nil
		case key == "findIndex" && truthy:
			return float64(i), nil
		case key == "some" && truthy, key == "every" && !truthy:
			return key == "some", nil
		}
	}
	switch key {
	case "find":
		return ast.Undefined{}, nil
	case "findIndex":
		return -1.0, nil
	case "some", "every":
		return key == "every", nil
	}
	if out == nil {
		out = []ast.Value{}
	}
	return out, m.spend(n.at(), 16*len(out))
}

func (m *machine) join(list []ast.Value, args []ast.Value, at int) (ast.Value, error) {
	sep := ","
	if v := argument(args, 0); v != (ast.Value(ast.Undefined{})) {
		var err error
		if sep, err = m.toString(v); err != nil {
			return nil, err
		}
	}
	if len(sep)*len(list) > maxBytes {
		return nil, errTooLarge(at)
	}
	s, err := m.joinValues(list, sep)
	if err != nil {
		return nil, err
	}
	return m.text(at, s)
}

func (m *machine) concatLists(list []ast.Value, args []ast.Value, at int) (ast.Value, error) {
	out := slices.Clone(list)
	for _, a := range args {
		switch a := a.(type) {
		case []ast.Value:
			out = append(out, a...)
		case *closure, builtin:
			return nil, beyond("function in a list")
		default:
			out = append(out, a)
		}
		if err := m.spend(at, 16*len(out)); err != nil {
			return nil, err
		}
	}
	if out == nil {
		out = []ast.Value{}
	}
	return out, nil
}

func (m *machine) search(list []ast.Value, key string, args []ast.Value) (ast.Value, error) {
	if len(args) > 1 {
		return nil, beyond(key + " from a position")
	}
	want := argument(args, 0)
	for i, e := range list {
		f, number := e.(float64)
		g, both := want.(float64)
		ok := number && both && f != f && g != g && key == "includes" // only includes finds NaN
		if !ok {
			var err error
			if ok, err = same(e, want); err != nil {
				return nil, err
			}
		}
		if ok {
			if key == "includes" {
				return true, nil
			}
			return float64(i), nil
		}
	}
	if key == "includes" {
		return false, nil
	}
	return -1.0, nil
}
