package jsx

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// peek returns the current byte, or 0 at the end of the text so far.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// space skips white space and line breaks. It requests more lines at the end of the text.
func (s *scanner) space() {
	for {
		for s.at < len(s.text) {
			c := s.text[s.at]
			if c < utf8.RuneSelf {
				if !isSpace(c) {
					return
				}
				s.at++
				continue
			}
			r, n := utf8.DecodeRuneInString(s.text[s.at:])
			if !unicode.IsSpace(r) && r != '\ufeff' {
				return
			}
			s.at += n
		}
		if !s.in.More() {
			return
		}
		s.text = s.in.Text()
	}
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

func (s *scanner) commentAt() bool {
	return s.at+1 < len(s.text) && (s.text[s.at+1] == '*' || s.text[s.at+1] == '/')
}

// comment skips /* … */ and // … in a tag.
func (s *scanner) comment() *Error {
	from, end := s.at, "*/"
	if s.text[s.at+1] == '/' {
		end = "\n"
	}
	for at := s.at + 2; ; {
		if i := strings.Index(s.text[at:], end); i >= 0 {
			s.at, s.tag.Comment = at+i+len(end), true
			return nil
		}
		at = max(s.at+2, len(s.text)-1)
		if !s.in.More() {
			return &Error{At: from, Message: "The comment in the tag is not closed",
				Hint: "Write comments as {/* … */}", EOF: true}
		}
		s.text = s.in.Text()
	}
}

func (s *scanner) unexpected(where, want string) *Error {
	if s.at >= len(s.text) {
		return &Error{At: len(s.text), Message: "The text ends " + where + ", expected " + want, EOF: true}
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.at:])
	what := string(r)
	switch {
	case r == '\n':
		what = "line break"
	case unicode.IsControl(r):
		what = "control character"
	}
	return &Error{At: s.at, Message: "Unexpected " + what + " " + where + ", expected " + want}
}

// skipComments removes leading comments from an expression.
func skipComments(s string) string {
	for {
		s = strings.TrimSpace(s)
		var rest string
		var ok bool
		switch {
		case strings.HasPrefix(s, "/*"):
			_, rest, ok = strings.Cut(s[2:], "*/")
		case strings.HasPrefix(s, "//"):
			_, rest, ok = strings.Cut(s, "\n")
			if !ok {
				return ""
			}
		}
		if !ok {
			return s
		}
		s = rest
	}
}
