package expr

import (
	"fmt"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// closure is a function argument together with the parameters in scope.
type closure struct {
	fn  *arrowNode
	env *env
}

// builtin is a global function that is used as an argument: list.filter(Boolean).
type builtin string

func (m *machine) call(n *callNode, e *env) (ast.Value, error) {
	switch callee := n.callee.(type) {
	case *nameNode:
		if m.global(callee.name, e) {
			args, err := m.arguments(n.args, e)
			if err != nil {
				return nil, err
			}
			return m.convert(callee.name, args)
		}
	case *memberNode:
		return m.method(n, callee, e)
	}
	fn, err := m.eval(n.callee, e)
	if err != nil {
		return nil, err
	}
	if n.optional && nullish(fn) {
		return nil, errShort
	}
	if _, err := m.items(n.args, e); err != nil {
		return nil, err
	}
	return nil, notFunction(fn, n.at(), "this")
}

// notFunction returns a beyond error if the value may be a function, and an EvalError otherwise.
func notFunction(v ast.Value, at int, what string) error {
	switch v.(type) {
	case ast.Opaque, *closure, builtin:
		return beyond("call")
	}
	return &EvalError{at, what + " is not a function"}
}

// arguments evaluates arguments. A bare name of a global function becomes a builtin.
func (m *machine) arguments(items []item, e *env) ([]ast.Value, error) {
	if len(items) == 1 && !items[0].spread {
		if name, ok := items[0].value.(*nameNode); ok && m.global(name.name, e) && isConversion(name.name) {
			return []ast.Value{builtin(name.name)}, nil
		}
	}
	return m.items(items, e)
}

func (m *machine) method(n *callNode, callee *memberNode, e *env) (ast.Value, error) {
	if name, ok := callee.object.(*nameNode); ok && callee.key == nil && m.global(name.name, e) {
		args, err := m.arguments(n.args, e)
		if err != nil {
			return nil, err
		}
		return m.static(name.name+"."+callee.name, args, n.at())
	}
	object, err := m.eval(callee.object, e)
	if err != nil {
		return nil, err
	}
	if callee.optional && nullish(object) {
		return nil, errShort
	}
	key, err := m.key(callee, e)
	if err != nil {
		return nil, err
	}
	if nullish(object) {
		_, err := m.property(object, key, callee.at())
		return nil, err
	}
	if o, ok := object.(*ast.Object); ok {
		if v, own := o.Values[key]; own && n.optional && nullish(v) {
			return nil, errShort
		}
	}
	args, err := m.arguments(n.args, e)
	if err != nil {
		return nil, err
	}
	switch o := object.(type) {
	case string:
		return m.stringMethod(o, key, args, n)
	case []ast.Value:
		return m.arrayMethod(o, key, args, n)
	case float64:
		return m.numberMethod(o, key, args, n)
	}
	v, err := m.property(object, key, callee.at())
	if err != nil {
		return nil, err
	}
	return m.callValue(v, n, key)
}

// callValue handles calls of values that are not functions of this package.
func (m *machine) callValue(v ast.Value, n *callNode, key string) (ast.Value, error) {
	if n.optional && nullish(v) {
		return nil, errShort
	}
	return nil, notFunction(v, n.at(), key)
}

// unknown handles a method that is not implemented. It returns a beyond error if JavaScript has the method.
func (m *machine) unknown(object ast.Value, key string, n *callNode) (ast.Value, error) {
	v, err := m.property(object, key, n.at())
	if err != nil {
		return nil, err
	}
	return m.callValue(v, n, key)
}

// apply calls a callback with an element of an array.
func (m *machine) apply(fn ast.Value, list []ast.Value, i int) (ast.Value, error) {
	switch fn := fn.(type) {
	case builtin:
		return m.convert(string(fn), list[i:i+1])
	case *closure:
		local := &env{outer: fn.env}
		given := [3]ast.Value{list[i], float64(i), list}
		for k, p := range fn.fn.params {
			var v ast.Value = ast.Undefined{}
			if k < len(given) {
				v = given[k]
			}
			if err := m.bind(local, p, v); err != nil {
				return nil, err
			}
		}
		return m.eval(fn.fn.body, local)
	}
	return nil, notFunction(fn, 0, fmt.Sprint(ast.String(fn)))
}

// argument returns the i-th argument, or undefined.
func argument(args []ast.Value, i int) ast.Value {
	if i < len(args) {
		return args[i]
	}
	return ast.Undefined{}
}

// integer converts an argument to a whole number, clamped to the range of int. It returns missing if the argument
// is undefined.
func (m *machine) integer(args []ast.Value, i, missing int) (int, error) {
	v := argument(args, i)
	if _, ok := v.(ast.Undefined); ok {
		return missing, nil
	}
	f, err := m.toNumber(v)
	if err != nil {
		return 0, err
	}
	switch {
	case f != f:
		return 0, nil
	case f > 1<<52:
		return 1 << 52, nil
	case f < -1<<52:
		return -1 << 52, nil
	}
	return int(f), nil
}

// bounds evaluates the arguments of slice for a value of the given length.
func (m *machine) bounds(args []ast.Value, length int) (from, to int, err error) {
	if from, err = m.integer(args, 0, 0); err != nil {
		return 0, 0, err
	}
	if to, err = m.integer(args, 1, length); err != nil {
		return 0, 0, err
	}
	clamp := func(i int) int {
		if i < 0 {
			return max(0, length+i)
		}
		return min(i, length)
	}
	from, to = clamp(from), clamp(to)
	return from, max(from, to), nil
}
