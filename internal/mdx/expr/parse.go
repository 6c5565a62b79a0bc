package expr

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxDepth bounds how deeply expressions may be nested.
const maxDepth = 250

// Expr is a parsed data expression. It may be evaluated many times, by several goroutines at once.
type Expr struct {
	source string
	base   int // what is added to offsets in the source to make a span of a node
	root   node
	names  []string
	tags   []string
}

// Parse reads the source between braces. The error is a *SyntaxError when the source surely is no JavaScript, and wraps
// ErrBeyond when it may well be, but is more than data.
func Parse(source string) (*Expr, error) { return ParseAt(source, 0) }

// ParseAt is Parse for a source that starts at base in the body of its page: JSX that evaluation yields gets its place
// there. Offsets in errors count from the start of source all the same.
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

// Empty reports whether there is nothing but comments and white space.
func (x *Expr) Empty() bool { return x.root == nil }

// Names returns the names that have to come from the scope, each once, in order of appearance. Built-in ones that the
// expression may use (undefined, Math…) and names of components are not among them, nor what stands in braces inside
// JSX and is beyond this package. The caller must not change the slice.
func (x *Expr) Names() []string { return x.names }

// Tags returns the names of the elements in it, as written. The caller must not change the slice.
func (x *Expr) Tags() []string { return x.tags }

// parser reads tokens one ahead. After a failure the current token is tEnd for good, so that all loops end.
type parser struct {
	src    string
	base   int
	pos    int // just after tok
	tok    lexed
	before int // the end of the token before tok
	err    error
	depth  int
	arrows int      // how many functions are around
	locals []string // parameters in scope
	own    int      // where the parameters of the function at hand start in locals
	// Names that the defaults of the parameters so far use; inDefault says that one is being read.
	early     []string
	inDefault bool
	names     []string
	tags      []string
	seen      map[string]bool // names, to find them fast
	paren     node            // the last node that stood in parentheses
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
	p.tok = lexed{kind: tEnd, start: p.pos, end: p.pos}
}

func (p *parser) syntax(at int, message string) { p.fail(&SyntaxError{Offset: at, Message: message}) }

// unexpected explains the current token, which should not be there.
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

// isBeyond recognizes operators that change something or make functions.
func isBeyond(op string) bool {
	switch op {
	case "=>", "=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**=", "<<=", ">>=", ">>>=", "&&=",
		"||=", "??=":
		return true
	}
	return false
}

func (p *parser) is(punct string) bool { return p.tok.kind == tPunct && p.tok.text == punct }

// accept passes a punctuator if it is there.
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

// enter counts a level of nesting; leave it with p.depth--.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.syntax(p.tok.start, "the expression is nested too deeply")
		return false
	}
	return true
}

// mention notes a name that the expression needs from outside.
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

// ErrBeyond says that the source may well be JavaScript but is more than this package evaluates. Callers go to a
// JavaScript engine.
var ErrBeyond = errors.New("beyond data expressions")

// SyntaxError says that the source is no JavaScript. Offset counts bytes from the start of the source.
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

// EvalError is what JavaScript would throw, or a limit that was reached.
type EvalError struct {
	Offset  int
	Message string
}

func (e *EvalError) Error() string { return e.Message }

func beyond(what string) error { return fmt.Errorf("%s: %w", what, ErrBeyond) }
