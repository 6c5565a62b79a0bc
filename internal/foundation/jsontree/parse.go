package jsontree

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Limits limits the size of a document.
type Limits struct {
	Bytes  int
	Depth  int // nesting of lists and objects
	Values int
}

// SyntaxError is the first syntax error of a file: its position and a sentence for the author.
type SyntaxError struct {
	Pos     diag.Pos
	Message string
}

func (e *SyntaxError) Error() string { return e.Message }

// maxTwice limits the number of repeated keys that are recorded; an author does not need more.
const maxTwice = 50

// reader parses by recursive descent and stops at the first error. Where possible, strings share memory with the
// source.
type reader struct {
	doc    *Document
	src    string
	limits Limits
	at     int
	line   int32 // of at, from 1
	mark   int   // position at which col was computed
	col    int32 // column of mark
	count  int
	bad    *SyntaxError // nil = none yet
}

// Parse parses src. It skips a byte order mark at the start. A returned error is a *SyntaxError.
func Parse(name, src string, limits Limits) (*Document, error) {
	r := &reader{doc: &Document{Name: name}, src: src, limits: limits, line: 1, col: 1}
	if len(src) > limits.Bytes {
		r.fail("The file is larger than %d MB.", limits.Bytes>>20)
		return nil, r.bad
	}
	if strings.HasPrefix(src, "\ufeff") {
		r.at = len("\ufeff")
		r.mark = r.at
	}
	r.doc.Root = r.value(0)
	if r.space(); r.bad == nil && r.at < len(r.src) {
		r.fail("There must be nothing after the end of the value.")
	}
	if r.bad != nil {
		return nil, r.bad
	}
	return r.doc, nil
}

func (r *reader) fail(format string, args ...any) {
	r.at = min(r.at, len(r.src)) // a backslash at the very end skips past it
	if r.bad == nil {
		r.bad = &SyntaxError{diag.Pos{File: r.doc.Name, Line: int(r.line), Column: int(r.column())},
			fmt.Sprintf(format, args...)}
	}
	r.at = len(r.src)
}

// column returns the current column. It counts characters from the position of the previous call, so that a long line
// costs no more than many short ones.
func (r *reader) column() int32 {
	if r.mark < r.at {
		r.col += int32(utf8.RuneCountInString(r.src[r.mark:r.at]))
		r.mark = r.at
	}
	return r.col
}

func (r *reader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}

// newLine records that the byte at r.at is a line break.
func (r *reader) newLine() {
	r.line++
	r.mark, r.col = r.at+1, 1
}

// space skips white space and comments.
func (r *reader) space() {
	for ; r.at < len(r.src); r.at++ {
		switch c := r.src[r.at]; {
		case c == '\n':
			r.newLine()
		case c == ' ' || c == '\t' || c == '\r':
		case c == '/' && r.at+1 < len(r.src) && (r.src[r.at+1] == '/' || r.src[r.at+1] == '*'):
			r.comment()
		default:
			return
		}
	}
	r.at = len(r.src) // a comment may extend to the end of the file
}

// comment advances to the last byte of the comment.
func (r *reader) comment() {
	r.doc.Loose = true
	start, block := *r, r.src[r.at+1] == '*'
	for r.at += 2; r.at < len(r.src); r.at++ {
		switch c := r.src[r.at]; {
		case c == '\n' && !block:
			r.newLine()
			return
		case c == '\n':
			r.newLine()
		case block && c == '*' && strings.HasPrefix(r.src[r.at:], "*/"):
			r.at++
			return
		}
	}
	if block {
		r.at, r.line, r.mark, r.col = start.at, start.line, start.mark, start.col
		r.fail("A comment is not closed.")
	}
}

func (r *reader) value(depth int) *Value {
	r.space()
	v := &Value{Line: r.line, Column: r.column(), Doc: r.doc}
	if r.count++; r.count > r.limits.Values || depth > r.limits.Depth {
		r.fail("The file has more than %d values or is nested deeper than %d levels.", r.limits.Values, r.limits.Depth)
		return v
	}
	switch c := r.peek(); {
	case c == '{':
		v.Kind = Object
		r.list('}', func() { r.member(v, depth) })
	case c == '[':
		v.Kind = List
		r.list(']', func() { v.Items = append(v.Items, r.value(depth+1)) })
	case c == '"':
		v.Kind, v.Str = String, r.string()
	case c == '-' || c >= '0' && c <= '9':
		r.number(v)
	default:
		r.word(v)
	}
	return v
}

// list reads the parts between two brackets, starting at the opening bracket.
func (r *reader) list(end byte, part func()) {
	r.at++
	for r.space(); r.bad == nil && r.peek() != end; r.space() {
		part()
		r.space()
		switch r.peek() {
		case end:
			r.at++
			return
		case ',':
			r.at++
			if r.space(); r.peek() == end {
				r.doc.Loose = true
			}
		default:
			r.fail("Expected a comma or %c here.", end)
		}
	}
	r.at = min(r.at+1, len(r.src))
}

func (r *reader) member(v *Value, depth int) {
	if r.peek() != '"' {
		r.fail("Expected a key in quotation marks here.")
		return
	}
	m := Member{Line: r.line, Column: r.column()}
	m.Key = r.string()
	if r.space(); r.peek() != ':' {
		r.fail("Expected a colon after the key.")
		return
	}
	r.at++
	m.Value = r.value(depth + 1)
	if v.Set(m) && len(r.doc.Twice) < maxTwice {
		r.doc.Twice = append(r.doc.Twice, m)
	}
}

func (r *reader) string() string {
	from, plain := r.at+1, true
	for r.at++; r.at < len(r.src); r.at++ {
		switch c := r.src[r.at]; {
		case c == '\\':
			plain = false
			r.at++
		case c == '"':
			r.at++
			return r.unquote(r.src[from:r.at-1], plain)
		case c == '\t': // accepted because it is common, although JSON requires an escape
			plain, r.doc.Loose = false, true
		case c < ' ':
			r.fail("A string must end on the same line, with a quotation mark.")
			return ""
		}
	}
	r.at = from - 1
	r.fail("The string has no closing quotation mark.")
	return ""
}

func (r *reader) unquote(inner string, plain bool) string {
	if plain {
		return strings.ToValidUTF8(inner, "\uFFFD")
	}
	var s string
	if json.Unmarshal([]byte(`"`+strings.ReplaceAll(inner, "\t", `\t`)+`"`), &s) != nil {
		r.at -= len(inner) + 2
		r.fail("The string is not valid JSON.")
	}
	return s
}

func (r *reader) number(v *Value) {
	from := r.at
	for r.at < len(r.src) && strings.IndexByte("+-.eE0123456789", r.src[r.at]) >= 0 {
		r.at++
	}
	v.Kind, v.Str = Number, r.src[from:r.at]
	if !json.Valid([]byte(v.Str)) {
		r.at = from
		r.fail("This is not a number.")
	}
}

func (r *reader) word(v *Value) {
	for _, w := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(r.src[r.at:], w) {
			r.at += len(w)
			if w != "null" {
				v.Kind, v.Str = Bool, w
			}
			return
		}
	}
	r.fail("Expected a value here.")
}
