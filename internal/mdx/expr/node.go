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
		texts []string // one more than parts
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
	// memberNode is a.name when key is nil, else a[key].
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
	// chainNode is where an optional chain that stopped early becomes undefined.
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
	// arrowNode is a function with an expression as its body; it occurs as an argument only.
	arrowNode struct {
		offset
		params []*pattern
		body   node
	}
	// jsxNode is an element or, without a name, a fragment.
	jsxNode struct {
		offset
		name     string
		attrs    []jsxAttr
		children []jsxChild
		open     ast.Span // the opening tag
		end      int
		eager    bool // inside a function: attributes and children have to be evaluated now, with its parameters
	}
)

// item is an element of an array or an argument.
type item struct {
	value  node
	spread bool
}

// property is one of an object literal: name, computed key or spread.
type property struct {
	name   string
	key    node // computed; nil otherwise
	value  node
	spread bool
}

// pattern is a parameter: a name or a destructured object or array, each with a default.
type pattern struct {
	name     string
	object   []field
	array    []*pattern // nil elements are holes
	kind     patternKind
	fallback node // nil = none
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

// jsxAttr is an attribute with its value parsed; value is nil for plain strings and bare attributes.
type jsxAttr struct {
	ast.Attr
	value node
}

// jsxChild is text (ready), an element, or an expression in braces.
type jsxChild struct {
	text   string
	value  node     // an element, or the parsed expression; nil when it is beyond this package and not eager
	source string   // of an expression in braces
	span   ast.Span // in the source
	braces bool
}
