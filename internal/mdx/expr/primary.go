package expr

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// postfix reads a primary expression and the accesses and calls after it:
//
//	postfix = primary {"." name | "[" sequence "]" | "(" arguments ")" | "?." …}
func (p *parser) postfix() node {
	start := p.tok.start
	n := p.primary()
	optional := false
	for p.tok.kind == tPunct {
		at := p.tok.start
		switch p.tok.text {
		case ".":
			p.next()
			n = p.member(n, at, false)
		case "[":
			n = p.index(n, at, false)
		case "(":
			n = &callNode{offset(start), n, p.arguments(n), false}
		case "?.":
			optional = true
			p.next()
			switch {
			case p.is("["):
				n = p.index(n, at, true)
			case p.is("("):
				n = &callNode{offset(start), n, p.arguments(n), true}
			default:
				n = p.member(n, at, true)
			}
		default:
			return p.chain(n, start, optional)
		}
	}
	if p.tok.kind == tTemplate {
		p.unexpected()
	}
	return p.chain(n, start, optional)
}

func (p *parser) chain(n node, start int, optional bool) node {
	if !optional {
		return n
	}
	return &chainNode{offset(start), n}
}

func (p *parser) member(object node, at int, optional bool) node {
	if p.tok.kind != tName {
		p.unexpected()
		return nil
	}
	n := &memberNode{offset: offset(at), object: object, name: p.tok.text, optional: optional}
	p.next()
	return n
}

func (p *parser) index(object node, at int, optional bool) node {
	p.next()
	key := p.sequence()
	p.expect("]")
	return &memberNode{offset: offset(at), object: object, key: key, optional: optional}
}

// arguments reads (a, ...b). Functions are allowed if callee is a method.
func (p *parser) arguments(callee node) (args []item) {
	_, method := callee.(*memberNode)
	p.expect("(")
	for p.err == nil && !p.is(")") {
		it := item{spread: p.accept("...")}
		if method && !it.spread {
			it.value = p.arrow()
		}
		if it.value == nil {
			it.value = p.assignment()
		}
		args = append(args, it)
		if !p.is(")") {
			p.expect(",")
		}
	}
	p.expect(")")
	return args
}

func (p *parser) primary() node {
	t := p.tok
	at := offset(t.start)
	switch t.kind {
	case tNumber:
		p.next()
		return &literalNode{at, t.number}
	case tString:
		p.next()
		return &literalNode{at, t.text}
	case tTemplate:
		return p.template()
	case tName:
		return p.word()
	case tPunct:
		switch t.text {
		case "(":
			return p.parenthesis()
		case "[":
			return p.array()
		case "{":
			return p.object()
		case "<":
			return p.jsxValue()
		case "/", "/=":
			p.fail(beyond("regular expression"))
			return nil
		}
	}
	p.unexpected()
	return nil
}

// word reads a name or a keyword that is a value.
func (p *parser) word() node {
	t := p.tok
	at := offset(t.start)
	p.next()
	switch t.text {
	case "true", "false":
		return &literalNode{at, t.text == "true"}
	case "null":
		return &literalNode{at, nil}
	case "function", "class", "new", "this", "super", "import", "await", "yield", "delete":
		p.fail(beyond(t.text))
		return nil
	case "async":
		if p.tok.kind == tName {
			p.fail(beyond(t.text))
			return nil
		}
	}
	if slices.Contains(reserved, t.text) {
		p.syntax(t.start, "unexpected "+t.text)
		return nil
	}
	if p.is("=>") {
		p.fail(beyond("function"))
		return nil
	}
	p.mention(t.text)
	return &nameNode{at, t.text}
}

// bindable reports whether a word may be the name of a parameter or a shorthand property.
func bindable(word string) bool {
	switch word {
	case "true", "false", "null", "typeof", "void", "function", "class", "new", "this", "super", "import", "delete",
		"await", "yield":
		return false
	}
	return !slices.Contains(reserved, word)
}

var reserved = []string{"break", "case", "catch", "const", "continue", "debugger", "default", "do", "else", "enum",
	"export", "extends",
	"finally", "for", "if", "in", "instanceof", "return", "switch", "throw", "try", "var", "while", "with"}

func (p *parser) parenthesis() node {
	open := p.tok.start
	p.next()
	if p.is(")") {
		p.next()
		if p.is("=>") {
			p.fail(beyond("function"))
		} else {
			p.syntax(open, "the parentheses are empty")
		}
		return nil
	}
	if p.is("...") {
		p.fail(beyond("function"))
		return nil
	}
	n := p.sequence()
	p.expect(")")
	p.paren = n
	return n
}

func (p *parser) array() node {
	n := &arrayNode{offset: offset(p.tok.start)}
	p.next()
	for p.err == nil && !p.is("]") {
		if p.is(",") {
			p.fail(beyond("array with holes"))
			return nil
		}
		it := item{spread: p.accept("...")}
		it.value = p.assignment()
		n.items = append(n.items, it)
		if !p.is("]") {
			p.expect(",")
		}
	}
	p.expect("]")
	return n
}

func (p *parser) template() node {
	n := &templateNode{offset: offset(p.tok.start)}
	for {
		text, open := p.templateText()
		n.texts = append(n.texts, text)
		if !open || p.err != nil {
			break
		}
		p.next()
		n.parts = append(n.parts, p.sequence())
		if p.err == nil && !p.is("}") {
			p.unexpected()
		}
		if p.err != nil {
			return nil
		}
		p.pos = p.tok.end // continue with characters, not with tokens
	}
	p.next()
	if len(n.parts) == 0 && p.err == nil {
		return &literalNode{n.offset, ast.Value(n.texts[0])}
	}
	return n
}
