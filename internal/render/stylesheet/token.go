package stylesheet

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// kind is a kind of token in CSS Syntax Level 3. What does not matter here is split into single bytes of the kind
// other.
type kind uint8

const (
	other    kind = iota // one byte, such as , or :, or a number with its unit, or #name
	blank                // white space and comments
	name                 // an identifier
	function             // an identifier and its opening bracket
	keyword              // @ and an identifier
	text                 // a string
	address              // url(…) without quotes
)

// token is a piece of a sheet. value is a name in lower case, the content of a string, or a URL, with escapes decoded.
type token struct {
	kind       kind
	start, end int
	value      string
}

// scanner splits a sheet into tokens. Each byte belongs to exactly one token.
type scanner struct {
	src  []byte
	pos  int
	read int // total bytes of all tokens, including those that were read again
}

func (s *scanner) peek(n int) byte {
	if s.pos+n < len(s.src) {
		return s.src[s.pos+n]
	}
	return 0
}

// next returns the next token; ok is false at the end.
func (s *scanner) next() (t token, ok bool) {
	if s.pos >= len(s.src) {
		return t, false
	}
	t.start = s.pos
	switch c := s.src[s.pos]; {
	case c == '/' && s.peek(1) == '*':
		t.kind = blank
		if end := strings.Index(string(s.src[s.pos+2:min(len(s.src), s.pos+2+commentStep)]), "*/"); end >= 0 {
			s.pos += end + 4
		} else {
			s.longComment()
		}
	case space(c):
		t.kind = blank
		for s.pos < len(s.src) && space(s.src[s.pos]) {
			s.pos++
		}
	case c == '"' || c == '\'':
		t.kind, t.value = text, s.str()
	case s.number():
	case c == '#' && s.pos+1 < len(s.src) && (inName(s.peek(1)) || s.escaped(1)):
		s.pos++
		s.ident()
	case c == '<' && s.peek(1) == '!' && s.peek(2) == '-' && s.peek(3) == '-':
		s.pos += 4 // otherwise the dashes would be read as the start of a name
	case c == '@' && s.starts(1):
		s.pos++
		t.kind, t.value = keyword, strings.ToLower(s.ident())
	case s.starts(0):
		t.kind, t.value = name, strings.ToLower(s.ident())
		if s.peek(0) == '(' && s.pos < len(s.src) {
			s.pos++
			t.kind = function
			if t.value == "url" && !s.quoted() {
				t.kind, t.value = address, s.url()
			}
		}
	default:
		s.pos++
	}
	t.end = s.pos
	s.read += t.end - t.start
	return t, true
}

// commentStep is the number of bytes to search first for the end of a comment. Nearly all comments are shorter.
const commentStep = 512

// longComment advances to the end of a comment, or of the sheet.
func (s *scanner) longComment() {
	for s.pos += 2; s.pos < len(s.src); s.pos++ {
		if s.src[s.pos] == '*' && s.peek(1) == '/' {
			s.pos += 2
			return
		}
	}
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80 || c == 0
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func inName(c byte) bool { return letter(c) || digit(c) || c == '-' }

func newline(c byte) bool { return c == '\n' || c == '\r' || c == '\f' }

// escaped reports whether there is an escape n bytes ahead.
func (s *scanner) escaped(n int) bool {
	return s.peek(n) == '\\' && s.pos+n+1 < len(s.src) && !newline(s.peek(n+1))
}

// number reads a number and its unit, if a number starts here. For example, the url in "1url(" is a unit followed by a
// bracket, not the start of a URL.
func (s *scanner) number() bool {
	n := 0
	if c := s.peek(0); c == '+' || c == '-' {
		n = 1
	}
	if !digit(s.peek(n)) && (s.peek(n) != '.' || !digit(s.peek(n+1))) {
		return false
	}
	digits := func() {
		for digit(s.peek(0)) {
			s.pos++
		}
	}
	s.pos += n
	digits()
	if s.peek(0) == '.' && digit(s.peek(1)) {
		s.pos++
		digits()
	}
	if e := s.peek(0); e == 'e' || e == 'E' {
		signed := s.peek(1) == '+' || s.peek(1) == '-'
		if digit(s.peek(1)) || signed && digit(s.peek(2)) {
			s.pos += 2
			digits()
		}
	}
	if s.starts(0) {
		s.ident()
	}
	return true
}

// starts reports whether an identifier starts n bytes ahead.
func (s *scanner) starts(n int) bool {
	at := func(i int) byte { return s.peek(n + i) }
	if s.pos+n >= len(s.src) {
		return false
	}
	if at(0) == '-' {
		return at(1) == '-' || letter(at(1)) && s.pos+n+1 < len(s.src) || s.escaped(n+1)
	}
	return letter(at(0)) || s.escaped(n)
}

// ident reads an identifier.
func (s *scanner) ident() string {
	var b strings.Builder
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case inName(c):
			b.WriteByte(c)
			s.pos++
		case s.escaped(0):
			b.WriteRune(s.escape())
		default:
			return b.String()
		}
	}
	return b.String()
}

// escape reads an escape: a backslash with up to six hexadecimal digits and one blank, or with the next character.
func (s *scanner) escape() rune {
	s.pos++
	n := 0
	for n < 6 && s.pos+n < len(s.src) && strings.IndexByte("0123456789abcdefABCDEF", s.src[s.pos+n]) >= 0 {
		n++
	}
	if n == 0 {
		r, size := utf8.DecodeRune(s.src[s.pos:])
		s.pos += size
		return r
	}
	code, err := strconv.ParseUint(string(s.src[s.pos:s.pos+n]), 16, 32)
	s.pos += n
	if s.peek(0) == '\r' && s.peek(1) == '\n' {
		s.pos += 2
	} else if s.pos < len(s.src) && space(s.src[s.pos]) {
		s.pos++
	}
	if err != nil || code == 0 || code > utf8.MaxRune {
		return utf8.RuneError
	}
	return rune(code)
}

// str reads a string. An unclosed string ends before the line break.
func (s *scanner) str() string {
	var b strings.Builder
	quote := s.src[s.pos]
	for s.pos++; s.pos < len(s.src); {
		switch c := s.src[s.pos]; {
		case c == quote:
			s.pos++
			return b.String()
		case c == '\n' || c == '\r' || c == '\f':
			return b.String()
		case c == '\\' && s.pos+1 < len(s.src) && s.src[s.pos+1] == '\r' && s.peek(2) == '\n':
			s.pos += 3
		case c == '\\' && (s.peek(1) == '\n' || s.peek(1) == '\r' || s.peek(1) == '\f'):
			s.pos += 2
		case c == '\\' && s.pos+1 < len(s.src):
			b.WriteRune(s.escape())
		default:
			b.WriteByte(c)
			s.pos++
		}
	}
	return b.String()
}

// quoted reports whether a string follows, possibly after white space.
func (s *scanner) quoted() bool {
	n := 0
	for s.pos+n < len(s.src) && space(s.src[s.pos+n]) {
		n++
	}
	c := s.peek(n)
	return c == '"' || c == '\''
}

// url reads a URL without quotes, and the closing bracket.
func (s *scanner) url() string {
	var b strings.Builder
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == ')':
			s.pos++
			return strings.TrimSpace(b.String())
		case c == '\\' && s.pos+1 < len(s.src):
			b.WriteRune(s.escape())
		default:
			b.WriteByte(c)
			s.pos++
		}
	}
	return strings.TrimSpace(b.String())
}
