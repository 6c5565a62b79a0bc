package expr

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// arrow reads a function whose body is an expression. It returns nil and reads nothing if there is none:
//
//	arrow   = (name | "(" [pattern {"," pattern}] ")") "=>" assignment
//	pattern = (name | "{" {name [":" pattern]} "}" | "[" {pattern} "]") ["=" assignment]
//
// Patterns without defaults can also be parsed as expressions, so the parser may go back and try that. After a default,
// it never goes back, so nothing is read more than twice.
func (p *parser) arrow() node {
	if p.tok.kind != tName && !p.is("(") || p.err != nil {
		return nil
	}
	saved, around := *p, len(p.locals)
	p.own, p.early, p.inDefault = around, nil, false
	n := &arrowNode{offset: offset(p.tok.start)}
	if p.accept("(") {
		for p.err == nil && !p.is(")") {
			n.params = append(n.params, p.pattern())
			if !p.is(")") {
				p.expect(",")
			}
		}
		p.expect(")")
	} else {
		n.params = append(n.params, &pattern{name: p.tok.text})
		p.local(p.tok.text)
		p.next()
	}
	if p.err != nil || !p.is("=>") || strings.ContainsAny(p.src[p.before:p.tok.start], "\n\r\u2028\u2029") {
		saved.names, saved.seen = p.names, p.seen // a few extra names do no harm
		*p = saved
		return nil
	}
	p.next()
	if p.is("{") {
		p.fail(beyond("function with statements"))
		return nil
	}
	p.own, p.early, p.inDefault = saved.own, append(saved.early, p.early...), saved.inDefault
	p.arrows++
	n.body = p.assignment()
	p.arrows--
	p.locals = p.locals[:around]
	return n
}

// maxLocals limits the number of parameters in scope, because they are searched linearly.
const maxLocals = 100

// local adds a parameter. An expression with a name that JavaScript does not allow here is left to the engine, which
// reports the reason.
func (p *parser) local(name string) {
	if !bindable(name) || slices.Contains(p.locals[p.own:], name) || slices.Contains(p.early, name) {
		p.fail(beyond("parameter named " + name))
		return
	}
	if p.locals = append(p.locals, name); len(p.locals) > maxLocals {
		p.fail(beyond("function with very many parameters"))
	}
}

func (p *parser) pattern() *pattern {
	defer func() { p.depth-- }()
	if !p.enter() {
		return nil
	}
	n := &pattern{}
	first := len(p.locals)
	switch {
	case p.tok.kind == tName:
		n.name = p.tok.text
		p.local(n.name)
		p.next()
	case p.accept("{"):
		n.kind = patternObject
		p.objectPattern(n)
	case p.accept("["):
		n.kind = patternArray
		for p.err == nil && !p.is("]") {
			if p.accept(",") {
				n.array = append(n.array, nil)
				continue
			}
			n.array = append(n.array, p.pattern())
			if !p.is("]") {
				p.expect(",")
			}
		}
		p.expect("]")
	default:
		p.unexpected()
	}
	if p.accept("=") {
		n.fallback = p.fallback(first)
	}
	return n
}

// fallback reads a default value. The default must not use the parameters that it initializes (the locals from first
// on) or later ones, because they have no value yet. local checks the later ones.
func (p *parser) fallback(first int) node {
	outer := p.inDefault
	p.inDefault = true
	n := p.assignment()
	p.inDefault = outer
	for _, name := range p.locals[min(first, len(p.locals)):] {
		if slices.Contains(p.early, name) {
			p.fail(beyond("default that uses its own parameter"))
		}
	}
	return n
}

func (p *parser) objectPattern(n *pattern) {
	for p.err == nil && !p.is("}") {
		f := field{key: p.tok.text}
		name := p.tok
		if name.kind != tName && name.kind != tString {
			p.unexpected()
			return
		}
		p.next()
		if p.accept(":") {
			f.to = p.pattern()
		} else {
			if name.kind != tName {
				p.unexpected()
				return
			}
			f.to = &pattern{name: name.text}
			first := len(p.locals)
			p.local(name.text)
			if p.accept("=") {
				f.to.fallback = p.fallback(first)
			}
		}
		n.object = append(n.object, f)
		if !p.is("}") {
			p.expect(",")
		}
	}
	p.expect("}")
}

// bind assigns a value to the names of a pattern.
func (m *machine) bind(to *env, n *pattern, v ast.Value) error {
	if n == nil {
		return nil
	}
	if _, missing := v.(ast.Undefined); missing && n.fallback != nil {
		var err error
		if v, err = m.eval(n.fallback, to); err != nil {
			return err
		}
	}
	switch n.kind {
	case patternName:
		to.set(n.name, v)
		return nil
	case patternArray:
		list, ok := v.([]ast.Value)
		if !ok {
			return beyond("destructured value that is not an array")
		}
		for i, e := range n.array {
			var item ast.Value = ast.Undefined{}
			if i < len(list) {
				item = list[i]
			}
			if err := m.bind(to, e, item); err != nil {
				return err
			}
		}
		return nil
	}
	if nullish(v) {
		return &EvalError{0, "cannot destructure " + ast.String(v)}
	}
	for _, f := range n.object {
		item, err := m.property(v, f.key, 0)
		if err != nil {
			return err
		}
		if err := m.bind(to, f.to, item); err != nil {
			return err
		}
	}
	return nil
}
