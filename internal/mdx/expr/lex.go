package expr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tEnd tokenKind = iota
	tName
	tNumber
	tString
	tPunct
	tTemplate // the opening backtick
)

// lexed is one token. text is a name, a punctuator or the value of a string.
type lexed struct {
	kind   tokenKind
	text   string
	number float64
	start  int
	end    int
}

// punctuators lists operators, longest first, because the first match is the token.
var punctuators = [...]string{
	">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",
	"=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"<<", ">>", "**",
	"{", "}", "(", ")", "[", "]", ".", ";", ",", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?", ":",
	"=",
}

// next reads the token at p.pos into p.tok.
func (p *parser) next() {
	if p.err != nil {
		return
	}
	p.before = p.tok.end
	p.skipSpace()
	start := p.pos
	p.tok = lexed{kind: tEnd, start: start, end: start}
	if p.err != nil || start >= len(p.src) {
		return
	}
	switch c := p.src[start]; {
	case isDigit(c) || c == '.' && start+1 < len(p.src) && isDigit(p.src[start+1]):
		p.number()
	case c == '"' || c == '\'':
		p.quoted(c)
	case c == '`':
		p.pos++
		p.tok = lexed{kind: tTemplate, text: "`", start: start, end: p.pos}
	case c == '#' || c == '@' || c == '\\':
		p.syntax(start, "unexpected "+string(c))
	case isWord(c):
		p.name()
	default:
		p.punctuator()
	}
}

func (p *parser) punctuator() {
	rest := p.src[p.pos:]
	for _, s := range punctuators {
		if strings.HasPrefix(rest, s) && !(s == "?." && len(rest) > 2 && isDigit(rest[2])) {
			p.tok = lexed{kind: tPunct, text: s, start: p.pos, end: p.pos + len(s)}
			p.pos += len(s)
			return
		}
	}
	p.syntax(p.pos, "unexpected "+quoteByte(rest[0]))
}

func (p *parser) name() {
	start := p.pos
	for p.pos < len(p.src) {
		r, size := utf8.DecodeRuneInString(p.src[p.pos:])
		if !isNameRune(r, p.pos > start) {
			break
		}
		p.pos += size
	}
	if p.pos == start {
		p.syntax(start, "unexpected character")
		return
	}
	if p.pos < len(p.src) && p.src[p.pos] == '\\' {
		p.fail(beyond("escape in a name"))
		return
	}
	p.tok = lexed{kind: tName, text: p.src[start:p.pos], start: start, end: p.pos}
}

func isNameRune(r rune, inside bool) bool {
	switch {
	case r == utf8.RuneError:
		return false
	case r < 0x80:
		return r == '_' || r == '$' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || inside && '0' <= r && r <= '9'
	case unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start):
		return true
	}
	return inside && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) ||
		r == 0x200c || r == 0x200d)
}

// skipSpace skips white space and comments.
func (p *parser) skipSpace() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || '\t' <= c && c <= '\r':
			p.pos++
		case c == '/' && strings.HasPrefix(p.src[p.pos:], "//"):
			end := strings.IndexAny(p.src[p.pos:], "\n\r\u2028\u2029")
			if end < 0 {
				end = len(p.src) - p.pos
			}
			p.pos += end
		case c == '/' && strings.HasPrefix(p.src[p.pos:], "/*"):
			end := strings.Index(p.src[p.pos+2:], "*/")
			if end < 0 {
				p.syntax(p.pos, "the comment is not closed")
				return
			}
			p.pos += 2 + end + 2
		case c >= 0x80:
			r, size := utf8.DecodeRuneInString(p.src[p.pos:])
			if !isSpace(r) {
				return
			}
			p.pos += size
		default:
			return
		}
	}
}

// isSpace reports whether r is white space or a line terminator in JavaScript.
func isSpace(r rune) bool {
	return r == ' ' || '\t' <= r && r <= '\r' || r == 0xfeff || r == 0x2028 || r == 0x2029 ||
		r >= 0x80 && unicode.Is(unicode.Zs, r)
}
