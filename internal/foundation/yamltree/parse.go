package yamltree

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Options configure Parse.
type Options struct {
	// Limits apply to the source, and to the tree as if each alias were a copy of its target.
	Limits jsontree.Limits
	// Before is the number of lines in the file before src. It is added to positions.
	Before int
	// Spelled keeps numbers, true and false as the author wrote them ("0x10", "True"). Otherwise they are written
	// as in JSON.
	Spelled bool
	// Single rejects a second document. Otherwise only the first one is read.
	Single bool
}

// maxTwice limits the number of repeated keys that are recorded.
const maxTwice = 50

// maxDirectives limits the number of %TAG directives in a source, because the library compares each with all others.
const maxDirectives = 10

// reader converts the library's tree to Values. It converts an anchored node once, and its aliases share the Value.
type reader struct {
	doc    *jsontree.Document
	opt    Options
	done   map[*yaml.Node]shared // anchored nodes
	count  int                   // values so far, including the targets of aliases
	height int                   // of the last converted value: 1 for a scalar
	bad    *jsontree.SyntaxError // nil = none yet
	lines  []int                 // see ownLines
}

// shared is an anchored value. count and height are what each of its aliases adds to the totals that are limited.
type shared struct {
	value         *jsontree.Value // nil while it is being converted
	count, height int
}

// Parse parses the first document of src. A returned error is a *jsontree.SyntaxError.
func Parse(name string, src []byte, opt Options) (doc *jsontree.Document, err error) {
	defer func() {
		if recover() != nil { // a panic in the library must not stop a build
			doc, err = nil, &jsontree.SyntaxError{Pos: diag.Pos{File: name, Line: 1 + opt.Before, Column: 1},
				Message: "The YAML cannot be parsed."}
		}
	}()
	r := &reader{doc: &jsontree.Document{Name: name}, opt: opt, done: map[*yaml.Node]shared{}}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if at, message := tooMuch(src, opt.Limits); message != "" {
		line, column := place(src, at)
		return nil, &jsontree.SyntaxError{Pos: diag.Pos{File: name, Line: line + opt.Before, Column: column},
			Message: message}
	}
	r.lines = ownLines(src)
	// The library omits the line number of errors on line 1, so put an empty line before the source.
	decoder := yaml.NewDecoder(io.MultiReader(bytes.NewReader([]byte{'\n'}), bytes.NewReader(src)))
	var root, second yaml.Node
	if err := decoder.Decode(&root); err != nil && !errors.Is(err, io.EOF) {
		return nil, r.syntaxError(src, err)
	}
	if opt.Single {
		switch err := decoder.Decode(&second); {
		case err == nil:
			return nil, &jsontree.SyntaxError{Pos: r.pos(&second), Message: "The YAML must be a single document."}
		case !errors.Is(err, io.EOF):
			return nil, r.syntaxError(src, err)
		}
	}
	r.doc.Root = r.value(&root, 0)
	if r.bad != nil {
		return nil, r.bad
	}
	return r.doc, nil
}

// tooMuch checks the source before the library parses it. If message is not "", it describes an error at offset at.
// Every YAML value requires one of the characters that are counted here, so a source with few of them cannot result in
// many nodes.
func tooMuch(src []byte, limits jsontree.Limits) (at int, message string) {
	if len(src) > limits.Bytes {
		return 0, fmt.Sprintf("The YAML is larger than %d kB.", limits.Bytes>>10)
	}
	marks, directives, newLine := 0, 0, true
	for i := 0; i < len(src); i++ {
		if newLine && bytes.HasPrefix(src[i:], []byte("%TAG")) {
			if directives++; directives > maxDirectives {
				return i, fmt.Sprintf("The YAML has more than %d %%TAG directives.", maxDirectives)
			}
		}
		width := lineBreak(src[i:])
		if newLine = width > 0; newLine {
			marks++
			i += width - 1
			continue
		}
		switch src[i] {
		case ',', '[', '{', ':':
			marks++
		case '-', '?':
			if next := src[i+1:]; len(next) == 0 || next[0] == ' ' || next[0] == '\t' || lineBreak(next) > 0 {
				marks++
			}
		}
	}
	if marks > limits.Values {
		return 0, fmt.Sprintf("The YAML has more than %d values.", limits.Values)
	}
	return 0, ""
}

// lineBreak returns the length of a line break at the start of src, as the library defines it, or 0.
func lineBreak(src []byte) int {
	switch {
	case len(src) == 0:
		return 0
	case src[0] == '\n':
		return 1
	case src[0] == '\r':
		if len(src) > 1 && src[1] == '\n' {
			return 2
		}
		return 1
	case src[0] == 0xC2 && len(src) > 1 && src[1] == 0x85: // U+0085
		return 2
	case src[0] == 0xE2 && len(src) > 2 && src[1] == 0x80 && (src[2] == 0xA8 || src[2] == 0xA9): // U+2028, U+2029
		return 3
	}
	return 0
}

