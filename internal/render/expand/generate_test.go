package expand

import "strings"

// generator generates an expression from bytes. Every byte is one choice. After the last byte, the generator always
// takes the first option, so it terminates. It covers every form that package expr accepts, and mostly passes the
// expected types to operators and methods.
type generator struct {
	data   []byte
	depth  int
	locals []string // parameters in scope
}

// maxGenerated is the maximum nesting of generated expressions.
const maxGenerated = 6

func (g *generator) pick(n int) int {
	if len(g.data) == 0 {
		return 0
	}
	b := g.data[0]
	g.data = g.data[1:]
	return int(b) % n
}

func (g *generator) one(of ...string) string { return of[g.pick(len(of))] }

// nested returns one of the forms. The first form must not contain nested expressions.
func (g *generator) nested(forms ...func() string) string {
	if g.depth >= maxGenerated {
		return forms[0]()
	}
	g.depth++
	defer func() { g.depth-- }()
	return forms[g.pick(len(forms))]()
}

// list joins up to most pieces.
func (g *generator) list(most int, sep string, piece func() string) string {
	parts := make([]string, g.pick(most+1))
	for i := range parts {
		parts[i] = piece()
	}
	return strings.Join(parts, sep)
}

func (g *generator) any() string {
	return g.nested(g.scalar, g.text, g.number, g.array, g.object, g.boolean, g.choice, g.lookup, g.unary, g.mixed,
		g.jsx)
}

// scalar returns a value without parts: a name, a constant or a literal.
func (g *generator) scalar() string {
	switch g.pick(5) {
	case 0:
		return g.name()
	case 1:
		return g.one("null", "undefined", "true", "false", "NaN", "Infinity")
	case 2:
		return g.numeral()
	case 3:
		return g.quoted()
	}
	return g.one("Math.PI", "Math.E", "Number.MAX_SAFE_INTEGER", "[]", "{}", "''")
}

func (g *generator) name() string {
	names := append([]string{"a", "text", "list", "user", "none", "rows", "wide", "deep"}, g.locals...)
	return names[g.pick(len(names))]
}

func (g *generator) numeral() string {
	return g.one("0", "1", "2", "-1", "0.5", ".25", "1e3", "1e21", "1e-7", "0x1f", "0b101", "0o17", "1_000",
		"123456789", "4294967295",
		"2147483648", "9007199254740993", "5e-324", "1.7976931348623157e308", "1.005", "2.5", "-0", "100", "10.",
		"0xFFFFFFFFFFFFFFFFFF")
}

func (g *generator) quoted() string {
	body := g.list(3, "", func() string {
		return g.one("a", "B", " ", "1", "-", "é", "日本", "😀", `\n`, `\u0041`, `\x7e`, `\u{1F600}`, `\\`, "$", "%", "ß",
			"\u00a0", ".5", "0x10",
			"e", "Infinity", "length", "toString", `\0`, "\u2028", "İ", "ﬁ", "Σ", "ǆ", "\ufeff", "\U00010400",
			"__proto__")
	})
	quote := g.one("'", `"`, "`")
	return quote + body + quote
}

func (g *generator) text() string {
	return g.nested(g.quoted, g.template, g.textMethod, g.textMethod, g.join, g.convert, g.sum)
}

func (g *generator) template() string {
	return "`" + g.list(3, "",
		func() string { return g.one("x", " ", `\n`, `\${`, "$", "é", "\r\n") + "${" + g.any() + "}" }) + "y`"
}

func (g *generator) sum() string { return g.text() + " + " + g.any() }

func (g *generator) join() string {
	return g.wrapped(g.array) + ".join(" + g.arguments(1, g.quoted) + ")"
}

func (g *generator) convert() string {
	switch g.pick(4) {
	case 0:
		return "String(" + g.arguments(1, g.any) + ")"
	case 1:
		return g.one("JSON.stringify(", "JSON.stringify(null, ") + g.any() + ")"
	case 2:
		return "JSON.stringify(" + g.any() + ", " + g.one("null", "undefined") + ", " + g.scalar() + ")"
	}
	return "typeof " + g.one("missing", "a", "none", "list", "(1 + a)", "Math", "(missing)")
}

// wrapped returns an expression that a member access may follow.
func (g *generator) wrapped(form func() string) string {
	if g.pick(3) == 0 {
		return g.name()
	}
	return "(" + form() + ")"
}

func (g *generator) textMethod() string {
	s := g.wrapped(g.text) + g.dot()
	switch g.pick(6) {
	case 0:
		return s + g.one("toUpperCase", "toLowerCase", "trim", "trimStart", "trimEnd", "toString") + "()"
	case 1:
		return s + g.one("slice", "repeat", "padStart", "padEnd", "substring", "charAt", "at") + "(" +
			g.arguments(2, g.small) + ")"
	case 2:
		return s + g.one("padStart", "padEnd") + "(" + g.small() + ", " + g.any() + ")"
	case 3:
		return s + g.one("replace", "replaceAll") + "(" + g.any() + ", " + g.any() + ")"
	case 4:
		return s + g.one("split", "includes", "startsWith", "endsWith", "indexOf", "concat") + "(" +
			g.arguments(2, g.any) + ")"
	}
	return s + "concat(" + g.arguments(2, g.any) + ")"
}

func (g *generator) dot() string { return g.one(".", ".", ".", "?.") }

// small returns a number too small to produce a large value, or something that is not a number.
func (g *generator) small() string {
	return g.one("0", "1", "2", "-1", "3", "-2", "5", "1.9", "-1.5", "NaN", "undefined", "null", "'2'", "true", "[]",
		"[2]", "{}", "a", "-0", "17",
		"-Infinity", "list", "'x'")
}

func (g *generator) arguments(most int, form func() string) string {
	return g.list(most, ", ", func() string {
		if g.pick(12) == 11 {
			return "..." + g.array()
		}
		return form()
	})
}

func (g *generator) number() string {
	return g.nested(g.numeral, g.arithmetic, g.arithmetic, g.mathCall, g.length, g.toNumber, g.fixed)
}

func (g *generator) arithmetic() string {
	op := g.one("+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>")
	return g.operand(g.number) + " " + op + " " + g.operand(g.number)
}

// operand returns an expression with or without parentheses, so that precedence is tested too.
func (g *generator) operand(form func() string) string {
	s := form()
	if g.pick(2) == 1 {
		return s
	}
	return "(" + s + ")"
}

func (g *generator) mathCall() string {
	fn := g.one("abs", "floor", "ceil", "trunc", "sqrt", "round", "sign", "max", "min", "pow", "cbrt", "hypot")
	return "Math." + fn + "(" + g.arguments(3, func() string { return g.operand(g.any) }) + ")"
}

func (g *generator) length() string { return g.wrapped(g.any) + g.dot() + "length" }

func (g *generator) toNumber() string {
	return g.one("Number(", "+(", "-(", "~(", "1 / (", "(") + g.any() + ")"
}

func (g *generator) fixed() string {
	return "(" + g.number() + ")" + g.one(".toFixed(", ".toString(", ".toPrecision(") + g.arguments(1, g.small) + ")"
}
