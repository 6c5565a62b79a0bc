package expr

import (
	"errors"
	"math"
	"math/bits"
	"strings"
	"unicode/utf16"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func (m *machine) unary(n *unaryNode, e *env) (ast.Value, error) {
	v, err := m.eval(n.operand, e)
	if err != nil {
		if undefined := new(NameError); errors.As(err, &undefined) && n.op == "typeof" {
			if name, direct := n.operand.(*nameNode); direct {
				return typeOfMissing(name.name)
			}
		}
		return nil, err
	}
	switch n.op {
	case "!":
		return !ast.Truthy(v), nil
	case "void":
		return ast.Undefined{}, nil
	case "typeof":
		return typeOf(v)
	}
	f, err := m.toNumber(v)
	if err != nil {
		return nil, err
	}
	switch n.op {
	case "-":
		return -f, nil
	case "~":
		return float64(^toInt32(f)), nil
	}
	return f, nil
}

// typeOfMissing returns the type of an undefined name. A name with a capital letter may be a component of the
// platform.
func typeOfMissing(name string) (ast.Value, error) {
	if 'A' <= name[0] && name[0] <= 'Z' {
		return nil, beyond("type of a component")
	}
	return "undefined", nil
}

func (m *machine) logical(n *logicalNode, e *env) (ast.Value, error) {
	left, err := m.eval(n.left, e)
	if err != nil {
		return nil, err
	}
	var enough bool
	switch n.op {
	case "&&":
		enough = !ast.Truthy(left)
	case "||":
		enough = ast.Truthy(left)
	default:
		enough = !nullish(left)
	}
	if enough {
		return left, nil
	}
	return m.eval(n.right, e)
}

func (m *machine) binary(n *binaryNode, e *env) (ast.Value, error) {
	left, err := m.eval(n.left, e)
	if err != nil {
		return nil, err
	}
	right, err := m.eval(n.right, e)
	if err != nil {
		return nil, err
	}
	m.steps += (weight(left) + weight(right)) / bytesPerStep
	switch n.op {
	case "===", "!==":
		ok, err := same(left, right)
		return ok == (n.op == "==="), err
	case "==", "!=":
		ok, err := m.equal(left, right)
		return ok == (n.op == "=="), err
	}
	if left, err = m.toPrimitive(left); err != nil {
		return nil, err
	}
	if right, err = m.toPrimitive(right); err != nil {
		return nil, err
	}
	a, text := left.(string)
	b, both := right.(string)
	switch n.op {
	case "+":
		if text || both {
			return m.concat(n.at(), ast.String(left), ast.String(right))
		}
	case "<", ">", "<=", ">=":
		if text && both {
			return ordered(n.op, compareText(a, b)), nil
		}
	}
	x, _ := m.toNumber(left) // conversion of primitives never fails
	y, _ := m.toNumber(right)
	return arithmetic(n.op, x, y)
}

// weight returns the number of bytes that an operator may have to read.
func weight(v ast.Value) int {
	s, _ := v.(string)
	return len(s)
}

func (m *machine) concat(at int, a, b string) (ast.Value, error) {
	if len(a)+len(b) > maxBytes {
		return nil, errTooLarge(at)
	}
	return m.text(at, a+b)
}

func ordered(op string, c int) bool {
	switch op {
	case "<":
		return c < 0
	case ">":
		return c > 0
	case "<=":
		return c <= 0
	}
	return c >= 0
}

// compareText compares by UTF-16 code units. The result differs from comparing bytes if one string has surrogate pairs
// and the other has characters above the range of surrogates.
func compareText(a, b string) int {
	if strings.IndexFunc(a, isWide) < 0 && strings.IndexFunc(b, isWide) < 0 {
		return strings.Compare(a, b)
	}
	x, y := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return int(x[i]) - int(y[i])
		}
	}
	return len(x) - len(y)
}

// isWide reports whether a character takes two code units in UTF-16.
func isWide(r rune) bool { return r > 0xffff }

func arithmetic(op string, x, y float64) (ast.Value, error) {
	switch op {
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	case "/":
		return x / y, nil
	case "%":
		return math.Mod(x, y), nil
	case "**":
		return power(x, y)
	case "<":
		return x < y, nil
	case ">":
		return x > y, nil
	case "<=":
		return x <= y, nil
	case ">=":
		return x >= y, nil
	}
	return bitwise(op, toInt32(x), uint32(toInt32(y))), nil
}

func bitwise(op string, x int32, y uint32) ast.Value {
	switch op {
	case "&":
		return float64(x & int32(y))
	case "|":
		return float64(x | int32(y))
	case "^":
		return float64(x ^ int32(y))
	case "<<":
		return float64(x << (y & 31))
	case ">>":
		return float64(x >> (y & 31))
	}
	return float64(uint32(x) >> (y & 31))
}

func toInt32(f float64) int32 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return int32(uint32(int64(math.Mod(math.Trunc(f), 1<<32))))
}

// power computes x**y if the result is exact. Otherwise, engines may differ in the last digit, so an engine must
// compute it.
func power(x, y float64) (ast.Value, error) {
	switch {
	case math.IsNaN(y):
		return math.NaN(), nil
	case y == 0:
		return 1.0, nil
	case y == 1:
		return x, nil
	case math.IsNaN(x):
		return math.NaN(), nil
	case math.IsInf(y, 0) && (x == 1 || x == -1):
		return math.NaN(), nil
	case x == 1:
		return 1.0, nil
	case math.IsInf(y, 0) || math.IsInf(x, 0) || x == 0:
		return math.Pow(x, y), nil
	}
	if math.Trunc(y) == y && math.Trunc(x) == x && math.Abs(x) < 1<<53 && math.Abs(y) < 2000 {
		if u := uint64(math.Abs(x)); bits.OnesCount64(u) == 1 {
			r := math.Ldexp(1, (bits.Len64(u)-1)*int(y))
			if x < 0 && math.Mod(y, 2) != 0 {
				r = -r
			}
			return r, nil
		}
		r := 1.0
		for range int(max(y, 0)) {
			if r *= x; math.Abs(r) >= 1<<53 {
				break
			}
		}
		if y > 0 && math.Abs(r) < 1<<53 {
			return r, nil
		}
	}
	return nil, beyond("power")
}
