package ast

import (
	"math"
	"strconv"
	"strings"
)

// Value is a JavaScript value in Go: nil (null), Undefined, bool, float64, string, []Value, *Object, Nodes (JSX) or
// Opaque.
type Value any

// Undefined is JavaScript's undefined.
type Undefined struct{}

// Opaque stands for a value that only a JavaScript engine can hold, such as a function.
type Opaque struct{ Type string }

// Nodes is JSX that is used as a value.
type Nodes []Node

// Object is an object with ordered keys. The zero value is empty and usable.
type Object struct {
	Keys   []string
	Values map[string]Value
}

// Get returns a property, or Undefined if it does not exist.
func (o *Object) Get(key string) Value {
	if v, ok := o.Values[key]; ok {
		return v
	}
	return Undefined{}
}

// Set adds or replaces a property. A replaced property keeps its position.
func (o *Object) Set(key string, v Value) {
	if o.Values == nil {
		o.Values = map[string]Value{}
	}
	if _, ok := o.Values[key]; !ok {
		o.Keys = append(o.Keys, key)
	}
	o.Values[key] = v
}

// Truthy reports whether JavaScript considers v true.
func Truthy(v Value) bool {
	switch v := v.(type) {
	case nil, Undefined:
		return false
	case bool:
		return v
	case float64:
		return v != 0 && !math.IsNaN(v)
	case string:
		return v != ""
	}
	return true
}

// String implements JavaScript's String(v) for scalars and arrays of them.
func String(v Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case Undefined:
		return "undefined"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return Number(v)
	case string:
		return v
	case []Value:
		parts := make([]string, len(v))
		for i, e := range v {
			if e != nil && e != (Undefined{}) {
				parts[i] = String(e)
			}
		}
		return strings.Join(parts, ",")
	case Nodes:
		return PlainText(v)
	}
	return "[object Object]"
}

// Number formats a number in the same way as JavaScript.
func Number(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	case math.Abs(f) >= 1e21 || math.Abs(f) < 1e-6:
		s := strconv.FormatFloat(f, 'e', -1, 64)
		mantissa, exp, _ := strings.Cut(s, "e")
		sign, digits := exp[:1], strings.TrimLeft(exp[1:], "0")
		return mantissa + "e" + sign + digits
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
