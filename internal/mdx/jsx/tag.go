package jsx

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Tag is one tag. Offsets are relative to the start of the text.
type Tag struct {
	Start, End int
	Name       string // "" for a fragment
	Attrs      []Attr
	Close      bool // </a>
	SelfClose  bool // <a/>
	Comment    bool // contains a JavaScript comment outside of braces, which the dialect does not allow
}

// Attr is one attribute.
type Attr struct {
	Start, End           int
	Name                 string
	Kind                 ast.AttrKind
	Value                string // for strings: raw, entities not decoded
	ValueStart, ValueEnd int
}

// Opens reports whether the "<" at offset at of s begins a tag. A "<" before white space does not.
func Opens(s string, at int) bool {
	if at+1 >= len(s) {
		return false
	}
	switch s[at+1] {
	case ' ', '\t', '\n', '\r':
		return false
	}
	return true
}

// Scan reads the tag whose "<" is at offset at.
func Scan(in Input, at int) (Tag, *Error) {
	s := scanner{in: in, text: in.Text(), at: at + 1}
	s.tag.Start = at
	if err := s.scan(); err != nil {
		return s.tag, err
	}
	s.tag.End = s.at
	return s.tag, nil
}

type scanner struct {
	in   Input
	text string
	at   int
	tag  Tag
}

func (s *scanner) scan() *Error {
	if s.at >= len(s.text) {
		return s.unexpected("before the name", "a name")
	}
	if s.space(); s.peek() == '/' {
		s.tag.Close = true
		s.at++
		s.space()
	}
	if s.peek() != '>' {
		if err := s.name(); err != nil {
			return err
		}
	}
	for {
		s.space()
		switch c := s.peek(); {
		case c == '>':
			s.at++
			return nil
		case c == '/' && s.commentAt():
			if err := s.comment(); err != nil {
				return err
			}
		case c == '/':
			return s.selfClose()
		case s.tag.Close && s.at < len(s.text):
			return &Error{At: s.at, Message: "A closing tag cannot have attributes",
				Hint: "Write </" + s.tag.Name + ">", Sure: true}
		default:
			if err := s.attr(); err != nil {
				return err
			}
		}
	}
}

func (s *scanner) selfClose() *Error {
	if s.tag.Close {
		return &Error{At: s.at, Message: "A closing tag cannot be self-closing",
			Hint: "Write </" + s.tag.Name + "> or <" + s.tag.Name + " />", Sure: true}
	}
	s.at++
	s.space()
	if s.peek() != '>' {
		return s.unexpected("after the slash", "> to end the tag")
	}
	s.at++
	s.tag.SelfClose = true
	return nil
}

// name reads a.b.c or a:b. White space may surround the dots and the colon.
func (s *scanner) name() *Error {
	name, err := s.id("in the name of the tag")
	if err != nil {
		return err
	}
	s.tag.Name = name
	for first := true; ; first = false {
		mark := s.at
		s.space()
		switch c := s.peek(); {
		case c == '.' || c == ':' && first:
			s.at++
			s.space()
			part, err := s.id("in the name of the tag")
			if err != nil {
				return err
			}
			s.tag.Name += string(rune(c)) + part
			if c == ':' {
				return s.nameEnd(s.at)
			}
		default:
			return s.nameEnd(mark)
		}
	}
}

// nameEnd checks that a name is followed by something valid. For example, <a@b> is not a tag. at is the position after
// the name. If it differs from the current position, white space was skipped.
func (s *scanner) nameEnd(at int) *Error {
	if at < len(s.text) && s.at == at {
		switch c := s.text[at]; {
		case c == '>' || c == '/' || c == '{' || isSpace(c):
		default:
			return s.unexpected("in the name of the tag", "a letter, white space or the end of the tag")
		}
	}
	return nil
}

