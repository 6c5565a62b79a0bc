package apisample

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// double returns a literal in double quotes for C, Java, Go, JavaScript, Swift and most other languages.
func double(s string) string { return quoted(s, '"', `"\`) }

// dollar is like double, for languages that interpret $ inside quotes.
func dollar(s string) string { return quoted(s, '"', `"\$`) }

func quoted(s string, mark byte, special string) string {
	var b strings.Builder
	b.WriteByte(mark)
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			b.WriteByte(' ')
		case strings.ContainsRune(special, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(mark)
	return b.String()
}

// shell returns a literal in single quotes for a POSIX shell, which interprets nothing inside them.
func shell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// single returns a literal in single quotes where only \ and ' are special: PHP, Ruby.
func single(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// words holds a language's constants and the delimiters of its maps and lists.
type words struct {
	yes, no, null string
	open, colon   string
	shut          string
	listOpen      string
	listShut      string
	quote         func(string) string
}

// literal writes a value as source code. step is the indentation of one level.
func (w words) literal(v *jsontree.Value, indent, step string) string {
	switch {
	case v == nil || v.Kind == jsontree.Null:
		return w.null
	case v.Kind == jsontree.Bool:
		return map[string]string{"true": w.yes, "false": w.no}[v.Str]
	case v.Kind == jsontree.Number:
		return v.Str
	case v.Kind == jsontree.String:
		return w.quote(v.Str)
	case len(indent) > 200:
		return w.null
	}
	var b strings.Builder
	inner := indent + step
	if v.Kind == jsontree.List {
		if len(v.Items) == 0 {
			return w.listOpen + w.listShut
		}
		b.WriteString(w.listOpen)
		for i, item := range v.Items {
			b.WriteString(comma(i) + "\n" + inner + w.literal(item, inner, step))
		}
		return b.String() + "\n" + indent + w.listShut
	}
	if len(v.Members) == 0 {
		return w.open + w.shut
	}
	b.WriteString(w.open)
	for i, m := range v.Members {
		b.WriteString(comma(i) + "\n" + inner + w.quote(m.Key) + w.colon + w.literal(m.Value, inner, step))
	}
	return b.String() + "\n" + indent + w.shut
}

func comma(i int) string {
	if i > 0 {
		return ","
	}
	return ""
}

// source collects lines of code.
type source struct{ b strings.Builder }

func (s *source) line(parts ...string) {
	for _, p := range parts {
		s.b.WriteString(p)
	}
	s.b.WriteByte('\n')
}

// raw returns the run of # marks that delimits s in a language with raw literals: the shortest one that does not follow
// a quotation mark in s.
func raw(s string) string {
	n := 1
	for strings.Contains(s, `"`+strings.Repeat("#", n)) {
		n++
	}
	return strings.Repeat("#", n)
}
