package move

import (
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/jsontree"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// jsonFile is a JSON file with its places in bytes.
type jsonFile struct {
	name  string
	src   string
	root  *jsontree.Value
	lines []int // where each line starts
}

func parseJSON(name, src string) (*jsonFile, error) {
	doc, err := jsontree.Parse(name, src, jsontree.Limits{Bytes: maxSource, Depth: 200, Values: 1_000_000})
	if err != nil {
		return nil, err
	}
	f := &jsonFile{name: name, src: src, root: doc.Root, lines: []int{0}}
	for i := range len(src) {
		if src[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f, nil
}

// offset is where a line and column are; columns count characters, and a byte order mark is none.
func (f *jsonFile) offset(line, column int32) int {
	at := f.lines[line-1]
	if line == 1 && strings.HasPrefix(f.src, "\ufeff") {
		at += len("\ufeff")
	}
	for ; column > 1; column-- {
		_, n := utf8.DecodeRuneInString(f.src[at:])
		at += n
	}
	return at
}

// span is where a value stands.
func (f *jsonFile) span(v *jsontree.Value) ast.Span {
	start := f.offset(v.Line, v.Column)
	return ast.Span{Start: start, End: f.end(start)}
}

// end is where the value that starts at a place ends. The file was parsed, so it does.
func (f *jsonFile) end(at int) int {
	depth := 0
	for at < len(f.src) {
		switch c := f.src[at]; {
		case c == '"':
			at = f.quoted(at)
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
		case c == '/' && at+1 < len(f.src) && (f.src[at+1] == '/' || f.src[at+1] == '*'):
			if depth == 0 {
				return at
			}
			at = f.blank(at)
			continue
		case depth == 0 && strings.IndexByte(", \t\r\n", c) >= 0:
			return at
		}
		at++
	}
	return at
}

// quoted is where a text in quotes ends.
func (f *jsonFile) quoted(at int) int {
	for at++; at < len(f.src) && f.src[at] != '"'; at++ {
		if f.src[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(f.src))
}

// blank skips white space and comments.
func (f *jsonFile) blank(at int) int {
	for at < len(f.src) {
		rest := f.src[at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			at++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				return len(f.src)
			}
			at += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				return len(f.src)
			}
			at += end + 2
		default:
			return at
		}
	}
	return at
}

// indent is the white space before a value on its line; alone tells whether nothing else stands before it there.
func (f *jsonFile) indent(at int) (space string, alone bool) {
	start := strings.LastIndexByte(f.src[:at], '\n') + 1
	before := f.src[start:at]
	space = before[:len(before)-len(strings.TrimLeft(before, " \t"))]
	return space, space == before
}

func quote(s string) string {
	var b strings.Builder
	jsontree.Quote(&b, s)
	return b.String()
}
