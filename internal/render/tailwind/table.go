package tailwind

import "strings"

// Notation of the tables, one row per line, with fields separated by white space:
//
//	one   CLASS  DECLARATIONS            a class
//         words PREFIX PROPERTY WORD…          classes PREFIX+WORD with the declaration PROPERTY:WORD; WORD=VALUE
// if they differ; PREFIX "-" is empty
//	many  NAME   VALUES…  DECLARATIONS   classes NAME-value; a "-" before NAME permits -NAME-value
//
// VALUES are words (key or key=value; "." is NAME alone; "_" is a space), @scale (scale.go) or [kind] for a value
// in brackets (arbitrary.go). DECLARATIONS may contain $ (the value), {group} (a composed value), and begin with ">
// " (all children but the first) or "::pseudo ".

type entry struct {
	order    int
	negative bool
	words    map[string]string
	scales   []string
	brackets []string
	suffix   string // text after the class in the selector
	decls    string
	bases    []string // groups whose parts are reset
}

const allButFirst = " > :not([hidden]) ~ :not([hidden])"

var (
	composed  = readPairs(composedTable)
	bases     = readPairs(baseTable)
	keyframes = readPairs(keyframesTable)
	index     = readTables(layoutTable, boxTable, paintTable, effectTable)
)

func readPairs(table string) map[string]string {
	m := map[string]string{}
	for _, line := range strings.Split(table, "\n") {
		if name, text, ok := strings.Cut(line, " "); ok {
			m[name] = strings.TrimLeft(text, " ")
		}
	}
	parts := make([]string, 0, 9)
	for _, f := range strings.Fields("blur brightness contrast grayscale hue-rotate invert opacity saturate sepia") {
		parts = append(parts, "var(--tw-backdrop-"+f+")")
	}
	if b, ok := m["backdrop"]; ok {
		m["backdrop"] = strings.ReplaceAll(b, "%backdrop", strings.Join(parts, " "))
	}
	return m
}

// readTables indexes rows by name. Rows with the same name are tried in order.
func readTables(tables ...string) map[string][]*entry {
	m := map[string][]*entry{}
	for order, line := range strings.Split(strings.Join(tables, "\n"), "\n") {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch kind {
		case "one":
			class, decls, _ := strings.Cut(rest, " ")
			m[class] = append(m[class], newEntry(order, []string{"."}, strings.TrimSpace(decls)))
		case "words":
			f := strings.Fields(rest)
			for _, w := range f[2:] {
				word, value, has := strings.Cut(w, "=")
				if !has {
					value = word
				}
				class := strings.TrimPrefix(f[0], "-") + word
				m[class] = append(m[class], newEntry(order, []string{"."}, f[1]+":"+spaced(value)))
			}
		case "many":
			name, values, decls := splitMany(rest)
			e := newEntry(order, values, decls)
			bare := strings.TrimPrefix(name, "-")
			e.negative = bare != name
			m[bare] = append(m[bare], e)
		}
	}
	return m
}

// splitMany finds where the values end. The declarations start with the first field that begins with "> ", "::", "$",
// "{" or "name:".
func splitMany(rest string) (name string, values []string, decls string) {
	name, rest, _ = strings.Cut(rest, " ")
	for {
		rest = strings.TrimLeft(rest, " ")
		field, after, more := strings.Cut(rest, " ")
		if !more || field == ">" || field[0] == '$' || field[0] == '{' || strings.HasPrefix(field, "::") ||
			field[0] != '@' && field[0] != '[' && strings.Contains(field, ":") {
			return name, values, rest
		}
		values, rest = append(values, field), after
	}
}

func newEntry(order int, values []string, decls string) *entry {
	e := &entry{order: order, words: map[string]string{}}
	for _, v := range values {
		switch {
		case v[0] == '@':
			e.scales = append(e.scales, v[1:])
		case v[0] == '[':
			e.brackets = append(e.brackets, strings.Trim(v, "[]"))
		default:
			key, value, has := strings.Cut(v, "=")
			if !has {
				value = key
			}
			e.words[key] = spaced(value)
		}
	}
	if child, ok := strings.CutPrefix(decls, "> "); ok {
		e.suffix, decls = allButFirst, child
	} else if strings.HasPrefix(decls, "::") {
		e.suffix, decls, _ = strings.Cut(decls, " ")
	}
	e.decls, e.bases = compose(decls)
	return e
}

// compose replaces each {group} with its composed value and returns the groups whose bases are needed.
func compose(decls string) (string, []string) {
	var groups []string
	for {
		before, rest, ok := strings.Cut(decls, "{")
		if !ok {
			return decls, groups
		}
		group, after, _ := strings.Cut(rest, "}")
		decls = before + composed[group] + after
		switch group {
		case "transform3d":
			group = "transform"
		case "shadow":
			group = "ring"
		}
		groups = append(groups, group)
	}
}

func spaced(s string) string { return strings.ReplaceAll(s, "_", " ") }
