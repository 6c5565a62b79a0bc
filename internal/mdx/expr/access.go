package expr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func (m *machine) member(n *memberNode, e *env) (ast.Value, error) {
	if name, ok := n.object.(*nameNode); ok && n.key == nil && m.global(name.name, e) {
		if v, ok := globalConstant(name.name, n.name); ok {
			return v, nil
		}
		return nil, beyond(name.name + "." + n.name)
	}
	object, err := m.eval(n.object, e)
	if err != nil {
		return nil, err
	}
	if n.optional && nullish(object) {
		return nil, errShort
	}
	key, err := m.key(n, e)
	if err != nil {
		return nil, err
	}
	return m.property(object, key, n.at())
}

func (m *machine) key(n *memberNode, e *env) (string, error) {
	if n.key == nil {
		return n.name, nil
	}
	k, err := m.eval(n.key, e)
	if err != nil {
		return "", err
	}
	return m.toString(k)
}

// property evaluates object[key].
func (m *machine) property(object ast.Value, key string, at int) (ast.Value, error) {
	switch o := object.(type) {
	case nil, ast.Undefined:
		return nil, &EvalError{at, fmt.Sprintf("cannot read %q of %s", key, ast.String(object))}
	case *ast.Object:
		if v, ok := o.Values[key]; ok {
			return v, nil
		}
		return inherited(key, nil)
	case []ast.Value:
		if key == "length" {
			return float64(len(o)), nil
		}
		if isIndex(key) {
			if i, _ := strconv.Atoi(key); i < len(o) {
				return o[i], nil
			}
			return ast.Undefined{}, nil
		}
		return inherited(key, arrayMembers)
	case string:
		return m.stringProperty(o, key)
	case float64:
		return inherited(key, numberMembers)
	case bool:
		return inherited(key, nil)
	}
	return nil, beyond("property of a value that only JavaScript holds")
}

func (m *machine) stringProperty(s, key string) (ast.Value, error) {
	m.steps += len(s) / bytesPerStep
	if key == "length" {
		return float64(length16(s)), nil
	}
	if !isIndex(key) {
		return inherited(key, stringMembers)
	}
	i, _ := strconv.Atoi(key) // isIndex has checked the format
	if i >= length16(s) {
		return ast.Undefined{}, nil
	}
	part, err := slice16(s, i, i+1)
	return part, err
}

// inherited handles a property that the value itself does not have. It returns a beyond error if the prototype has the
// property, and undefined otherwise.
func inherited(key string, members []string) (ast.Value, error) {
	if slices.Contains(objectMembers, key) || slices.Contains(members, key) {
		return nil, beyond("method " + key + " as a value")
	}
	return ast.Undefined{}, nil
}

// Members of JavaScript's prototypes. All other names are undefined.
var (
	objectMembers = []string{"__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
		"__proto__", "constructor",
		"hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"}
	arrayMembers = []string{"at", "concat", "copyWithin", "entries", "every", "fill", "filter", "find", "findIndex",
		"findLast", "findLastIndex",
		"flat", "flatMap", "forEach", "includes", "indexOf", "join", "keys", "lastIndexOf", "map", "pop", "push",
		"reduce", "reduceRight",
		"reverse", "shift", "slice", "some", "sort", "splice", "toReversed", "toSorted", "toSpliced", "unshift",
		"values", "with"}
	numberMembers = []string{"toExponential", "toFixed", "toPrecision"}
	stringMembers = []string{"anchor", "at", "big", "blink", "bold", "charAt", "charCodeAt", "codePointAt", "concat",
		"endsWith", "fixed",
		"fontcolor", "fontsize", "includes", "indexOf", "isWellFormed", "italics", "lastIndexOf", "link",
		"localeCompare", "match", "matchAll",
		"normalize", "padEnd", "padStart", "repeat", "replace", "replaceAll", "search", "slice", "small", "split",
		"startsWith", "strike", "sub",
		"substr", "substring", "sup", "toLocaleLowerCase", "toLocaleUpperCase", "toLowerCase", "toUpperCase",
		"toWellFormed", "trim", "trimEnd",
		"trimLeft", "trimRight", "trimStart"}
)

// length16 returns the length of a string in UTF-16 code units, like JavaScript's length.
func length16(s string) int {
	n := utf8.RuneCountInString(s)
	if n == len(s) {
		return n
	}
	for _, r := range s {
		if isWide(r) {
			n++
		}
	}
	return n
}

// slice16 slices a string by UTF-16 code units. It fails if that would split a character, because Go strings cannot
// hold half of a surrogate pair.
func slice16(s string, from, to int) (string, error) {
	if from >= to {
		return "", nil
	}
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 {
		return s[from:to], nil
	}
	units := utf16.Encode([]rune(s))
	part := units[from:to]
	if isLow(part[0]) && from > 0 && isHigh(units[from-1]) ||
		isHigh(part[len(part)-1]) && to < len(units) && isLow(units[to]) {
		return "", beyond("half of a character")
	}
	return string(utf16.Decode(part)), nil
}

func isHigh(u uint16) bool { return 0xd800 <= u && u < 0xdc00 }
func isLow(u uint16) bool  { return 0xdc00 <= u && u < 0xe000 }