func (s *scanner) attr() *Error {
	a := Attr{Start: s.at}
	if s.peek() == '{' {
		return s.spread(a)
	}
	name, err := s.id("before an attribute")
	if err != nil {
		return err
	}
	a.Name, a.End = name, s.at
	s.space()
	if s.peek() == ':' {
		s.at++
		s.space()
		local, err := s.id("in the name of the attribute")
		if err != nil {
			return err
		}
		a.Name, a.End = a.Name+":"+local, s.at
		s.space()
	}
	if s.peek() == '=' {
		s.at++
		s.space()
		if err := s.value(&a); err != nil {
			return err
		}
	} else if c := s.peek(); s.at == a.End && c != '>' && c != '/' && c != '{' {
		return s.unexpected("in the name of the attribute", "a letter, = or white space")
	}
	s.tag.Attrs = append(s.tag.Attrs, a)
	return nil
}

func (s *scanner) value(a *Attr) *Error {
	a.ValueStart = s.at + 1
	switch c := s.peek(); c {
	case '{':
		value, end, err := Expression(s.in, s.at)
		s.text = s.in.Text()
		if err != nil {
			return err
		}
		if strings.TrimSpace(value) == "" {
			return &Error{At: s.at, Message: "The value of attribute " + a.Name + " is empty",
				Hint: "Write " + a.Name + "=\"\" or leave it out", Sure: true}
		}
		a.Kind, a.Value, s.at = ast.AttrExpr, value, end
	case '"', '\'':
		if err := s.quoted(a, c); err != nil {
			return err
		}
	default:
		err := s.unexpected("before the value of attribute "+a.Name, "\" or {")
		err.Sure, err.Hint = true, "Write "+a.Name+"=\"…\" or "+a.Name+"={…}"
		if c == '<' {
			err.Hint = "Put braces around an element: " + a.Name + "={<b>…</b>}"
		}
		return err
	}
	a.End, a.ValueEnd = s.at, s.at-1
	return nil
}

// quoted reads a string. Continuation lines lose their indentation.
func (s *scanner) quoted(a *Attr, quote byte) *Error {
	a.Kind = ast.AttrString
	from := s.at + 1
	for at := from; ; {
		i := strings.IndexByte(s.text[at:], quote)
		if i >= 0 {
			s.at = at + i + 1
			break
		}
		at = len(s.text)
		if !s.in.More() {
			return &Error{At: from - 1, Message: "The value of attribute " + a.Name + " has no closing quote",
				Hint: "Add " + string(rune(quote)), EOF: true, Sure: true}
		}
		s.text = s.in.Text()
	}
	a.Value = s.text[from : s.at-1]
	if strings.IndexByte(a.Value, '\n') >= 0 {
		lines := strings.Split(a.Value, "\n")
		for i := 1; i < len(lines); i++ {
			lines[i] = strings.TrimLeft(lines[i], " \t")
		}
		a.Value = strings.Join(lines, "\n")
	}
	return nil
}

// spread reads {...x}. A comment in braces is allowed and ignored.
func (s *scanner) spread(a Attr) *Error {
	value, end, err := Expression(s.in, s.at)
	s.text = s.in.Text()
	if err != nil {
		return err
	}
	source := strings.TrimSpace(skipComments(value))
	if source != "" {
		if !strings.HasPrefix(source, "...") {
			return &Error{At: s.at, Message: "Braces in a tag may only contain a spread such as {...props}",
				Hint: "Write name={value}", Sure: true}
		}
		a.Kind, a.Value = ast.AttrSpread, strings.TrimSpace(source[3:])
		a.End, a.ValueStart, a.ValueEnd = end, s.at+1, end-1
		s.tag.Attrs = append(s.tag.Attrs, a)
	}
	s.at = end
	return nil
}

// id reads one identifier, which may contain hyphens.
func (s *scanner) id(where string) (string, *Error) {
	from := s.at
	for s.at < len(s.text) {
		c := s.text[s.at]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s.text[s.at:])
			if !idRune(r, s.at > from) {
				break
			}
			s.at += n
			continue
		}
		if !idByte(c, s.at > from) {
			break
		}
		s.at++
	}
	if s.at == from {
		return "", s.unexpected(where, "a letter, $ or _")
	}
	return s.text[from:s.at], nil
}

func idByte(c byte, inside bool) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '$', c == '_':
		return true
	}
	return inside && (c >= '0' && c <= '9' || c == '-')
}

func idRune(r rune, inside bool) bool {
	if r == utf8.RuneError {
		return false
	}
	if unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) {
		return true
	}
	return inside && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc) || r == '\u200c' || r == '\u200d')
}
