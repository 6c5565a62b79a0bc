package docsjson

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/diag"
)

const (
	maxDepth = 100     // nesting of lists and objects
	maxFile  = 8 << 20 // bytes of one JSON file
)

// reader parses one JSON file by recursive descent. It stops at the first syntax error.
type reader struct {
	file  string
	src   []byte
	at    int
	line  int // of at, from 1
	start int // offset of that line
	list  *diag.List
	loose bool // a comment or a trailing comma was met
	bad   bool
}

// parseJSON returns nil after a syntax error, which is in list then.
func parseJSON(file string, src []byte, list *diag.List) *value {
	r := &reader{file: file, src: src, line: 1, list: list}
	if len(src) > maxFile {
		r.fail("The file is larger than %d bytes.", maxFile)
		return nil
	}
	if strings.HasPrefix(string(src[:min(3, len(src))]), "\xef\xbb\xbf") {
		r.at, r.start = 3, 3
	}
	v := r.value(0)
	if r.space(); !r.bad && r.at < len(r.src) {
		r.fail("Nothing may stand after the end of the value.")
	}
	if r.bad {
		return nil
	}
	if r.loose {
		list.Warnf(diag.Pos{File: file, Line: 1, Column: 1}, "json-loose", "The file holds comments or trailing commas, which are not JSON.")
	}
	return v
}

func (r *reader) pos() diag.Pos {
	return diag.Pos{File: r.file, Line: r.line, Column: 1 + utf8.RuneCount(r.src[min(r.start, r.at):r.at])}
}

func (r *reader) fail(format string, args ...any) {
	if !r.bad {
		r.list.Errorf(r.pos(), "json-syntax", format, args...)
	}
	r.bad = true
	r.at = len(r.src)
}

func (r *reader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}

// space skips white space and comments.
func (r *reader) space() {
	for r.at < len(r.src) {
		switch c := r.src[r.at]; {
		case c == '\n':
			r.at++
			r.line, r.start = r.line+1, r.at
		case c == ' ' || c == '\t' || c == '\r':
			r.at++
		case c == '/' && r.at+1 < len(r.src) && (r.src[r.at+1] == '/' || r.src[r.at+1] == '*'):
			r.comment()
		default:
			return
		}
	}
}

func (r *reader) comment() {
	r.loose = true
	block := r.src[r.at+1] == '*'
	for r.at += 2; r.at < len(r.src); r.at++ {
		c := r.src[r.at]
		if c == '\n' {
			if !block {
				return
			}
			r.line, r.start = r.line+1, r.at+1
		}
		if block && c == '*' && r.at+1 < len(r.src) && r.src[r.at+1] == '/' {
			r.at += 2
			return
		}
	}
	if block {
		r.fail("A comment has no end.")
	}
}

func (r *reader) value(depth int) *value {
	r.space()
	v := &value{pos: r.pos()}
	if depth > maxDepth {
		r.fail("Values are nested more than %d deep.", maxDepth)
		return v
	}
	switch c := r.peek(); {
	case c == '{':
		r.object(v, depth)
	case c == '[':
		r.array(v, depth)
	case c == '"':
		v.kind, v.str = text, r.string()
	case c == '-' || c >= '0' && c <= '9':
		r.number(v)
	default:
		r.word(v)
	}
	return v
}

func (r *reader) object(v *value, depth int) {
	v.kind = object
	seen := map[string]bool{}
	for r.at++; ; {
		if r.space(); r.peek() == '}' {
			r.at++
			return
		}
		if r.peek() != '"' {
			r.fail("A key in quotation marks, or }, must stand here.")
			return
		}
		m := member{pos: r.pos()}
		m.key = r.string()
		if r.space(); r.peek() != ':' {
			r.fail("A colon must follow the key %q.", m.key)
			return
		}
		r.at++
		m.val = r.value(depth + 1)
		if seen[m.key] && !r.bad {
			r.list.Warnf(m.pos, "json-duplicate", "The key %q stands here twice; the last one holds.", m.key)
			v.set(m)
		} else {
			v.members = append(v.members, m)
		}
		seen[m.key] = true
		if !r.comma('}') {
			return
		}
	}
}

func (r *reader) array(v *value, depth int) {
	v.kind = list
	for r.at++; ; {
		if r.space(); r.peek() == ']' {
			r.at++
			return
		}
		if r.bad {
			return
		}
		v.items = append(v.items, r.value(depth+1))
		if !r.comma(']') {
			return
		}
	}
}

// comma reads what stands between members. It returns false at the end of the list.
func (r *reader) comma(end byte) bool {
	r.space()
	switch r.peek() {
	case ',':
		r.at++
		if r.space(); r.peek() == end {
			r.loose = true
		}
		return !r.bad
	case end:
		r.at++
		return false
	}
	r.fail("A comma or %q must stand here.", end)
	return false
}

func (r *reader) string() string {
	from := r.at
	for r.at++; r.at < len(r.src); r.at++ {
		switch c := r.src[r.at]; {
		case c == '\\':
			r.at++
		case c == '"':
			r.at++
			var s string
			if json.Unmarshal(r.src[from:r.at], &s) != nil {
				r.at = from
				r.fail("The text in quotation marks is not valid JSON.")
			}
			return s
		case c < ' ':
			r.fail("A text must end on its own line, with a quotation mark.")
			return ""
		}
	}
	r.at = from
	r.fail("The text has no closing quotation mark.")
	return ""
}

func (r *reader) number(v *value) {
	from := r.at
	for r.at < len(r.src) && strings.IndexByte("+-.eE0123456789", r.src[r.at]) >= 0 {
		r.at++
	}
	v.kind, v.str = number, string(r.src[from:r.at])
	if !json.Valid(r.src[from:r.at]) {
		r.at = from
		r.fail("%q is no number.", v.str)
	}
}

func (r *reader) word(v *value) {
	from := r.at
	for r.at < len(r.src) && r.src[r.at] >= 'a' && r.src[r.at] <= 'z' {
		r.at++
	}
	switch string(r.src[from:r.at]) {
	case "true", "false":
		v.kind, v.truth = boolean, r.src[from] == 't'
	case "null":
		v.kind = null
	default:
		r.at = from
		r.fail("A value must stand here.")
	}
}
