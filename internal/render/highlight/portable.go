package highlight

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// Portable holds the rules of a language for the engine in the browser (web/theme/src/playground/highlight.ts), which
// highlights code in the same way as Lines does. Rules that the browser cannot run are omitted.
type Portable struct {
	States map[string][]int `json:"states"` // indexes in Rules, by state
	Rules  []portableRule   `json:"rules"`
	Break  bool             `json:"break,omitempty"` // a line break is appended to the code
}

// portableRule is [pattern, flags, emit, pops, pushes]. emit is a class, a list of classes by group, or null. "_" is
// the class of a plain name. A list with a single string names the state in which the text of a group is tokenized
// again.
type portableRule [5]any

// Portable returns the rules of a language. ok is false if the language has none that are portable.
func (h *Highlighter) Portable(lang string) (p Portable, ok bool) {
	l := h.languages[canonical(lang)]
	if l == nil {
		return p, false
	}
	if l.once.Do(l.compile); l.states == nil {
		return p, false
	}
	config := l.lexer.Config()
	flags := "u"
	if config.CaseInsensitive {
		flags += "i"
	}
	p = Portable{States: map[string][]int{}, Break: config.EnsureNL}
	seen := map[string]int{}
	for _, name := range slices.Sorted(mapKeys(l.rules)) {
		p.States[name] = []int{}
		for _, c := range l.rules[name] {
			rule, ok := portableOf(c, flags, config.DotAll)
			if !ok {
				continue
			}
			key, err := json.Marshal(rule)
			if err != nil {
				continue
			}
			at, known := seen[string(key)]
			if !known {
				at = len(p.Rules)
				seen[string(key)], p.Rules = at, append(p.Rules, rule)
			}
			p.States[name] = append(p.States[name], at)
		}
	}
	return p, true
}

func mapKeys(rules chroma.CompiledRules) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range rules {
			if !yield(name) {
				return
			}
		}
	}
}

func portableOf(c *chroma.CompiledRule, flags string, dotAll bool) (portableRule, bool) {
	pattern, fold, ok := portablePattern(c.Pattern, dotAll)
	if !ok {
		return portableRule{}, false
	}
	if fold && !strings.Contains(flags, "i") {
		flags += "i"
	}
	emit, ok := portableEmitter(c.Type)
	if !ok {
		return portableRule{}, false
	}
	pops, pushes, ok := portableMutator(c.Mutator)
	return portableRule{pattern, flags, emit, pops, pushes}, ok
}

func portableClass(t chroma.TokenType) string {
	class := classOf(t)
	if class == "" && t.InCategory(chroma.Name) {
		return "_"
	}
	return class
}

func portableEmitter(e chroma.Emitter) (any, bool) {
	switch e := e.(type) {
	case nil:
		return nil, true
	case chroma.TokenType:
		return portableClass(e), true
	}
	v := reflect.Indirect(reflect.ValueOf(e)) // the types of emitters are not exported, but their fields are
	serial, known := e.(chroma.SerialisableEmitter)
	if !known || v.Kind() != reflect.Struct {
		return "s", true // another language inside a string
	}
	switch serial.EmitterKind() {
	case "usingself":
		return []string{v.FieldByName("State").String()}, true
	case "bygroups":
		list, ok := v.FieldByName("Emitters").Interface().(chroma.Emitters)
		if !ok {
			return nil, false
		}
		out := []any{}
		for _, one := range list {
			part, ok := portableEmitter(one)
			if !ok {
				return nil, false
			}
			out = append(out, part)
		}
		return map[string]any{"groups": out}, true
	}
	return "", true
}

// portableMutator determines the effect of a mutator by applying it to a stack of markers.
func portableMutator(m chroma.Mutator) (pops int, pushes []string, ok bool) {
	pushes = []string{}
	if m == nil {
		return 0, pushes, true
	}
	if _, known := m.(chroma.SerialisableMutator); !known {
		return 0, nil, false
	}
	marks := []string{"\x00a", "\x00b", "\x00c", "\x00d", "\x00e", "\x00f"}
	ls := &chroma.LexerState{Stack: slices.Clone(marks)}
	if err := m.Mutate(ls); err != nil {
		return 0, nil, false
	}
	same := 0
	for same < min(len(marks), len(ls.Stack)) && marks[same] == ls.Stack[same] {
		same++
	}
	for _, name := range ls.Stack[same:] {
		if strings.HasPrefix(name, "\x00") {
			name = "" // the current state
		}
		pushes = append(pushes, name)
	}
	return len(marks) - same, pushes, true
}

