package expr

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxLiteralDepth limits the nesting of lists and objects on the fast path.
const maxLiteralDepth = 32

// Literal is a fast path for literals (true, 2, "x", {a: 'b'}, [1, 2]), which most attributes consist of. If it returns
// false, the source may still be valid, and the caller must use Parse.
func Literal(source string) (ast.Value, bool) {
	l := literalReader{src: source}
	l.space()
	v, ok := l.value(0)
	l.space()
	return v, ok && l.pos == len(source)
}

type literalReader struct {
	src string
	pos int
}

func (l *literalReader) space() {
	for l.pos < len(l.src) &&
		(l.src[l.pos] == ' ' || l.src[l.pos] == '\n' || l.src[l.pos] == '\t' || l.src[l.pos] == '\r') {
		l.pos++
	}
}

func (l *literalReader) accept(c byte) bool {
	l.space()
	if l.pos < len(l.src) && l.src[l.pos] == c {
		l.pos++
		return true
	}
	return false
}

func (l *literalReader) value(depth int) (ast.Value, bool) {
	l.space()
	if l.pos >= len(l.src) || depth > maxLiteralDepth {
		return nil, false
	}
	switch c := l.src[l.pos]; {
	case c == '"' || c == '\'' || c == '`':
		s, ok := l.text(c)
		return s, ok
	case isDigit(c) || c == '-' || c == '.':
		return l.number()
	case c == '[':
		return l.list(depth)
	case c == '{':
		return l.object(depth)
	}
	switch l.word() {
	case "true":
		return true, true
	case "false":
		return false, true
	case "null":
		return nil, true
	}
	return nil, false
}

func (l *literalReader) word() string {
	start := l.pos
	for l.pos < len(l.src) && isWord(l.src[l.pos]) && l.src[l.pos] < 0x80 {
		l.pos++
	}
	return l.src[start:l.pos]
}

// text returns a string without escapes, or a template without substitutions.
func (l *literalReader) text(quote byte) (string, bool) {
	l.pos++
	end := strings.IndexByte(l.src[l.pos:], quote)
	if end < 0 {
		return "", false
	}
	s := l.src[l.pos : l.pos+end]
	if strings.IndexByte(s, '\\') >= 0 || strings.IndexByte(s, '\r') >= 0 ||
		quote == '`' && strings.Contains(s, "${") || quote != '`' && strings.IndexByte(s, '\n') >= 0 {
		return "", false
	}
	l.pos += end + 1
	return s, true
}

func (l *literalReader) number() (ast.Value, bool) {
	negative := l.src[l.pos] == '-'
	if negative {
		l.pos++
	}
	start := l.pos
	for l.pos < len(l.src) && (isDigit(l.src[l.pos]) || l.src[l.pos] == '.') {
		l.pos++
	}
	text := l.src[start:l.pos]
	if len(text) > 1 && text[0] == '0' && isDigit(text[1]) {
		return nil, false
	}
	if l.pos < len(l.src) && isWord(l.src[l.pos]) {
		return nil, false
	}
	f, ok := parseDecimal(text)
	if negative {
		f = -f
	}
	return f, ok
}

func (l *literalReader) list(depth int) (ast.Value, bool) {
	l.pos++
	list := []ast.Value{}
	for !l.accept(']') {
		v, ok := l.value(depth + 1)
		if !ok {
			return nil, false
		}
		list = append(list, v)
		if !l.accept(',') && !l.peek(']') {
			return nil, false
		}
	}
	return list, true
}

func (l *literalReader) object(depth int) (ast.Value, bool) {
	l.pos++
	o := &ast.Object{}
	for !l.accept('}') {
		key, ok := l.key()
		if !ok || key == "__proto__" || !l.accept(':') {
			return nil, false
		}
		v, ok := l.value(depth + 1)
		if !ok {
			return nil, false
		}
		o.Set(key, v)
		if !l.accept(',') && !l.peek('}') {
			return nil, false
		}
	}
	order(o)
	return o, true
}

func (l *literalReader) key() (string, bool) {
	l.space()
	if l.pos >= len(l.src) {
		return "", false
	}
	if c := l.src[l.pos]; c == '"' || c == '\'' {
		return l.text(c)
	} else if isDigit(c) || c == '#' || c == '\\' {
		return "", false
	}
	w := l.word()
	return w, w != "" && !strings.ContainsAny(w, `#\`)
}

func (l *literalReader) peek(c byte) bool {
	l.space()
	return l.pos < len(l.src) && l.src[l.pos] == c
}
