package frontmatter

import (
	"bytes"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// maxSize limits the YAML of one page, in bytes.
const maxSize = 64 << 10

// Page is a page split into front matter and body. Body shares memory with the source.
type Page struct {
	Fields   Fields
	Body     []byte
	BodyLine int // the line of the source at which Body starts, from 1
}

// Parse splits src and decodes its fields. If the diagnostics contain an error, the page is not usable, but its Groups
// still show whether the author tried to restrict its readers.
func Parse(file string, src []byte) (Page, diag.List) {
	page, head, list := cut(file, src)
	switch {
	case head != nil:
		page.Fields, list = parseFields(file, head)
	case list == nil:
		return page, checkStart(file, &page)
	default:
		head = src
	}
	if list.HasErrors() && readerKeys.Match(head) {
		page.Fields = Fields{Groups: noReader()}
	}
	return page, list
}

// Cut is like Parse but does not decode the fields. It is for pages whose fields are already known.
func Cut(file string, src []byte) (Page, diag.List) {
	page, _, list := cut(file, src)
	return page, list
}

// cut separates the body. head is nil if there is no front matter to read.
func cut(file string, src []byte) (page Page, head []byte, list diag.List) {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	head, body, found, closed := split(src)
	switch {
	case !found, !closed && !looksLikeYAML(src): // in the second case, it is a thematic break at the start of a snippet
		return Page{Body: src, BodyLine: 1}, nil, nil
	case !closed:
		list.Errorf(diag.Pos{File: file, Line: 1, Column: 1}, "front-matter-open",
			"The front matter has no closing ---.")
		list.Hint("End the front matter with a line of three dashes.")
		return Page{}, nil, list
	case len(head) > maxSize:
		list.Errorf(diag.Pos{File: file, Line: 1, Column: 1}, "front-matter-size",
			"The front matter is larger than %d bytes.", maxSize)
		return Page{}, nil, list
	}
	return Page{Body: body, BodyLine: 1 + bytes.Count(src[:len(src)-len(body)], []byte{'\n'})}, head, nil
}

// split finds the two fences. found is true if the page starts with a fence, closed if there is a second one.
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

// looksLikeYAML reports whether the second line is a key with a colon, so that the closing fence was probably
// forgotten.
func looksLikeYAML(src []byte) bool {
	_, rest, _ := cutLine(src)
	line, _, _ := cutLine(rest)
	key, value, ok := bytes.Cut(line, []byte{':'})
	if !ok || len(key) == 0 || len(value) > 0 && value[0] != ' ' && value[0] != '\r' {
		return false
	}
	return bytes.IndexFunc(key, func(r rune) bool {
		return !(r == '-' || r == '_' || r == ':' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' ||
			r >= 'a' && r <= 'z')
	}) < 0
}

func isFence(line []byte) bool { return string(bytes.TrimRight(line, " \t\r")) == "---" }
