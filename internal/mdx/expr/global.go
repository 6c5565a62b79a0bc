package expr

import (
	"math"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// isGlobal reports whether a name is a JavaScript global that this package implements.
func isGlobal(name string) bool {
	switch name {
	case "undefined", "NaN", "Infinity", "Math", "Object", "JSON", "Array":
		return true
	}
	return isConversion(name)
}

func isConversion(name string) bool { return name == "String" || name == "Number" || name == "Boolean" }

// constant returns the value of a global constant.
func constant(name string) (ast.Value, bool) {
	switch name {
	case "undefined":
		return ast.Undefined{}, true
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	}
	return nil, false
}

// global reports whether a name refers to JavaScript's own object because nothing in scope redefines it.
func (m *machine) global(name string, e *env) bool {
	if !isGlobal(name) {
		return false
	}
	if _, value := constant(name); value {
		return false
	}
	if _, local := e.lookup(name); local {
		return false
	}
	if m.scope == nil {
		return true
	}
	_, defined := m.scope.Lookup(name)
	return !defined
}

func globalConstant(object, name string) (ast.Value, bool) {
	switch object + "." + name {
	case "Math.PI":
		return math.Pi, true
	case "Math.E":
		return math.E, true
	case "Number.MAX_SAFE_INTEGER":
		return float64(1<<53 - 1), true
	}
	return nil, false
}

// convert implements String, Number and Boolean.
func (m *machine) convert(name string, args []ast.Value) (ast.Value, error) {
	switch name {
	case "String":
		if len(args) == 0 {
			return "", nil
		}
		s, err := m.toString(args[0])
		if err != nil {
			return nil, err
		}
		return m.text(0, s)
	case "Number":
		if len(args) == 0 {
			return 0.0, nil
		}
		f, err := m.toNumber(args[0])
		return f, err
	case "Boolean":
		return ast.Truthy(argument(args, 0)), nil
	}
	return nil, beyond(name)
}

// static calls a function of a global object, such as Object.keys.
func (m *machine) static(name string, args []ast.Value, at int) (ast.Value, error) {
	first := argument(args, 0)
	switch name {
	case "Array.isArray":
		_, ok := first.([]ast.Value)
		return ok, nil
	case "Object.keys", "Object.values", "Object.entries":
		return m.entries(name, first, at)
	case "JSON.stringify":
		return m.stringify(args, at)
	case "Math.pow":
		x, err := m.toNumber(first)
		if err != nil {
			return nil, err
		}
		y, err := m.toNumber(argument(args, 1))
		if err != nil {
			return nil, err
		}
		return power(x, y)
	}
	fn, ok := strings.CutPrefix(name, "Math.")
	if !ok {
		return nil, beyond(name)
	}
	numbers := make([]float64, len(args))
	for i, a := range args {
		var err error
		if numbers[i], err = m.toNumber(a); err != nil {
			return nil, err
		}
	}
	if v, ok := mathFunction(fn, numbers); ok {
		return v, nil
	}
	return nil, beyond(name)
}

func (m *machine) entries(name string, v ast.Value, at int) (ast.Value, error) {
	o := &ast.Object{}
	switch v := v.(type) {
	case nil, ast.Undefined:
		return nil, &EvalError{at, name + " needs an object"}
	case *ast.Object:
		o = v
	case []ast.Value:
		if err := m.spend(at, 64*len(v)); err != nil {
			return nil, err
		}
		for i, e := range v {
			o.Set(ast.Number(float64(i)), e)
		}
	case bool, float64:
	default:
		return nil, beyond(name)
	}
	list := make([]ast.Value, len(o.Keys))
	for i, k := range o.Keys {
		switch name {
		case "Object.keys":
			list[i] = k
		case "Object.values":
			list[i] = o.Values[k]
		default:
			list[i] = []ast.Value{k, o.Values[k]}
		}
	}
	return list, m.spend(at, 32*len(list))
}
