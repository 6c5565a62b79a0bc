package expr

import (
	"math"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// toPrimitive converts arrays and objects to strings, like JavaScript's operators, and returns other values unchanged.
func (m *machine) toPrimitive(v ast.Value) (ast.Value, error) {
	switch v := v.(type) {
	case nil, ast.Undefined, bool, float64, string:
		return v, nil
	case []ast.Value:
		return m.joinValues(v, ",")
	case ast.Nodes:
		return "[object Object]", nil
	case *ast.Object:
		for _, k := range []string{"toString", "valueOf"} {
			if _, own := v.Values[k]; own {
				return nil, beyond("object with its own " + k)
			}
		}
		return "[object Object]", nil
	}
	return nil, beyond("function as text")
}

// toString implements JavaScript's String(v).
func (m *machine) toString(v ast.Value) (string, error) {
	p, err := m.toPrimitive(v)
	if err != nil {
		return "", err
	}
	return ast.String(p), nil
}

func (m *machine) joinValues(list []ast.Value, sep string) (string, error) {
	var b strings.Builder
	for i, e := range list {
		if i > 0 {
			b.WriteString(sep)
		}
		if err := m.work(0, 1); err != nil {
			return "", err
		}
		if nullish(e) {
			continue
		}
		s, err := m.toString(e)
		if err != nil {
			return "", err
		}
		if m.steps += len(s) / bytesPerStep; b.Len()+len(s) > maxBytes {
			return "", errTooLarge(0)
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// toNumber implements JavaScript's Number(v).
func (m *machine) toNumber(v ast.Value) (float64, error) {
	p, err := m.toPrimitive(v)
	if err != nil {
		return 0, err
	}
	switch p := p.(type) {
	case nil:
		return 0, nil
	case bool:
		if p {
			return 1, nil
		}
		return 0, nil
	case float64:
		return p, nil
	case string:
		return numberOf(p), nil
	}
	return math.NaN(), nil
}

func numberOf(s string) float64 {
	s = strings.TrimFunc(s, isSpace)
	if s == "" {
		return 0
	}
	if hasBase(s) {
		if f, ok := parseBase(s); ok && !strings.Contains(s, "_") {
			return f
		}
		return math.NaN()
	}
	sign := 1.0
	rest := s
	if s[0] == '-' || s[0] == '+' {
		rest = s[1:]
		if s[0] == '-' {
			sign = -1
		}
	}
	if rest == "Infinity" {
		return math.Inf(int(sign))
	}
	if f, ok := parseDecimal(rest); ok {
		return sign * f
	}
	return math.NaN()
}

func nullish(v ast.Value) bool {
	switch v.(type) {
	case nil, ast.Undefined:
		return true
	}
	return false
}

// typeOf implements JavaScript's typeof.
func typeOf(v ast.Value) (string, error) {
	switch v.(type) {
	case ast.Undefined:
		return "undefined", nil
	case bool:
		return "boolean", nil
	case float64:
		return "number", nil
	case string:
		return "string", nil
	case nil, []ast.Value, *ast.Object, ast.Nodes:
		return "object", nil
	}
	return "", beyond("type of a value that only JavaScript holds")
}

// same implements ===.
func same(a, b ast.Value) (bool, error) {
	switch a := a.(type) {
	case nil, ast.Undefined, bool, string:
		return !isReference(b) && a == b, nil
	case float64:
		f, ok := b.(float64)
		return ok && a == f, nil
	case *ast.Object:
		o, ok := b.(*ast.Object)
		return ok && a == o, nil
	case []ast.Value:
		l, ok := b.([]ast.Value)
		if !ok || len(a) != len(l) {
			return false, nil
		}
		if len(a) == 0 {
			return false, beyond("identity of empty arrays")
		}
		return &a[0] == &l[0], nil
	}
	return false, beyond("identity of a value that only JavaScript holds")
}

// isReference reports whether a value must not be compared with Go's ==.
func isReference(v ast.Value) bool {
	switch v.(type) {
	case nil, ast.Undefined, bool, float64, string:
		return false
	}
	return true
}

// equal implements ==.
func (m *machine) equal(a, b ast.Value) (bool, error) {
	if nullish(a) || nullish(b) {
		return nullish(a) && nullish(b), nil
	}
	if isReference(a) && isReference(b) {
		return same(a, b)
	}
	a, err := m.toPrimitive(a)
	if err != nil {
		return false, err
	}
	if b, err = m.toPrimitive(b); err != nil {
		return false, err
	}
	x, text := a.(string)
	y, both := b.(string)
	if text && both {
		return x == y, nil
	}
	f, _ := m.toNumber(a) // conversion of primitives never fails
	g, _ := m.toNumber(b)
	return f == g, nil
}
