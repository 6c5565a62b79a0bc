package yamltree

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// scalar reads a single value. Keywords of YAML 1.1, such as yes and on, and dates are strings.
func (r *reader) scalar(v *jsontree.Value, n *yaml.Node) {
	v.Kind, v.Str = jsontree.String, n.Value
	switch n.Tag {
	case "!!null":
		v.Kind, v.Str = jsontree.Null, ""
	case "!!bool":
		if v.Kind = jsontree.Bool; !r.opt.Spelled {
			v.Str = strings.ToLower(n.Value)
		}
	case "!!int", "!!float":
		if v.Kind = jsontree.Number; !r.opt.Spelled {
			number(v, n)
		}
	}
}

// number writes a number as in JSON. Numbers that JSON does not have, such as infinity, are strings.
func number(v *jsontree.Value, n *yaml.Node) {
	f, err := strconv.ParseFloat(n.Value, 64)
	if err == nil && f-f == 0 && !strings.ContainsAny(n.Value, "xXoO_+iInN") {
		return
	}
	var any float64
	if n.Decode(&any) != nil || any-any != 0 {
		v.Kind = jsontree.String
		return
	}
	v.Str = strconv.FormatFloat(any, 'g', -1, 64)
}

var (
	errorLine   = lazyregexp.New(`^line (\d+): (.*)`)
	errorParser = lazyregexp.New(
		`^did not find expected (<|node content|'-'|key|',')|^found (incompatible|undefined|duplicate)`)
	errorAnchor = lazyregexp.New(`^unknown anchor '(.*)' referenced`)
)

// syntaxError adds a position to a library error: that of the value on the line that the error refers to, or that of
// the last character of the source.
func (r *reader) syntaxError(src []byte, err error) *jsontree.SyntaxError {
	text, line, column := strings.TrimPrefix(err.Error(), "yaml: "), 1, 0
	if m := errorLine.FindStringSubmatch(text); m != nil {
		text = m[2]
		line, _ = strconv.Atoi(m[1]) // digits, because of the expression; the result is 0 if there are too many
		if !errorParser.MatchString(text) {
			line-- // subtract the empty line before the source; the library's parser, unlike its scanner, counts from 0
		}
		line = r.line(line)
	} else if at := unplaced(src, text); at >= 0 {
		line, column = place(src, at)
	}
	line = max(1, line)
	text = strings.TrimSuffix(text, ".")
	// at the end of the source, the last character is the most useful position
	if written := bytes.TrimRight(src, " \t\r\n"); line > 1+bytes.Count(written, []byte{'\n'}) {
		line = 1 + bytes.Count(written, []byte{'\n'})
		column = max(1, utf8.RuneCount(written[bytes.LastIndexByte(written, '\n')+1:]))
	}
	if tab := tabColumn(src, line); column == 0 && tab > 0 && strings.Contains(text, "cannot start any token") {
		column, text = tab, "found a tab character"
	}
	if column == 0 {
		column = valueColumn(src, line)
	}
	return &jsontree.SyntaxError{
		Pos:     diag.Pos{File: r.doc.Name, Line: line + r.opt.Before, Column: column},
		Message: "This is not valid YAML: " + explain(text) + ".",
	}
}

// place converts an offset of src to a line and column.
func place(src []byte, at int) (line, column int) {
	return 1 + bytes.Count(src[:at], []byte{'\n'}), 1 + utf8.RuneCount(src[bytes.LastIndexByte(src[:at], '\n')+1:at])
}

// unplaced finds the offset that an error without a line refers to, or returns -1.
func unplaced(src []byte, text string) int {
	if m := errorAnchor.FindStringSubmatch(text); m != nil {
		return bytes.Index(src, []byte("*"+m[1]))
	}
	for i := 0; i < len(src); {
		c, size := utf8.DecodeRune(src[i:])
		if c == utf8.RuneError && size < 2 || c < ' ' && c != '\t' && c != '\n' && c != '\r' ||
			c >= 0x7f && c < 0xa0 && c != 0x85 {
			return i
		}
		i += size
	}
	return -1
}
