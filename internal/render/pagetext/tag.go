package pagetext

import "bytes"

// tag is what is read of a tag. Comments and the like have no name.
type tag struct {
	name     string
	class    string // one that means something here, else ""
	rawID    []byte // as written
	end      bool   // </name>
	empty    bool   // it has no content and no end tag
	platform bool   // written by the platform, not by the author
	hidden   bool   // not for readers: aria-hidden
	unshown  bool   // not shown at first: hidden
}

// scanTag parses the tag that h starts with and returns its length.
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

// attribute reads name="value" or a bare name at the start of h and returns its length, at least 1.
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

// id returns where a link leads to.
func (t tag) id() string { return string(plain(t.rawID)) }

// nameOf returns a name as a string. Most are known, and cost nothing: pages have a tag for every few letters of code.
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

// classOf returns the class if it identifies what an element is.
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

// left recognizes elements that are no text: what the platform wrote, pictures, what cannot be read. The part of a page
// that an API description made is the platform's too, but that is what its readers look for.
func (t tag) left() bool {
	switch t.name {
	case "svg", "script", "style", "template", "select", "annotation":
		return true
	case "lectern-user": // for some readers; what readers see about whom nothing is known is not hidden
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

// block recognizes elements that stand apart from what is before and after them. Those not listed may stand inside a
// word.
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