// ownLines maps the library's lines to lines of the file. For the library, a line also ends at a single carriage return
// and at each of three Unicode characters. ownLines returns nil if the numbers are the same, as they are for nearly all
// sources.
func ownLines(src []byte) (lines []int) {
	if !hasOddBreak(src) {
		return nil
	}
	own := 1
	lines = []int{own}
	for i := 0; i < len(src); i++ {
		if width := lineBreak(src[i:]); width > 0 {
			if i += width - 1; src[i] == '\n' {
				own++
			}
			lines = append(lines, own)
		}
	}
	return lines
}

// hasOddBreak reports whether the source contains a line break that only the library recognizes.
func hasOddBreak(src []byte) bool {
	for i := 0; i < len(src); i++ {
		if width := lineBreak(src[i:]); width > 0 {
			if i += width - 1; src[i] != '\n' {
				return true
			}
		}
	}
	return false
}

// line converts one of the library's line numbers to a line number of the file.
func (r *reader) line(n int) int {
	if n = max(1, n); n <= len(r.lines) {
		return r.lines[n-1]
	}
	return n
}

func (r *reader) pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: r.doc.Name, Line: r.line(n.Line-1) + r.opt.Before, Column: max(1, n.Column)}
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) *jsontree.Value {
	if r.bad == nil {
		r.bad = &jsontree.SyntaxError{Pos: r.pos(n), Message: fmt.Sprintf(format, args...)}
	}
	return &jsontree.Value{Doc: r.doc}
}

func (r *reader) value(n *yaml.Node, depth int) *jsontree.Value {
	if r.bad != nil {
		return &jsontree.Value{Doc: r.doc}
	}
	if n.Kind == yaml.AliasNode {
		return r.alias(n, depth)
	}
	before := r.count
	if !r.take(n, depth, 1, 1) {
		return &jsontree.Value{Doc: r.doc}
	}
	pos := r.pos(n)
	v := &jsontree.Value{Line: int32(pos.Line), Column: int32(pos.Column), Doc: r.doc}
	if n.Anchor != "" {
		r.done[n] = shared{}
	}
	height := 0
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) > 0 {
			return r.value(n.Content[0], depth)
		}
	case yaml.SequenceNode:
		v.Kind = jsontree.List
		for _, c := range n.Content {
			v.Items = append(v.Items, r.value(c, depth+1))
			height = max(height, r.height)
		}
	case yaml.MappingNode:
		height = r.mapping(v, n, depth)
	case yaml.ScalarNode:
		r.scalar(v, n)
	}
	r.height = height + 1
	if n.Anchor != "" {
		r.done[n] = shared{v, r.count - before, r.height}
	}
	return v
}

// take counts values of a given height at a depth, and reports whether they are within the limits.
func (r *reader) take(n *yaml.Node, depth, count, height int) bool {
	if r.count += count; r.count > r.opt.Limits.Values || depth+height-1 > r.opt.Limits.Depth {
		r.fail(n, "The YAML has more than %d values, including aliases, or is nested deeper than %d levels.",
			r.opt.Limits.Values, r.opt.Limits.Depth)
		return false
	}
	return true
}

func (r *reader) alias(n *yaml.Node, depth int) *jsontree.Value {
	s, known := r.done[n.Alias]
	if !known || s.value == nil {
		return r.fail(n, "The alias *%s refers to a value that contains it.", n.Value)
	}
	if !r.take(n, depth, s.count, s.height) {
		return &jsontree.Value{Doc: r.doc}
	}
	r.height = s.height
	return s.value
}

// mapping reads key-value pairs and returns the height of the highest value. "<<" adds those keys of another mapping
// that this mapping does not have.
func (r *reader) mapping(v *jsontree.Value, n *yaml.Node, depth int) (height int) {
	v.Kind = jsontree.Object
	var merged []*jsontree.Value
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], r.value(n.Content[i+1], depth+1)
		height = max(height, r.height)
		if key.Tag == "!!merge" {
			merged = append(merged, val)
			continue
		}
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		at := r.pos(n.Content[i])
		m := jsontree.Member{Key: key.Value, Value: val, Line: int32(at.Line), Column: int32(at.Column)}
		if v.Set(m) && len(r.doc.Twice) < maxTwice {
			r.doc.Twice = append(r.doc.Twice, m)
		}
	}
	for _, m := range merged {
		r.merge(v, m, n)
	}
	return height
}

func (r *reader) merge(v, from *jsontree.Value, n *yaml.Node) {
	parts := []*jsontree.Value{from}
	if from.Kind == jsontree.List {
		parts = from.Items
	}
	for _, p := range parts {
		for _, m := range p.Members {
			if !r.take(n, 0, 1, 1) {
				return
			}
			if v.Get(m.Key) == nil {
				v.Set(m)
			}
		}
	}
}