// portablePattern rewrites a regexp2 pattern for JavaScript with the flag u. ok is false if the pattern contains a
// construct that JavaScript does not support.
func portablePattern(p string, dotAll bool) (out string, fold, ok bool) {
	p = strings.ReplaceAll(p, `[^\W\d]`, `\w`)
	for strings.HasPrefix(p, "(?") {
		end := strings.IndexByte(p, ')')
		if end < 0 || strings.Trim(p[2:end], "imsx") != "" || end == 2 {
			break
		}
		if strings.ContainsRune(p[2:end], 'x') {
			return "", false, false
		}
		fold = fold || strings.ContainsRune(p[2:end], 'i')
		dotAll = dotAll || strings.ContainsRune(p[2:end], 's')
		p = p[end+1:]
	}
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\\' && i+1 < len(p):
			i++
			b.WriteString(portableEscape(p[i]))
			if end := strings.IndexByte(p[i:], '}'); (p[i] == 'p' || p[i] == 'P') && end > 0 {
				b.WriteString(p[i+1 : i+end+1])
				i += end
			}
		case c == '[':
			end := classEnd(p, i)
			if !portableSet(&b, p[i:end]) {
				return "", false, false
			}
			i = end - 1
		case c == '.' && dotAll:
			b.WriteString(`[^]`)
		case c == '.':
			b.WriteString(`[^\n]`)
		case c == '^':
			b.WriteString(`(?<![^\n])`)
		case c == '$':
			b.WriteString(`(?![^\n])`)
		case c == '{' && !quantifier(p[i:]), c == '}' && !closesQuantifier(p[:i]), c == ']':
			fmt.Fprintf(&b, `\x%02x`, c)
		case strings.HasPrefix(p[i:], "(?>"):
			b.WriteString("(?:")
			i += 2
		case strings.HasPrefix(p[i:], "(?P<"):
			b.WriteString("(?<")
			i += 3
		case strings.HasPrefix(p[i:], "(?") && i+2 < len(p) && strings.IndexByte("imsx-#'", p[i+2]) >= 0:
			return "", false, false
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), fold, true
}

func quantifier(p string) bool {
	inner, _, closed := strings.Cut(p[1:], "}")
	return closed && inner != "" && inner[0] != ',' && strings.Trim(inner, "0123456789,") == ""
}

func closesQuantifier(before string) bool {
	open := strings.LastIndexByte(before, '{')
	return open >= 0 && quantifier(before[open:]+"}")
}

// portableEscape returns the equivalent of a backslash followed by c.
func portableEscape(c byte) string {
	switch {
	case c == 'A':
		return `(?<![^])`
	case c == 'z':
		return `(?![^])`
	case c == 'Z':
		return `(?=\n?(?![^]))`
	case c == 'a':
		return `\x07`
	case c == 'e':
		return `\x1b`
	case c == '_' || c == '"' || c == '\'' || c < 'A' && (c < '0' || c > '9') || c > 'Z' && c < 'a' || c > 'z' && c < 128:
		return fmt.Sprintf(`\x%02x`, c)
	}
	return `\` + string(c)
}

// portableSet rewrites a set of characters.
func portableSet(b *strings.Builder, set string) bool {
	if strings.Contains(set, "-[") || strings.Contains(set, "[:") || len(set) < 2 {
		return false
	}
	b.WriteByte('[')
	inner := set[1 : len(set)-1]
	if strings.HasPrefix(inner, "^") {
		b.WriteByte('^')
		inner = inner[1:]
	}
	class := false // the last item was a class such as \w
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		switch {
		case c == '\\' && i+1 < len(inner):
			i++
			class = strings.IndexByte("wWdDsSpP", inner[i]) >= 0
			if inner[i] == 'b' {
				b.WriteString(`\x08`)
				continue
			}
			b.WriteString(portableEscape(inner[i]))
			if inner[i] == 'p' || inner[i] == 'P' {
				end := strings.IndexByte(inner[i:], '}')
				if end < 0 {
					return false
				}
				b.WriteString(inner[i+1 : i+end+1])
				i += end
			}
			continue
		case c == '-' && (i == 0 || i == len(inner)-1 || class || i+2 < len(inner) && inner[i+1] == '\\' &&
			strings.IndexByte("wWdDsSpP", inner[i+2]) >= 0):
			b.WriteString(`\x2d`)
		case c == '[' || c == ']':
			fmt.Fprintf(b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
		class = false
	}
	b.WriteByte(']')
	return true
}
