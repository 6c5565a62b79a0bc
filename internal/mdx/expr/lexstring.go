package expr

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted reads a string in single or double quotes.
func (p *parser) quoted(quote byte) {
	start := p.pos
	p.pos++
	var b strings.Builder
	from := p.pos
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; c {
		case quote:
			text := p.src[from:p.pos]
			if b.Len() > 0 {
				b.WriteString(text)
				text = b.String()
			}
			p.pos++
			p.tok = lexed{kind: tString, text: text, start: start, end: p.pos}
			return
		case '\n', '\r':
			p.syntax(p.pos, "a quoted string must end on the same line; use a template string with ` for several lines")
			return
		case '\\':
			b.WriteString(p.src[from:p.pos])
			if !p.escape(&b, false) {
				return
			}
			from = p.pos
			if b.Len() == 0 { // an escaped line break adds nothing
				continue
			}
		default:
			p.pos++
		}
	}
	p.syntax(start, "the string is not closed")
}

// templateText reads the text of a template up to and including ${ or the closing backtick. open is true if it
// found ${.
func (p *parser) templateText() (text string, open bool) {
	start := p.pos - 1
	var b strings.Builder
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == '`':
			p.pos++
			return b.String(), false
		case c == '$' && strings.HasPrefix(p.src[p.pos:], "${"):
			p.pos += 2
			return b.String(), true
		case c == '\\':
			if !p.escape(&b, true) {
				return "", false
			}
		case c == '\r': // line breaks in templates are always \n
			b.WriteByte('\n')
			p.pos++
			if p.pos < len(p.src) && p.src[p.pos] == '\n' {
				p.pos++
			}
		default:
			b.WriteByte(c)
			p.pos++
		}
	}
	p.syntax(start, "the template string is not closed")
	return "", false
}

// escape reads an escape sequence in a string or template.
func (p *parser) escape(b *strings.Builder, template bool) bool {
	at := p.pos
	p.pos++
	if p.pos >= len(p.src) {
		p.syntax(at, "the string is not closed")
		return false
	}
	c := p.src[p.pos]
	p.pos++
	if i := strings.IndexByte("nrtbfv", c); i >= 0 {
		b.WriteByte("\n\r\t\b\f\v"[i])
		return true
	}
	switch {
	case c == '\r':
		if p.pos < len(p.src) && p.src[p.pos] == '\n' {
			p.pos++
		}
	case c == '\n', strings.HasPrefix(p.src[p.pos-1:], "\u2028"), strings.HasPrefix(p.src[p.pos-1:], "\u2029"):
		if c != '\n' {
			p.pos += 2
		}
	case c == '0' && (p.pos >= len(p.src) || !isDigit(p.src[p.pos])):
		b.WriteByte(0)
	case isDigit(c) && template:
		p.syntax(at, "octal escapes are not allowed")
		return false
	case isDigit(c):
		p.fail(beyond("octal escape")) // modules reject it, old scripts allow it
		return false
	case c == 'x':
		return p.hexEscape(b, at, 2)
	case c == 'u':
		return p.unicodeEscape(b, at)
	default:
		_, size := utf8.DecodeRuneInString(p.src[p.pos-1:])
		b.WriteString(p.src[p.pos-1 : p.pos-1+size])
		p.pos += size - 1
	}
	return true
}

func (p *parser) hexEscape(b *strings.Builder, at, digits int) bool {
	r, ok := p.hex(digits)
	if !ok {
		p.syntax(at, "the escape needs hexadecimal digits")
		return false
	}
	b.WriteRune(r)
	return true
}

// unicodeEscape reads the part after \u: four digits, or up to six in braces. Two escapes may form one character.
func (p *parser) unicodeEscape(b *strings.Builder, at int) bool {
	if strings.HasPrefix(p.src[p.pos:], "{") {
		end := strings.IndexByte(p.src[p.pos:], '}')
		if end < 2 || end > 9 {
			p.syntax(at, "the escape needs hexadecimal digits")
			return false
		}
		p.pos++
		r, ok := p.hex(end - 1)
		if !ok || r > utf8.MaxRune {
			p.syntax(at, "the escape is not a valid character")
			return false
		}
		p.pos++
		return p.writeRune(b, r)
	}
	r, ok := p.hex(4)
	if !ok {
		p.syntax(at, "the escape needs four hexadecimal digits")
		return false
	}
	if utf16.IsSurrogate(r) && strings.HasPrefix(p.src[p.pos:], `\u`) {
		p.pos += 2
		low, _ := p.hex(4)
		r = utf16.DecodeRune(r, low)
		if r == utf8.RuneError {
			r = 0xd800
		}
	}
	return p.writeRune(b, r)
}

// writeRune rejects halves of surrogate pairs, which Go strings cannot hold.
func (p *parser) writeRune(b *strings.Builder, r rune) bool {
	if utf16.IsSurrogate(r) {
		p.fail(beyond("half of a surrogate pair"))
		return false
	}
	b.WriteRune(r)
	return true
}

func (p *parser) hex(digits int) (rune, bool) {
	if p.pos+digits > len(p.src) || strings.ContainsAny(p.src[p.pos:p.pos+digits], "+-_") {
		return 0, false
	}
	n, err := strconv.ParseUint(p.src[p.pos:p.pos+digits], 16, 32)
	p.pos += digits
	return rune(min(n, utf8.MaxRune+1)), err == nil
}
