package expr

import "github.com/lectern-docs/lectern/internal/mdx/ast"

// node is one node of a parsed expression. at is its offset in the source.
type node interface{ at() int }

type offset int

func (o offset) at() int { return int(o) }

type (
	literalNode struct {
		offset
		value ast.Value // a scalar
	}
	templateNode struct {
		offset
		texts []string // one more element than parts
		parts []node
	}
	arrayNode struct {
		offset
		items []item
	}
	objectNode struct {
		offset
		props []property
	}
	nameNode struct {
		offset
		name string
	}
	// memberNode is a.name if key is nil, and a[key] otherwise.
	memberNode struct {
		offset
		object   node
		name     string
		key      node
		optional bool
	}
	callNode struct {
		offset
		callee   node
		args     []item
		optional bool
	}
	// chainNode marks the end of an optional chain. If the chain ends early, the value of this node is undefined.
	chainNode struct {
		offset
		inner node
	}
	unaryNode struct {
		offset
		op      string
		operand node
	}
	binaryNode struct {
		offset
		op          string
		left, right node
	}
	logicalNode struct {
		offset
		op          string
		left, right node
	}
	conditionalNode struct {
		offset
		test, then, other node
	}
	sequenceNode struct {
		offset
		items []node
	}
	// arrowNode is a function whose body is an expression. It occurs only as an argument.
	arrowNode struct {
		offset
		params []*pattern
		body   node
	}
	// jsxNode is an element, or a fragment if it has no name.
	jsxNode struct {
		offset
		name     string
		attrs    []jsxAttr
		children []jsxChild
		open     ast.Span // the opening tag
		end      int
		eager    bool // inside a function: attributes and children must be evaluated now, with the function's parameters
	}
)

// item is an element of an array, or an argument.
type item struct {
	value  node
	spread bool
}

// property is a property of an object literal: a name, a computed key or a spread.
type property struct {
	name   string
	key    node // computed key, or nil
	value  node
	spread bool
}

// pattern is a parameter: a name, or a destructured object or array. Each may have a default.
type pattern struct {
	name     string
	object   []field
	array    []*pattern // nil elements are holes
	kind     patternKind
	fallback node // the default; nil = none
}

type patternKind uint8

const (
	patternName patternKind = iota
	patternObject
	patternArray
)

// field is one property of an object pattern.
type field struct {
	key string
	to  *pattern
}

// jsxAttr is an attribute with its parsed value. value is nil for strings and for attributes without a value.
type jsxAttr struct {
	ast.Attr
	value node
}

// jsxChild is text in its final form, an element, or an expression in braces.
type jsxChild struct {
	text   string
	value  node     // an element, or a parsed expression; nil if this package cannot evaluate it and it is not eager
	source string   // of an expression in braces
	span   ast.Span // in the source
	braces bool
}
