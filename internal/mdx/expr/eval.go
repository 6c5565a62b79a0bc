package expr

import (
	"errors"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Limits of one evaluation. They are far above what pages need, but low enough to protect the server.
const (
	maxSteps     = 1_000_000 // nodes evaluated
	maxEvalDepth = 5_000
	maxBytes     = 16 << 20 // of all strings and lists created during evaluation
	bytesPerStep = 64       // number of bytes of strings that an operation may read in one step
)

// Scope returns the values of names.
type Scope interface {
	Lookup(name string) (ast.Value, bool)
}

// errShort means that an optional chain ended early.
var errShort = errors.New("optional chain ended")

func errTooLarge(at int) error {
	return &EvalError{at, "the result is too large"}
}

// machine holds the state of one evaluation.
type machine struct {
	x     *Expr
	scope Scope
	steps int
	depth int
	bytes int
}

// env holds the parameters of a function call.
type env struct {
	names  []string
	values []ast.Value
	outer  *env
}

func (e *env) set(name string, v ast.Value) {
	e.names, e.values = append(e.names, name), append(e.values, v)
}

func (e *env) lookup(name string) (ast.Value, bool) {
	for ; e != nil; e = e.outer {
		for i := len(e.names) - 1; i >= 0; i-- {
			if e.names[i] == name {
				return e.values[i], true
			}
		}
	}
	return nil, false
}

// Eval evaluates the expression. An empty expression is Undefined. A nil scope has no names. An error is a
// *NameError, an *EvalError, or wraps ErrBeyond if evaluation finds that a JavaScript engine is needed.
//
// JSX evaluates to Nodes that belong to the caller. Its attributes and nested expressions stay unevaluated (Attrs,
// Expr), except inside functions. There, Props are set, Attrs is nil, and values have been converted to nodes.
func (x *Expr) Eval(scope Scope) (ast.Value, error) {
	if x.root == nil {
		return ast.Undefined{}, nil
	}
	m := &machine{x: x, scope: scope}
	return m.eval(x.root, nil)
}

func (m *machine) eval(n node, e *env) (ast.Value, error) {
	m.depth++
	defer func() { m.depth-- }()
	if err := m.work(n.at(), 1); err != nil {
		return nil, err
	}
	if m.depth > maxEvalDepth {
		return nil, &EvalError{n.at(), "the expression is nested too deeply"}
	}
	switch n := n.(type) {
	case *literalNode:
		return n.value, nil
	case *nameNode:
		return m.name(n, e)
	case *memberNode:
		return m.member(n, e)
	case *callNode:
		return m.call(n, e)
	case *templateNode:
		return m.template(n, e)
	case *arrayNode:
		list, err := m.items(n.items, e)
		return list, err
	case *objectNode:
		return m.object(n, e)
	case *jsxNode:
		return m.jsx(n, e)
	}
	return m.operation(n, e)
}

// operation evaluates nodes with operands.
func (m *machine) operation(n node, e *env) (ast.Value, error) {
	switch n := n.(type) {
	case *unaryNode:
		return m.unary(n, e)
	case *binaryNode:
		return m.binary(n, e)
	case *logicalNode:
		return m.logical(n, e)
	case *conditionalNode:
		test, err := m.eval(n.test, e)
		if err != nil {
			return nil, err
		}
		if ast.Truthy(test) {
			return m.eval(n.then, e)
		}
		return m.eval(n.other, e)
	case *sequenceNode:
		var last ast.Value
		for _, i := range n.items {
			var err error
			if last, err = m.eval(i, e); err != nil {
				return nil, err
			}
		}
		return last, nil
	case *chainNode:
		v, err := m.eval(n.inner, e)
		if errors.Is(err, errShort) {
			return ast.Undefined{}, nil
		}
		return v, err
	}
	return nil, beyond("function")
}

func (m *machine) name(n *nameNode, e *env) (ast.Value, error) {
	if v, ok := e.lookup(n.name); ok {
		return v, nil
	}
	if m.scope != nil {
		if v, ok := m.scope.Lookup(n.name); ok {
			return v, nil
		}
	}
	if v, ok := constant(n.name); ok {
		return v, nil
	}
	if isGlobal(n.name) || isEngineName(n.name) {
		return nil, beyond(n.name)
	}
	return nil, &NameError{n.name, n.at()}
}

// work counts the steps that a single operation takes.
func (m *machine) work(at, steps int) error {
	if m.steps += steps; m.steps > maxSteps {
		return &EvalError{at, "the expression takes too long"}
	}
	return nil
}

// spend counts the memory that a value takes, in bytes.
func (m *machine) spend(at, bytes int) error {
	m.bytes += bytes
	if bytes > maxBytes || m.bytes > maxBytes {
		return errTooLarge(at)
	}
	return nil
}

// text returns a string that was created during evaluation and counts its memory.
func (m *machine) text(at int, s string) (ast.Value, error) { return s, m.spend(at, len(s)) }

func (m *machine) template(n *templateNode, e *env) (ast.Value, error) {
	out := []byte(n.texts[0])
	for i, part := range n.parts {
		v, err := m.eval(part, e)
		if err != nil {
			return nil, err
		}
		s, err := m.toString(v)
		if err != nil {
			return nil, err
		}
		if len(out)+len(s) > maxBytes {
			return nil, errTooLarge(n.at())
		}
		out = append(append(out, s...), n.texts[i+1]...)
	}
	return m.text(n.at(), string(out))
}

// items evaluates array elements or arguments. Functions among arguments become closures.
func (m *machine) items(items []item, e *env) ([]ast.Value, error) {
	list := make([]ast.Value, 0, len(items))
	for _, it := range items {
		if fn, ok := it.value.(*arrowNode); ok {
			list = append(list, &closure{fn, e})
			continue
		}
		v, err := m.eval(it.value, e)
		if err != nil {
			return nil, err
		}
		if !it.spread {
			list = append(list, v)
			continue
		}
		more, ok := v.([]ast.Value)
		if !ok {
			return nil, beyond("spread of a value that is not an array")
		}
		if err := m.spend(it.value.at(), 16*len(more)); err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, m.spend(0, 16*len(items))
}

func (m *machine) object(n *objectNode, e *env) (ast.Value, error) {
	o := &ast.Object{}
	for _, prop := range n.props {
		key := prop.name
		if prop.key != nil {
			k, err := m.eval(prop.key, e)
			if err != nil {
				return nil, err
			}
			if key, err = m.toString(k); err != nil {
				return nil, err
			}
		}
		v, err := m.eval(prop.value, e)
		if err != nil {
			return nil, err
		}
		if !prop.spread {
			o.Set(key, v)
			continue
		}
		if err := m.spread(o, v, prop.value.at()); err != nil {
			return nil, err
		}
	}
	order(o)
	return o, m.spend(n.at(), 48*len(o.Keys))
}

// spread copies the properties of v.
func (m *machine) spread(o *ast.Object, v ast.Value, at int) error {
	switch v := v.(type) {
	case nil, ast.Undefined, bool, float64:
		return nil
	case *ast.Object:
		for _, k := range v.Keys {
			o.Set(k, v.Values[k])
		}
		return m.spend(at, 48*len(v.Keys))
	}
	return beyond("spread of a value that is not an object")
}
