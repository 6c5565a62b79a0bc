package guard

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// outside are names through which code accesses the reader's browser, the network or the machine that builds the
// site.
var outside = words(`fetch xmlhttprequest websocket eventsource importscripts eval document window globalthis self top
	parent frames localstorage sessionstorage indexeddb navigator location history postmessage process
	require worker sharedworker settimeout setinterval atob unescape`)

// reachingNames are names that give such access even as a property of another object.
var reachingNames = words(`constructor __proto__ prototype cookie innerhtml outerhtml insertadjacenthtml
	dangerouslysetinnerhtml sendbeacon defaultview ownerdocument`)

// signs are the corresponding names for code whose strings cannot be recognised reliably.
var signs = []string{"fetch(", "xmlhttprequest", "websocket(", "eventsource(", "sendbeacon", "eval(", "import(",
	"document.", "window.", "document[",
	"window[", "globalthis", "self[", "top[", "this[", "frames[", "localstorage", "sessionstorage", "indexeddb",
	"location.", "location=", "cookie", "process.env",
	"constructor", "__proto__", "innerhtml", "new function", "function(\"", "function('"}

// code checks an expression. Literals and comments are harmless.
func (w *pageWalker) code(at ast.Span, source string) {
	switch {
	case literal(source):
	case reaches(source):
		w.add(at, never, "code that reaches outside the page", source)
	default:
		w.add(at, rich, "an expression", source)
	}
}

// reaches reports whether code uses one of these names.
func reaches(source string) bool {
	bare, sure := outOfStrings(source)
	if !sure {
		lower := strings.ToLower(undisguised(source))
		for _, sign := range signs {
			if strings.Contains(lower, sign) {
				return true
			}
		}
		return rawScript(source) != ""
	}
	for i := 0; i < len(bare); i++ {
		if !nameByte(bare[i]) {
			continue
		}
		from := i
		for i < len(bare) && nameByte(bare[i]) {
			i++
		}
		if reachingName(bare, from, i) {
			return true
		}
	}
	return strings.Contains(bare, "[0]") && strings.Contains(source, "constructor") // a property accessed by a string
}

// reachingName checks the name between two offsets of code without strings.
func reachingName(bare string, from, to int) bool {
	name := strings.ToLower(bare[from:to])
	before, after := strings.TrimRight(bare[:from], " \t\r\n"), strings.TrimLeft(bare[to:], " \t\r\n")
	switch {
	case reachingNames[name]:
		return true
	case strings.HasPrefix(after, ":") && !strings.HasSuffix(before, "?"): // an object key
		return false
	case name == "import":
		return strings.HasPrefix(after, "(")
	case name == "function":
		return bare[from:to] == "Function"
	case strings.HasSuffix(before, ".") && !strings.HasSuffix(before, ".."):
		return false // a property
	}
	return outside[name]
}

func nameByte(b byte) bool { return alnum.in(b) || b == '_' || b == '$' }

// outOfStrings removes strings and comments from code; expressions in templates are kept. sure is false if the code
// contains tags or what may be a regular expression. A quote then need not start a string, so everything has to be
// checked.
func outOfStrings(source string) (bare string, sure bool) {
	var b strings.Builder
	var open []byte // expected closing characters, innermost last: a quote, or } for code within a template
	for i := 0; i < len(source); i++ {
		ch, within := source[i], byte(0)
		if len(open) > 0 {
			within = open[len(open)-1]
		}
		switch {
		case within == '"' || within == '\'' || within == '`':
			switch {
			case ch == '\\':
				i++
			case ch == within:
				open = open[:len(open)-1]
				b.WriteString("0") // replaces a value
			case within == '`' && strings.HasPrefix(source[i:], "${"):
				open = append(open, '}')
				i++
			}
		case ch == '"' || ch == '\'' || ch == '`':
			open = append(open, ch)
		case ch == '}' && within == '}':
			open = open[:len(open)-1]
		case ch == '{':
			if within == '}' {
				return source, false // an object inside a template: too rare to keep track of
			}
			b.WriteByte(ch)
		case ch == '<' || ch == '\\':
			return source, false
		case ch == '/':
			end := commentEnd(source, i)
			if end < 0 {
				return source, false
			}
			i = end - 1
			b.WriteByte(' ')
		default:
			b.WriteByte(ch)
		}
	}
	return b.String(), len(open) == 0
}

// commentEnd returns the position where the comment at i ends, or -1 if there is no comment.
func commentEnd(source string, i int) int {
	rest := source[i:]
	switch {
	case strings.HasPrefix(rest, "//"):
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return i + n
		}
		return len(source)
	case strings.HasPrefix(rest, "/*"):
		if n := strings.Index(rest[2:], "*/"); n >= 0 {
			return i + 2 + n + 2
		}
	}
	return -1
}

// literal reports whether an expression is only data: numbers, strings, lists, objects, comments, true, false.
func literal(source string) bool {
	bare, sure := outOfStrings(source)
	if !sure || strings.ContainsAny(bare, "();=?!&|") {
		return false
	}
	for i := 0; i < len(bare); i++ {
		if !nameByte(bare[i]) {
			continue
		}
		from := i
		for i < len(bare) && nameByte(bare[i]) {
			i++
		}
		name := bare[from:i]
		key := strings.HasPrefix(strings.TrimLeft(bare[i:], " \t\r\n"), ":")
		if number := name[0] >= '0' && name[0] <= '9'; !key && !number && name != "true" && name != "false" &&
			name != "null" && name != "undefined" {
			return false
		}
	}
	return true
}
