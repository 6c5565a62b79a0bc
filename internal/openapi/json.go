package openapi

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/diag"
)

const (
	maxDepth  = 200       // nesting of lists and objects
	maxFile   = 16 << 20  // bytes of one description
	maxValues = 2_000_000 // values of one description
)

// jsonReader parses JSON by recursive descent; it stops at the first mistake. Strings are parts of the source where they can be.
//
//	value  = object | array | string | number | "true" | "false" | "null"
//	object = "{" [ string ":" value { "," string ":" value } ] "}"
//	array  = "[" [ value { "," value } ] "]"
type jsonReader struct {
	doc   *document
	src   string
	at    int
	line  int32
	mark  int   // where column was counted last
	col   int32 // column of mark
	count int
	fault string // what is wrong, "" = nothing
	where diag.Pos
}

// parseJSON returns nil and a finding when src is not JSON.
func parseJSON(doc *document, src string) (*Value, diag.Diagnostic) {
	r := &jsonReader{doc: doc, src: src, line: 1, col: 1}
	v := r.value(0)
	if r.space(); r.fault == "" && r.at < len(r.src) {
		r.fail("Nothing may stand after the end of the value.")
	}
	if r.fault != "" {
		return nil, diag.Diagnostic{File: r.where.File, Line: r.where.Line, Column: r.where.Column, Message: r.fault}
	}
	return v, diag.Diagnostic{}
}

func (r *jsonReader) fail(text string) {
	r.at = min(r.at, len(r.src)) // a backslash at the very end steps over it
	if r.fault == "" {
		r.fault, r.where = text, diag.Pos{File: r.doc.name, Line: int(r.line), Column: int(r.column())}
	}
	r.at = len(r.src)
}

// column counts from the last place it was asked at, so that one long line costs no more than many short ones.
func (r *jsonReader) column() int32 {
	if r.mark < r.at {
		r.col += int32(utf8.RuneCountInString(r.src[r.mark:r.at]))
		r.mark = r.at
	}
	return r.col
}

func (r *jsonReader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}

func (r *jsonReader) space() {
	for ; r.at < len(r.src); r.at++ {
		switch r.src[r.at] {
		case '\n':
			r.line++
			r.mark, r.col = r.at+1, 1
		case ' ', '\t', '\r':
		default:
			return
		}
	}
}

func (r *jsonReader) value(depth int) *Value {
	r.space()
	v := &Value{Line: r.line, Column: r.column(), doc: r.doc}
	if r.count++; r.count > maxValues || depth > maxDepth {
		r.fail("The description is nested too deep or has too many values.")
		return v
	}
	switch c := r.peek(); {
	case c == '{':
		r.object(v, depth)
	case c == '[':
		r.array(v, depth)
	case c == '"':
		v.Kind, v.Str = String, r.string()
	case c == '-' || c >= '0' && c <= '9':
		r.number(v)
	default:
		r.word(v)
	}
	return v
}

func (r *jsonReader) object(v *Value, depth int) {
	v.Kind = Object
	defer v.finish()
	r.at++
	if r.space(); r.peek() == '}' {
		r.at++
		return
	}
	for r.fault == "" {
		if r.space(); r.peek() != '"' {
			r.fail("A key in quotation marks must stand here.")
			return
		}
		key := r.string()
		if r.space(); r.peek() != ':' {
			r.fail("A colon must follow the key.")
			return
		}
		r.at++
		v.Members = append(v.Members, Member{key, r.value(depth + 1)})
		if !r.more('}') {
			return
		}
	}
}

func (r *jsonReader) array(v *Value, depth int) {
	v.Kind = List
	r.at++
	if r.space(); r.peek() == ']' {
		r.at++
		return
	}
	for r.fault == "" {
		v.Items = append(v.Items, r.value(depth+1))
		if !r.more(']') {
			return
		}
	}
}

// more reads what stands between members; false at the end of the list.
func (r *jsonReader) more(end byte) bool {
	r.space()
	switch r.peek() {
	case ',':
		r.at++
		return true
	case end:
		r.at++
		return false
	}
	r.fail("A comma or " + string(end) + " must stand here.")
	return false
}

func (r *jsonReader) string() string {
	from, plain := r.at+1, true
	for r.at++; r.at < len(r.src); r.at++ {
		switch c := r.src[r.at]; {
		case c == '\\':
			plain = false
			r.at++
		case c == '\n':
			r.fail("The text has no closing quotation mark.")
			return ""
		case c == '"':
			r.at++
			if plain {
				return strings.ToValidUTF8(r.src[from:r.at-1], "\uFFFD")
			}
			var s string
			if json.Unmarshal([]byte(r.src[from-1:r.at]), &s) != nil {
				r.fail("The text in quotation marks is not valid JSON.")
			}
			return s
		}
	}
	r.fail("The text has no closing quotation mark.")
	return ""
}

func (r *jsonReader) number(v *Value) {
	from := r.at
	for r.at < len(r.src) && strings.IndexByte("+-.eE0123456789", r.src[r.at]) >= 0 {
		r.at++
	}
	v.Kind, v.Str = Number, r.src[from:r.at]
	if !json.Valid([]byte(v.Str)) {
		r.fail("This is no number.")
	}
}

func (r *jsonReader) word(v *Value) {
	for _, w := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(r.src[r.at:], w) {
			r.at += len(w)
			if w != "null" {
				v.Kind, v.Str = Bool, w
			}
			return
		}
	}
	r.fail("A value must stand here.")
}
