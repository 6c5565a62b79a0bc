package jsontree

import (
	"strings"
	"unicode/utf8"
)

// Source is the text of a file together with its values, for callers that change a part of the text and leave the rest
// unchanged.
type Source struct {
	*Document
	Text  string
	lines []int // offset of each line
}

// ParseSource is like Parse and keeps the text.
func ParseSource(name, text string, limits Limits) (*Source, error) {
	doc, err := Parse(name, text, limits)
	if err != nil {
		return nil, err
	}
	s := &Source{Document: doc, Text: text, lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s, nil
}

// Offset converts a line and column to a byte offset. Columns count characters and exclude a byte order mark.
func (s *Source) Offset(line, column int32) int {
	at := s.lines[line-1]
	if line == 1 && strings.HasPrefix(s.Text, "\ufeff") {
		at += len("\ufeff")
	}
	for ; column > 1; column-- {
		_, n := utf8.DecodeRuneInString(s.Text[at:])
		at += n
	}
	return at
}

// Span returns the start and end offsets of a value in this file, including quotes and brackets.
func (s *Source) Span(v *Value) (start, end int) {
	start = s.Offset(v.Line, v.Column)
	return start, s.end(start)
}

// end returns the end of the value that starts at an offset. It always exists because the file was parsed.
func (s *Source) end(at int) int {
	depth := 0
	for at < len(s.Text) {
		switch c := s.Text[at]; {
		case c == '"':
			at = s.quoted(at)
			if depth == 0 {
				return at
			}
			continue
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return at + 1
			}
			if depth < 0 {
				return at
			}
		case c == '/' && at+1 < len(s.Text) && (s.Text[at+1] == '/' || s.Text[at+1] == '*'):
			if depth == 0 {
				return at
			}
			at = s.Blank(at)
			continue
		case depth == 0 && strings.IndexByte(", \t\r\n", c) >= 0:
			return at
		}
		at++
	}
	return at
}

// quoted returns the end of a quoted string.
func (s *Source) quoted(at int) int {
	for at++; at < len(s.Text) && s.Text[at] != '"'; at++ {
		if s.Text[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(s.Text))
}

// Blank returns the next offset after white space and comments.
func (s *Source) Blank(at int) int {
	for at < len(s.Text) {
		rest := s.Text[at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			at++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				return len(s.Text)
			}
			at += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				return len(s.Text)
			}
			at += end + 2
		default:
			return at
		}
	}
	return at
}

// Indent returns the white space at the start of the line that contains an offset. alone reports whether there is
// only white space before the offset on that line.
func (s *Source) Indent(at int) (space string, alone bool) {
	start := strings.LastIndexByte(s.Text[:at], '\n') + 1
	before := s.Text[start:at]
	space = before[:len(before)-len(strings.TrimLeft(before, " \t"))]
	return space, space == before
}

// EOL returns the file's line ending.
func (s *Source) EOL() string {
	if strings.Contains(s.Text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}
