package frontmatter

import (
	"bytes"

	"github.com/lectern-docs/lectern/internal/diag"
)

// maxSize bounds the YAML of one page, in bytes.
const maxSize = 64 << 10

// Page is a page cut in two. Body is a part of the source, not a copy.
type Page struct {
	Fields   Fields
	Body     []byte
	BodyLine int // the line of the source that Body starts on, from 1
}

// Parse cuts and types src. With an error among the diagnostics the page is not usable.
func Parse(file string, src []byte) (Page, diag.List) {
	var list diag.List
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	head, body, found, closed := split(src)
	if !found {
		return Page{Body: src, BodyLine: 1}, nil
	}
	if !closed {
		list.Errorf(diag.Pos{File: file, Line: 1, Column: 1}, "front-matter-open", "The front matter has no closing ---.")
		list.Hint("End the front matter with a line of three dashes.")
		return Page{}, list
	}
	if len(head) > maxSize {
		list.Errorf(diag.Pos{File: file, Line: 1, Column: 1}, "front-matter-size", "The front matter is larger than %d bytes.", maxSize)
		return Page{}, list
	}
	fields, list := parseFields(file, head)
	return Page{Fields: fields, Body: body, BodyLine: 1 + bytes.Count(src[:len(src)-len(body)], []byte{'\n'})}, list
}

// split finds the two fences. found: the page starts with one; closed: the second exists too.
func split(src []byte) (head, body []byte, found, closed bool) {
	first, rest, more := cutLine(src)
	if !isFence(first) || !more {
		return nil, src, isFence(first), false
	}
	for at := rest; ; {
		line, next, more := cutLine(at)
		if isFence(line) {
			return rest[:len(rest)-len(at)], next, true, true
		}
		if !more {
			return nil, nil, true, false
		}
		at = next
	}
}

func cutLine(src []byte) (line, rest []byte, more bool) {
	return bytes.Cut(src, []byte{'\n'})
}

func isFence(line []byte) bool { return string(bytes.TrimRight(line, " \t\r")) == "---" }
