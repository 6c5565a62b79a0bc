package esm

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// exports reads what follows the word export.
//
//	export = "default" value | ("const" | "let" | "var") declarators | ["async"] "function" ["*"] name … | "class" name …
//	       | names ["from" string] | "*" ["as" name] "from" string
func (r *reader) exports(list []Statement) []Statement {
	switch r.word {
	case "default":
		return r.defaults(list)
	case "const", "let", "var":
		return r.declarators(list, Kind(r.word))
	case "async", "function", "class":
		return r.declaration(list)
	case "{":
		return r.listed(list)
	case "*":
		return r.star(list)
	case "type", "interface", "enum", "declare", "abstract", "namespace":
		r.fail(r.at, "types cannot be exported from a page",
			"Pages may only contain JavaScript; move TypeScript into a .tsx file.")
		return list
	}
	r.unexpected()
	return list
}

func (r *reader) export(list []Statement, e Export) []Statement {
	if r.err != nil {
		return list
	}
	e.Offset, e.Source = r.start, r.source()
	return append(list, &e)
}

func (r *reader) defaults(list []Statement) []Statement {
	r.next()
	e := Export{Name: "default", Kind: Default}
	start := r.at
	switch r.word {
	case "":
		r.unexpected()
	case "async", "function", "class":
		for r.word == "async" || r.word == "function" || r.word == "class" || r.word == "*" {
			r.next()
		}
		if r.word != "" && isWord(r.word[0]) && r.word != "extends" {
			e.Local = r.word
		}
	}
	e.Init, e.InitAt = strings.TrimRight(r.src[start:], " \t\r\n;"), start
	return r.export(list, e)
}

// declaration reads the head of a function or class. The caller has checked that the body is closed.
func (r *reader) declaration(list []Statement) []Statement {
	kind := Function
	if r.word == "class" {
		kind = Class
	}
	if r.accept("async") && r.word != "function" {
		r.unexpected()
	}
	r.next()
	r.accept("*")
	name := r.name()
	return r.export(list, Export{Name: name, Local: name, Kind: kind})
}

func (r *reader) listed(list []Statement) []Statement {
	names := r.names()
	kind, from := List, ""
	if r.accept("from") {
		kind, from = Reexport, r.text()
		r.attributes()
	}
	r.end()
	for _, n := range names {
		list = r.export(list, Export{Name: n.As, Local: n.Name, Kind: kind, From: from})
	}
	return list
}

func (r *reader) star(list []Statement) []Statement {
	r.next()
	e := Export{Name: "*", Local: "*", Kind: Reexport}
	if r.accept("as") {
		e.Name = r.nameOrText()
	}
	r.expect("from")
	e.From = r.text()
	r.attributes()
	r.end()
	return r.export(list, e)
}

// declarators reads a list such as a = 1, {b, c} = d.
func (r *reader) declarators(list []Statement, kind Kind) []Statement {
	r.next()
	for r.err == nil {
		names := r.binding(0)
		if r.err != nil {
			break
		}
		simple := len(names) == 1 && r.word == "=" && names[0].simple
		init, at := "", 0
		if r.word == "=" {
			init, at = r.initialiser()
		}
		for _, n := range names {
			e := Export{Name: n.name, Local: n.name, Kind: kind}
			if simple {
				e.Init, e.InitAt = init, at
			}
			list = r.export(list, e)
		}
		if !r.accept(",") {
			r.end()
			break
		}
	}
	return list
}

// initialiser reads the value after =. It ends at a comma or semicolon outside of brackets, or at the end of the
// source.
func (r *reader) initialiser() (source string, at int) {
	s := expr.NewProgramScanner()
	fed, start := r.at, r.pos
	end := len(r.src)
	for i := start; ; i++ {
		next := strings.IndexAny(r.src[min(i, len(r.src)):], ",;")
		if next < 0 {
			break
		}
		i += next
		s.Feed([]byte(r.src[fed:i]))
		if fed = i; s.AtRest() {
			end = i
			break
		}
	}
	r.pos = start
	r.skip()
	at = r.pos
	source = strings.TrimRight(r.src[min(at, end):end], " \t\r\n")
	if source == "" {
		r.fail(r.at, "the value after = is missing", "")
	}
	r.pos = end
	r.next()
	return source, at
}
