package pagetext

import "bytes"

// tag is a parsed tag. Comments and similar constructs have no name.
type tag struct {
	name     string
	class    string // the class that matters to this package, otherwise ""
	rawID    []byte // as written
	end      bool   // </name>
	empty    bool   // no content and no end tag
	platform bool   // written by the platform, not by the author
	hidden   bool   // aria-hidden
	unshown  bool   // initially hidden
}

// scanTag parses the tag at the start of h and returns its length.
func scanTag(h []byte) (t tag, n int) {
	if bytes.HasPrefix(h, []byte("<!--")) {
		if i := bytes.Index(h, []byte("-->")); i >= 0 {
			return t, i + 3
		}
		return t, len(h)
	}
	n = 1
	if n < len(h) && h[n] == '/' {
		t.end = true
		n++
	}
	start := n
	for n < len(h) && (h[n]|0x20 >= 'a' && h[n]|0x20 <= 'z' || h[n] >= '0' && h[n] <= '9' || h[n] == '-') {
		n++
	}
	t.name = nameOf(h[start:n])
	for n < len(h) && h[n] != '>' {
		if h[n] == ' ' || h[n] == '\n' || h[n] == '/' {
			t.empty = h[n] == '/'
			n++
			continue
		}
		n += t.attribute(h[n:])
	}
	if t.empty = t.empty || void(t.name); t.empty && t.end {
		t.name = ""
	}
	return t, min(n+1, len(h))
}

// attribute parses name="value", or a name alone, at the start of h. It returns the length, which is at least 1.
func (t *tag) attribute(h []byte) (n int) {
	t.empty = false
	for n < len(h) && h[n] != '=' && h[n] != '>' && h[n] != ' ' && h[n] != '\n' && h[n] != '/' {
		n++
	}
	name := h[:n]
	var value []byte
	if n+1 < len(h) && h[n] == '=' && (h[n+1] == '"' || h[n+1] == '\'') {
		quote := h[n+1]
		n += 2
		end := bytes.IndexByte(h[n:], quote)
		if end < 0 {
			end = len(h) - n
		}
		value = h[n : n+end]
		n = min(n+end+1, len(h))
	}
	switch string(name) {
	case "id":
		t.rawID = value
	case "class":
		t.class = classOf(value)
	case "data-platform", "data-copy":
		t.platform = true
	case "hidden":
		t.unshown = true
	case "aria-hidden":
		t.hidden = string(value) == "true"
	}
	return max(n, 1)
}

// id returns the id that links use.
func (t tag) id() string { return string(plain(t.rawID)) }

// nameOf converts a name to a string, without an allocation for common names. Highlighted code has a tag every few
// letters.
func nameOf(name []byte) string {
	switch string(name) {
	case "span":
		return "span"
	case "a":
		return "a"
	case "p":
		return "p"
	case "li":
		return "li"
	case "code":
		return "code"
	case "div":
		return "div"
	case "td":
		return "td"
	case "tr":
		return "tr"
	case "pre":
		return "pre"
	case "svg":
		return "svg"
	case "path":
		return "path"
	case "strong":
		return "strong"
	}
	return string(name)
}

// classOf returns the class if it matters to this package, otherwise "".
func classOf(class []byte) string {
	switch string(class) {
	case "api":
		return "api"
	case "step-title":
		return "step-title"
	case "update-label":
		return "update-label"
	}
	return ""
}

// left reports whether an element is skipped: content from the platform, images, and elements without readable
// text. The part of a page that comes from an API description is not skipped, because readers search for it.
func (t tag) left() bool {
	switch t.name {
	case "svg", "script", "style", "template", "select", "annotation":
		return true
	case "lectern-user": // content for certain readers; the content for an unknown reader is not hidden
		return t.unshown
	}
	return t.platform && t.class != "api" || t.hidden
}

func void(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr":
		return true
	}
	return false
}

// block reports whether an element is separated from the text around it. All other elements may occur inside a word.
func (t tag) block() bool {
	switch t.name {
	case "a", "abbr", "b", "bdi", "bdo", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "lectern-user", "mark", "math", "mi",
		"mn", "mo", "mrow", "mspace", "mstyle",
		"msub", "msubsup", "msup", "mtext", "q", "s", "samp", "semantics", "small", "span", "strike", "strong", "sub",
		"sup", "time", "tt", "u", "var", "wbr", "img":
		return false
	}
	return true
}
