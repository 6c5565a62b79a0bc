package expr

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// jsxValue reads an element where a value is expected. The current token is its "<".
func (p *parser) jsxValue() node {
	p.pos = p.tok.start
	n := p.jsxElement()
	p.next()
	if n == nil {
		return nil // a nil *jsxNode in an interface would not be nil
	}
	return n
}

// jsxElement reads from "<" at p.pos to the end of the element. It works on characters, not tokens.
//
//	element   = "<" [name {attribute}] ("/>" | ">" {text | element | "{" [sequence] "}"} "</" [name] ">")
//	attribute = name ["=" (string | "{" assignment "}" | element)] | "{" "..." assignment "}"
func (p *parser) jsxElement() *jsxNode {
	defer func() { p.depth-- }()
	if !p.enter() {
		return nil
	}
	n := &jsxNode{offset: offset(p.pos), eager: p.arrows > 0}
	start := p.pos
	p.pos++
	p.skipSpace()
	n.name = p.jsxName(true)
	if n.name != "" {
		p.tags = append(p.tags, n.name)
	}
	closed := false
	for p.err == nil && !closed {
		p.skipSpace()
		switch {
		case p.jsxAccept(">"):
			n.open = p.span(start, p.pos)
			p.jsxChildren(n)
			closed = true
		case n.name == "":
			p.jsxUnexpected()
		case p.jsxAccept("/"):
			p.skipSpace()
			if !p.jsxAccept(">") {
				p.jsxUnexpected()
			}
			n.open = p.span(start, p.pos)
			closed = true
		default:
			p.jsxAttribute(n)
		}
	}
	if p.err != nil {
		return nil
	}
	n.end = p.pos
	p.jsxLocalName(n)
	return n
}

// jsxLocalName rejects components that are parameters of a function, because their values are functions.
func (p *parser) jsxLocalName(n *jsxNode) {
	first, _, dotted := strings.Cut(n.name, ".")
	if n.name == "" || !dotted && 'a' <= first[0] && first[0] <= 'z' {
		return
	}
	for _, l := range p.locals {
		if l == first {
			p.fail(beyond("component in a variable"))
		}
	}
}

func (p *parser) jsxAccept(s string) bool {
	if p.err != nil || !strings.HasPrefix(p.src[p.pos:], s) {
		return false
	}
	p.pos += len(s)
	return true
}

func (p *parser) jsxUnexpected() {
	if p.pos >= len(p.src) {
		p.syntax(p.pos, "the tag is not closed")
		return
	}
	p.syntax(p.pos, "unexpected "+quoteByte(p.src[p.pos])+" in a tag")
}

// jsxName reads a name that may contain "-" and ":", and dots if dots is set.
func (p *parser) jsxName(dots bool) string {
	start := p.pos
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		inside := p.pos > start
		if !isWord(c) && !(inside && (c == '-' || c == ':' || dots && c == '.')) || c == '\\' || c == '#' ||
			isDigit(c) && !inside {
			break
		}
		if r, _ := utf8.DecodeRuneInString(p.src[p.pos:]); c >= 0x80 && isSpace(r) {
			break
		}
		p.pos++
	}
	return p.src[start:p.pos]
}

func (p *parser) jsxAttribute(n *jsxNode) {
	start := p.pos
	if p.jsxAccept("{") {
		p.jsxSpread(n, start)
		return
	}
	a := jsxAttr{Attr: ast.Attr{Name: p.jsxName(false)}}
	if a.Name == "" {
		p.jsxUnexpected()
		return
	}
	end := p.pos
	p.skipSpace()
	if !p.jsxAccept("=") {
		a.Span = p.span(start, end)
		n.attrs = append(n.attrs, a)
		return
	}
	p.skipSpace()
	from := p.pos
	switch {
	case p.pos >= len(p.src):
		p.jsxUnexpected()
	case p.src[p.pos] == '"' || p.src[p.pos] == '\'':
		p.jsxString(&a)
	case p.src[p.pos] == '<':
		a.Kind = ast.AttrExpr
		a.value = p.jsxElement()
		a.Value, a.ValueSpan = p.src[from:p.pos], p.span(from, p.pos)
	case p.jsxAccept("{"):
		a.Kind = ast.AttrExpr
		a.value = p.jsxBraces(n.eager, false)
		a.Value, a.ValueSpan = p.src[from+1:max(from+1, p.pos-1)], p.span(from+1, p.pos-1)
	default:
		p.jsxUnexpected()
	}
	a.Span = p.span(start, p.pos)
	n.attrs = append(n.attrs, a)
}

func (p *parser) jsxString(a *jsxAttr) {
	quote := p.src[p.pos]
	from := p.pos + 1
	end := strings.IndexByte(p.src[from:], quote)
	if end < 0 {
		p.syntax(p.pos, "the string is not closed")
		return
	}
	a.Kind = ast.AttrString
	a.Value = decodeEntities(p.src[from : from+end])
	a.ValueSpan = p.span(from, from+end)
	p.pos = from + end + 1
}

func (p *parser) jsxSpread(n *jsxNode, start int) {
	p.skipSpace()
	if !p.jsxAccept("...") {
		p.jsxUnexpected()
		return
	}
	from := p.pos
	a := jsxAttr{Attr: ast.Attr{Kind: ast.AttrSpread}}
	a.value = p.jsxBraces(n.eager, false)
	if p.err == nil {
		a.Value, a.ValueSpan, a.Span = p.src[from:p.pos-1], p.span(from, p.pos-1), p.span(start, p.pos)
	}
	n.attrs = append(n.attrs, a)
}

// jsxBraces reads an expression up to and including its closing brace. If this package cannot evaluate the expression,
// its source is kept for later evaluation, unless it needs the parameters of a function. If empty is set, the braces
// may contain only comments; the result is then nil.
func (p *parser) jsxBraces(eager, empty bool) node {
	from := p.pos
	p.next()
	if empty && p.is("}") {
		p.pos = p.tok.end
		return nil
	}
	n := p.sequence()
	if p.err == nil && !p.is("}") {
		p.unexpected()
	}
	if p.err == nil {
		p.pos = p.tok.end
		return n
	}
	if errors.Is(p.err, ErrBeyond) && !eager {
		if end, ok := p.jsxSkip(from); ok {
			p.err = nil
			p.pos = end
		}
	}
	return nil
}

// jsxSkip finds the end of an expression in braces without parsing it. It reads in small pieces, so that the cost
// does not depend on the length of the text after the expression.
func (p *parser) jsxSkip(from int) (end int, ok bool) {
	const piece = 512
	s := NewScanner()
	for from < len(p.src) && s.Err() == nil {
		n, done := s.Feed([]byte(p.src[from:min(from+piece, len(p.src))]))
		if from += n; done {
			return from, true
		}
	}
	return 0, false
}
