package expr

import (
	"math"
	"slices"
	"strconv"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// object reads an object literal:
//
//	object   = "{" {property ","} "}"
//	property = name | key ":" value | "..." value
//	key      = name | string | number | "[" value "]"
func (p *parser) object() node {
	n := &objectNode{offset: offset(p.tok.start)}
	p.next()
	for p.err == nil && !p.is("}") {
		if p.accept("...") {
			n.props = append(n.props, property{spread: true, value: p.assignment()})
		} else {
			n.props = append(n.props, p.property())
		}
		if !p.is("}") {
			p.expect(",")
		}
	}
	p.expect("}")
	return n
}

func (p *parser) property() (prop property) {
	key := p.tok
	switch {
	case key.kind == tName || key.kind == tString:
		prop.name = key.text
		p.next()
	case key.kind == tNumber:
		prop.name = ast.Number(key.number)
		p.next()
	case p.accept("["):
		prop.key = p.assignment()
		p.expect("]")
	case p.is("*"):
		p.fail(beyond("method"))
		return prop
	default:
		p.unexpected()
		return prop
	}
	switch {
	case p.accept(":"):
		prop.value = p.assignment()
		if prop.name == "__proto__" && prop.key == nil {
			p.fail(beyond("prototype"))
		}
	case p.is("("):
		p.fail(beyond("method"))
	case key.kind == tName && prop.key == nil && p.tok.kind == tPunct:
		p.shorthand(&prop, key)
	case key.kind == tName && (key.text == "get" || key.text == "set" || key.text == "async") && p.tok.kind != tEnd:
		p.fail(beyond("method"))
	default:
		p.unexpected()
	}
	return prop
}

// shorthand reads a property such as {name}.
func (p *parser) shorthand(prop *property, key lexed) {
	if !p.is(",") && !p.is("}") {
		p.unexpected()
		return
	}
	if !bindable(key.text) {
		p.syntax(key.start, "unexpected "+key.text)
		return
	}
	p.mention(key.text)
	prop.value = &nameNode{offset(key.start), key.text}
}

// order moves keys that are array indexes to the front, just like JavaScript.
func order(o *ast.Object) {
	indexes := 0
	for i, k := range o.Keys {
		if isIndex(k) {
			if i != indexes {
				indexes = -1
				break
			}
			indexes++
		}
	}
	if indexes == 0 {
		return
	}
	sortKeys(o.Keys)
}

func isIndex(key string) bool {
	if key == "" || len(key) > 10 || !isDigit(key[0]) || key[0] == '0' && len(key) > 1 {
		return false
	}
	n, err := strconv.ParseUint(key, 10, 64)
	return err == nil && n < 1<<32-1
}

func sortKeys(keys []string) {
	rank := func(k string) uint64 {
		if !isIndex(k) {
			return math.MaxUint64
		}
		n, _ := strconv.ParseUint(k, 10, 64) // isIndex has checked the format
		return n
	}
	slices.SortStableFunc(keys, func(a, b string) int {
		x, y := rank(a), rank(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}
