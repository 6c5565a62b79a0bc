package expand

import "strconv"

func (g *generator) array() string {
	return g.nested(func() string { return g.one("list", "rows", "[]", "[1, 'b', null]", "deep.c") }, g.arrayLiteral,
		g.arrayLiteral, g.iterate,
		g.iterate, g.arrayMethod, g.split, g.entries)
}

func (g *generator) arrayLiteral() string {
	return "[" + g.list(4, ", ", func() string { return g.one("", "", "...") + g.any() }) + g.one("", "", ",") + "]"
}

func (g *generator) split() string { return "(" + g.text() + ").split(" + g.quoted() + ")" }

func (g *generator) entries() string {
	return g.one("Object.keys(", "Object.values(", "Object.entries(") + g.any() + ")"
}

func (g *generator) arrayMethod() string {
	s := g.wrapped(g.array) + g.dot()
	switch g.pick(3) {
	case 0:
		return s + "slice(" + g.arguments(2, g.small) + ")"
	case 1:
		return s + g.one("concat", "includes", "indexOf") + "(" + g.arguments(2, g.any) + ")"
	}
	return s + g.one("at", "flat", "toString", "reverse") + "(" + g.arguments(1, g.small) + ")"
}

func (g *generator) iterate() string {
	s := g.wrapped(g.array) + g.dot() + g.one("map", "filter", "find", "findIndex", "some", "every")
	if g.pick(8) == 7 {
		return s + "(" + g.one("Boolean", "String", "Number", "Math.abs", "1", "", "none") + ")"
	}
	return s + "(" + g.arrow() + ")"
}

func (g *generator) arrow() string {
	around := len(g.locals)
	defer func() { g.locals = g.locals[:around] }()
	head := ""
	if g.pick(2) == 0 {
		head = g.local()
	} else {
		head = "(" + g.list(3, ", ", g.parameter) + ")"
	}
	return head + " => " + g.operand(g.any)
}

// local returns the name of a new parameter. Names repeat on purpose, so that inner ones shadow outer ones.
func (g *generator) local() string {
	name := g.one("x", "y", "i", "z"+strconv.Itoa(len(g.locals)), "a", "list", "undefined", "Math")
	g.locals = append(g.locals, name)
	return name
}

func (g *generator) parameter() string {
	return g.nested(g.local, g.local, g.withDefault, g.objectPattern, g.arrayPattern)
}

func (g *generator) withDefault() string {
	name := g.one("p", "q", "r")
	s := name + " = " + g.any()
	g.locals = append(g.locals, name)
	return s
}

func (g *generator) objectPattern() string {
	return "{" + g.list(2, ", ", func() string {
		switch g.pick(3) {
		case 0:
			g.locals = append(g.locals, "id")
			return "id"
		case 1:
			s := "label = " + g.any()
			g.locals = append(g.locals, "label")
			return s
		}
		return g.one("id", "'label'", "length", "tags") + ": " + g.parameter()
	}) + "}"
}

func (g *generator) arrayPattern() string {
	return "[" + g.list(3, ", ", func() string {
		if g.pick(4) == 3 {
			return ""
		}
		return g.parameter()
	}) + "]"
}

func (g *generator) object() string {
	return g.nested(func() string { return g.one("user", "deep", "{}", "{a: 1, b: 'c'}") }, g.objectLiteral,
		g.objectLiteral)
}

func (g *generator) objectLiteral() string {
	return "{" + g.list(4, ", ", func() string {
		switch g.pick(4) {
		case 0:
			return g.name()
		case 1:
			return "..." + g.any()
		case 2:
			return "[" + g.any() + "]: " + g.any()
		}
		return g.one("b", "'c d'", "2", "1", "0.5", "if", "10", "'3'", "toString", "valueOf", "toJSON", "length", "1e3",
			"get", "'__proto__'") + ": " + g.any()
	}) + "}"
}

func (g *generator) boolean() string {
	return g.nested(func() string { return g.one("true", "false") }, g.compare, g.compare,
		func() string { return "Boolean(" + g.arguments(1, g.any) + ")" },
		func() string { return "Array.isArray(" + g.arguments(1, g.any) + ")" })
}

func (g *generator) compare() string {
	op := g.one("===", "!==", "==", "!=", "<", ">", "<=", ">=")
	form := g.any
	switch g.pick(3) {
	case 1:
		form = g.text
	case 2:
		form = g.number
	}
	return g.operand(form) + " " + op + " " + g.operand(form)
}

// choice returns an expression that evaluates only some of its parts.
func (g *generator) choice() string {
	switch g.pick(4) {
	case 0:
		return g.operand(g.any) + " ? " + g.any() + " : " + g.any()
	case 1:
		return "(" + g.any() + ", " + g.any() + ")"
	}
	return g.operand(g.any) + g.one(" && ", " || ", " ?? ") + g.operand(g.any)
}

// lookup returns an access to a member of a value of any type.
func (g *generator) lookup() string {
	object := g.wrapped(g.any)
	switch g.pick(4) {
	case 0:
		return object + g.dot() +
			g.one("name", "tags", "id", "b", "c", "length", "missing", "toString", "constructor", "__proto__", "if")
	case 1:
		return object + g.one("[", "[", "?.[") + g.any() + "]"
	case 2:
		return object + g.one("?.missing.x", "?.missing?.x", "?.tags.missing", ".tags?.[0]", "?.()", ".missing?.()",
			".missing()", "()", "?.x(1)", "?.a.b()")
	}
	return object + g.one("[", "?.[") + g.small() + "]"
}

func (g *generator) unary() string {
	return g.one("!", "-", "+", "~", "void ", "typeof ", "!!", "- -") + g.operand(g.any)
}

// mixed applies an arithmetic operator to values of any type.
func (g *generator) mixed() string {
	return g.operand(g.any) + g.one(" + ", " - ", " * ", " % ", " / ", " & ", " < ", " ** ", "+", "/* c */ - // d\n") +
		g.operand(g.any)
}

func (g *generator) jsx() string {
	name := g.one("b", "Card", "", "Tree.File", "x-y")
	if name == "" {
		return "<>" + g.children() + "</>"
	}
	attributes := g.list(3, "", func() string { return " " + g.attribute() })
	if g.pick(3) == 0 {
		return "<" + name + attributes + " />"
	}
	return "<" + name + attributes + ">" + g.children() + "</" + name + ">"
}

func (g *generator) attribute() string {
	switch g.pick(4) {
	case 0:
		return g.one("id", "data-x", "title") + `="` +
			g.one("", "v", "a &amp; b", "&lt;", "'", "x\\n", "é", "&copy; &nope; &#65;&#x42;") + `"`
	case 1:
		return g.one("hidden", "open", "key='k'")
	case 2:
		return "{..." + g.object() + "}"
	}
	return g.one("title", "key", "data", "class") + "={" + g.any() + "}"
}

// children avoids the one difference between the two: white space in text, other than blanks and tabs, next to line
// breaks. MDX and package expr keep it, but the bundler drops it.
func (g *generator) children() string {
	return g.list(4, "", func() string {
		switch g.pick(4) {
		case 0:
			return g.one("text", " ", "a\n  b", "\n", " &amp; ", "&nbsp;", "x &lt; y", "\t", "1", "é", "don't",
				"\n\n  c  \n", "&")
		case 1:
			return g.jsx()
		case 2:
			return "{" + g.one("", "/* c */", " ") + "}"
		}
		return "{" + g.any() + "}"
	})
}
