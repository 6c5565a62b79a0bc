package expr

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxDepth limits the nesting of expressions.
const maxDepth = 250

// Expr is a parsed data expression. It may be evaluated many times, and concurrently.
type Expr struct {
	source string
	base   int // added to offsets in the source to get the span of a node
	root   node
	names  []string
	tags   []string
}

// Parse parses the source between braces. The error is a *SyntaxError if the source cannot be JavaScript. It wraps
// ErrBeyond if the source may be JavaScript, but is not a data expression.
func Parse(source string) (*Expr, error) { return ParseAt(source, 0) }

// ParseAt is like Parse for a source that starts at offset base in the body of its page, so that nodes created by
// evaluation have the right spans. Offsets in errors are still relative to the start of source.
func ParseAt(source string, base int) (*Expr, error) {
	p := &parser{src: source, base: base}
	p.next()
	x := &Expr{source: source, base: base}
	if p.err == nil && p.tok.kind == tEnd {
		return x, nil
	}
	x.root = p.sequence()
	if p.err == nil && p.tok.kind != tEnd {
		p.unexpected()
	}
	if p.err != nil {
		return nil, p.err
	}
	x.names, x.tags = p.names, p.tags
	return x, nil
}

// Empty reports whether the source has only comments and white space.
func (x *Expr) Empty() bool { return x.root == nil }

// Names returns the names that must come from the scope, without duplicates, in order of appearance. It does not
// include built-in names (undefined, Math…) and names of components. It also does not include names in braces inside
// JSX if this package cannot evaluate the expression in the braces. The caller must not change the slice.
func (x *Expr) Names() []string { return x.names }

// Tags returns the names of the elements in the expression, as written. The caller must not change the slice.
func (x *Expr) Tags() []string { return x.tags }

// parser reads one token ahead. After a failure the current token stays tEnd, so that all loops end.
type parser struct {
	src    string
	base   int
	pos    int // offset after tok
	tok    lexed
	before int // the end of the preceding token
	err    error
	depth  int
	arrows int      // number of enclosing functions
	locals []string // parameters in scope
	own    int      // index in locals of the current function's first parameter
	// early holds the names that the defaults of the parameters read so far use. inDefault is true while a default is
	// being read.
	early     []string
	inDefault bool
	names     []string
	tags      []string
	seen      map[string]bool // set of names, for fast lookup
	paren     node            // the last node in parentheses
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
	p.tok = lexed{kind: tEnd, start: p.pos, end: p.pos}
}

func (p *parser) syntax(at int, message string) { p.fail(&SyntaxError{Offset: at, Message: message}) }

// unexpected reports the current token as an error.
func (p *parser) unexpected() {
	switch t := p.tok; {
	case p.err != nil:
	case t.kind == tEnd:
		p.syntax(t.start, "the expression ends too early")
	case t.kind == tTemplate:
		p.fail(beyond("tagged template"))
	case t.kind == tPunct && isBeyond(t.text):
		p.fail(beyond("operator " + t.text))
	case t.kind == tName && (t.text == "in" || t.text == "instanceof"):
		p.fail(beyond("operator " + t.text))
	case t.kind == tNumber || t.kind == tString:
		p.syntax(t.start, "unexpected "+p.src[t.start:t.end])
	default:
		p.syntax(t.start, "unexpected "+t.text)
	}
}

// isBeyond reports whether an operator assigns or creates a function.
func isBeyond(op string) bool {
	switch op {
	case "=>", "=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**=", "<<=", ">>=", ">>>=", "&&=",
		"||=", "??=":
		return true
	}
	return false
}

func (p *parser) is(punct string) bool { return p.tok.kind == tPunct && p.tok.text == punct }

// accept skips a punctuator if it is the current token.
func (p *parser) accept(punct string) bool {
	if !p.is(punct) {
		return false
	}
	p.next()
	return p.err == nil
}

func (p *parser) expect(punct string) {
	if !p.accept(punct) {
		p.unexpected()
	}
}

// enter increases the nesting depth. The caller decreases it with p.depth--.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.syntax(p.tok.start, "the expression is nested too deeply")
		return false
	}
	return true
}

// mention records a name that the expression needs from its scope.
func (p *parser) mention(name string) {
	if p.inDefault && !slices.Contains(p.early, name) {
		if p.early = append(p.early, name); len(p.early) > maxLocals {
			p.fail(beyond("function with very many names in its defaults"))
		}
	}
	if p.seen[name] || isGlobal(name) || slices.Contains(p.locals, name) {
		return
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[name] = true
	p.names = append(p.names, name)
}

func (p *parser) span(start, end int) ast.Span {
	return ast.Span{Start: p.base + start, End: p.base + end}
}

// ErrBeyond means that the source may be valid JavaScript but this package cannot evaluate it. Callers then use a
// JavaScript engine.
var ErrBeyond = errors.New("beyond data expressions")

// SyntaxError means that the source is not JavaScript. Offset is in bytes from the start of the source.
type SyntaxError struct {
	Offset  int
	Message string
}

func (e *SyntaxError) Error() string { return e.Message }

// NameError reports an undefined name.
type NameError struct {
	Name   string
	Offset int
}

func (e *NameError) Error() string { return e.Name + " is not defined" }

// EvalError is an exception that JavaScript would throw, or an exceeded limit.
type EvalError struct {
	Offset  int
	Message string
}

func (e *EvalError) Error() string { return e.Message }

func beyond(what string) error { return fmt.Errorf("%s: %w", what, ErrBeyond) }
