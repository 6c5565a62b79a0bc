package expr

import (
	"encoding/json"
	"errors"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Later is an expression that depends on an object that only the reader's browser has. The browser computes Code, which
// is JSON: a scalar is a constant, and a list is the name of an operation followed by its operands. See laterCode.
type Later struct {
	Code  string    // the value, or the condition if Then or Else is set; "" for fixed content
	Value ast.Value // the value of Code for an empty object: a scalar
	// Then and Else are the content that the condition selects from. Both are nil for a value that is shown as
	// text.
	Then, Else *Later
	Nodes      ast.Nodes // fixed content
}

// errNotLater means that browsers cannot compute an expression.
var errNotLater = errors.New("expression cannot be computed in the browser")

// Reads reports whether the expression itself uses a name. Expressions in braces inside JSX are separate expressions.
// They are not included, except inside functions.
func (x *Expr) Reads(name string) bool { return x.root != nil && reads(x.root, name) }

// Later returns the expression for the browser, which has the fields of the object called name. All other names are
// evaluated now, with scope. ok is false if Code cannot express what the expression does with the object.
func (x *Expr) Later(name string, scope Scope) (l *Later, ok bool) {
	b := &laterBuilder{m: &machine{x: x, scope: scope}, name: name}
	l, err := b.content(x.root)
	return l, err == nil
}

type laterBuilder struct {
	m    *machine
	name string
}

// content splits an expression into conditions, text and JSX.
func (b *laterBuilder) content(n node) (*Later, error) {
	if j, ok := n.(*jsxNode); ok && !j.eager {
		v, err := b.m.jsx(j, nil)
		nodes, _ := v.(ast.Nodes)
		return &Later{Nodes: nodes}, err
	}
	if !holdsJSX(n) {
		return b.text(n)
	}
	switch n := n.(type) {
	case *conditionalNode:
		return b.choice(n.test, nil, n.then, n.other)
	case *logicalNode:
		switch n.op {
		case "&&":
			return b.choice(n.left, nil, n.right, nil)
		case "||":
			return b.choice(n.left, nil, n.left, n.right)
		case "??":
			return b.choice(n.left, func(code any) any { return []any{"!", []any{"===", code, nil}} }, n.left, n.right)
		}
	}
	return nil, errNotLater
}

// choice creates content with a condition. A nil branch shows nothing. wrap may be nil.
func (b *laterBuilder) choice(test node, wrap func(code any) any, then, other node) (out *Later, err error) {
	code, err := b.code(test)
	if err != nil {
		return nil, err
	}
	if wrap != nil {
		code = wrap(code)
	}
	if out, err = newLater(code); err != nil {
		return nil, err
	}
	for _, branch := range []struct {
		from node
		to   **Later
	}{{then, &out.Then}, {other, &out.Else}} {
		*branch.to = &Later{}
		if branch.from == nil {
			continue
		}
		if *branch.to, err = b.content(branch.from); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (b *laterBuilder) text(n node) (*Later, error) {
	code, err := b.code(n)
	if err != nil {
		return nil, err
	}
	return newLater(code)
}

func newLater(code any) (*Later, error) {
	text, err := json.Marshal(code)
	if err != nil {
		return nil, err
	}
	return &Later{Code: string(text), Value: laterCode(code)}, nil
}

// code translates an expression to Code.
func (b *laterBuilder) code(n node) (any, error) {
	if !reads(n, b.name) {
		return b.fixed(n)
	}
	switch n := n.(type) {
	case *memberNode, *chainNode:
		return b.path(n)
	case *templateNode:
		return b.template(n)
	case *unaryNode:
		if n.op == "!" {
			return b.operation("!", n.operand)
		}
	case *logicalNode:
		return b.operation(n.op, n.left, n.right)
	case *conditionalNode:
		return b.operation("?", n.test, n.then, n.other)
	case *binaryNode:
		return b.binary(n)
	}
	return nil, errNotLater
}

// fixed evaluates an expression that does not depend on the reader.
func (b *laterBuilder) fixed(n node) (any, error) {
	v, err := b.m.eval(n, nil)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case nil, ast.Undefined:
		return nil, nil
	case string, float64, bool:
		return v, nil
	}
	return nil, errNotLater
}

func (b *laterBuilder) operation(name string, operands ...node) (any, error) {
	out := []any{name}
	for _, n := range operands {
		code, err := b.code(n)
		if err != nil {
			return nil, err
		}
		out = append(out, code)
	}
	return out, nil
}

// path translates access to a field of the object, at any depth. If a field on the path is missing, the result is null,
// as if every access were written with ?.
func (b *laterBuilder) path(n node) (any, error) {
	var fields []any
	for {
		switch at := n.(type) {
		case *chainNode:
			n = at.inner
			continue
		case *memberNode:
			key, err := b.m.key(at, nil)
			if err != nil {
				return nil, err
			}
			fields = append([]any{key}, fields...)
			n = at.object
			continue
		case *nameNode:
			if at.name == b.name && len(fields) > 0 {
				return append([]any{"user"}, fields...), nil
			}
		}
		return nil, errNotLater
	}
}

// template concatenates text. A missing value adds nothing; JavaScript would write "undefined".
func (b *laterBuilder) template(n *templateNode) (any, error) {
	out := []any{"+", n.texts[0]}
	for i, part := range n.parts {
		code, err := b.code(part)
		if err != nil {
			return nil, err
		}
		out = append(out, code, n.texts[i+1])
	}
	return out, nil
}

// binary translates strict comparisons, comparisons with null, and concatenation of text.
func (b *laterBuilder) binary(n *binaryNode) (any, error) {
	code, err := b.operation("===", n.left, n.right)
	if err != nil {
		return nil, err
	}
	sides := code.([]any)[1:]
	switch {
	case n.op == "===", n.op == "==" && (sides[0] == nil || sides[1] == nil):
		return code, nil
	case n.op == "!==", n.op == "!=" && (sides[0] == nil || sides[1] == nil):
		return []any{"!", code}, nil
	case n.op == "+" && (isText(sides[0]) || isText(sides[1])):
		return []any{"+", sides[0], sides[1]}, nil
	}
	return nil, errNotLater
}

func isText(code any) bool {
	switch code := code.(type) {
	case string:
		return true
	case []any:
		return code[0] == "+"
	}
	return false
}

// laterCode computes code for an unknown reader. web/theme/src/content/reader.ts computes it with the reader's
// values:
//
//	["user", field…]    a field; null if it is missing or is not a string, number or boolean
//	["??", a, b]  ["||", a, b]  ["&&", a, b]  ["!", a]  ["===", a, b]  ["?", test, a, b]    as in JavaScript
//	["+", a…]           concatenation; null and booleans add nothing
func laterCode(code any) ast.Value {
	list, ok := code.([]any)
	if !ok {
		return code
	}
	arg := func(i int) ast.Value { return laterCode(list[i]) }
	switch list[0] {
	case "??":
		if v := arg(1); v != nil {
			return v
		}
		return arg(2)
	case "||":
		if v := arg(1); ast.Truthy(v) {
			return v
		}
		return arg(2)
	case "&&":
		if v := arg(1); !ast.Truthy(v) {
			return v
		}
		return arg(2)
	case "!":
		return !ast.Truthy(arg(1))
	case "===":
		return arg(1) == arg(2)
	case "?":
		if ast.Truthy(arg(1)) {
			return arg(2)
		}
		return arg(3)
	case "+":
		out := ""
		for i := range list[1:] {
			switch v := arg(i + 1).(type) {
			case string, float64:
				out += ast.String(v)
			}
		}
		return out
	}
	return nil
}

// reads reports whether an expression uses a name from its scope.
func reads(n node, name string) bool {
	if at, ok := n.(*nameNode); ok {
		return at.name == name
	}
	return anyPart(n, func(part node) bool { return reads(part, name) })
}

// holdsJSX reports whether an expression contains an element.
func holdsJSX(n node) bool {
	if _, ok := n.(*jsxNode); ok {
		return true
	}
	return anyPart(n, holdsJSX)
}

// anyPart reports whether f holds for a direct operand of n. JSX only has operands inside functions. Elsewhere, the
// expressions in it are evaluated later.
func anyPart(n node, f func(node) bool) bool {
	list := func(items []item) bool {
		for _, it := range items {
			if f(it.value) {
				return true
			}
		}
		return false
	}
	switch n := n.(type) {
	case *templateNode:
		for _, part := range n.parts {
			if f(part) {
				return true
			}
		}
	case *arrayNode:
		return list(n.items)
	case *objectNode:
		for _, p := range n.props {
			if p.key != nil && f(p.key) || p.value != nil && f(p.value) {
				return true
			}
		}
	case *memberNode:
		return f(n.object) || n.key != nil && f(n.key)
	case *callNode:
		return f(n.callee) || list(n.args)
	case *chainNode:
		return f(n.inner)
	case *unaryNode:
		return f(n.operand)
	case *binaryNode:
		return f(n.left) || f(n.right)
	case *logicalNode:
		return f(n.left) || f(n.right)
	case *conditionalNode:
		return f(n.test) || f(n.then) || f(n.other)
	case *sequenceNode:
		for _, i := range n.items {
			if f(i) {
				return true
			}
		}
	case *arrowNode:
		return f(n.body)
	case *jsxNode:
		return n.eager && anyJSXPart(n, f)
	}
	return false
}

func anyJSXPart(n *jsxNode, f func(node) bool) bool {
	for _, a := range n.attrs {
		if a.value != nil && f(a.value) {
			return true
		}
	}
	for _, c := range n.children {
		if c.value != nil && f(c.value) {
			return true
		}
	}
	return false
}
