package frontmatter

import (
	"bytes"
	"strings"
)

// simple is a fast path for the front matter of most pages: lines with one of six keys, each at most once, and a value
// that is quoted or begins with a letter and has no special YAML syntax. ok is false for anything else, which the YAML
// library then parses. Before anything else, a build reads the front matter of every page. On a large site, this would
// take longer than all other work if the library did it.
func simple(head []byte) (f Fields, ok bool) {
	for rest := head; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		key, value, found := bytes.Cut(line, []byte(": "))
		to := f.plainKey(string(key))
		if !found || to == nil || *to != "" {
			return f, false
		}
		text, ok := plainText(value)
		if !ok {
			return f, false
		}
		*to = strings.Join(strings.Fields(text), " ")
	}
	return f, true
}

func (f *Fields) plainKey(key string) *string {
	switch key {
	case "title":
		return &f.Title
	case "sidebarTitle":
		return &f.SidebarTitle
	case "description":
		return &f.Description
	case "icon":
		return &f.Icon
	case "tag":
		return &f.Tag
	case "translatedFrom":
		return &f.TranslatedFrom
	}
	return nil
}

// plainText returns a value that has no special syntax.
func plainText(v []byte) (text string, ok bool) {
	if n := len(v); n > 2 && v[0] == '"' && v[n-1] == '"' {
		for _, c := range v[1 : n-1] {
			if c == '"' || c == '\\' || c < ' ' || c >= 0x7F {
				return "", false
			}
		}
		return string(v[1 : n-1]), strings.TrimSpace(string(v[1:n-1])) != ""
	}
	if len(v) < 6 || v[len(v)-1] == ' ' || !letter(v[0]) { // short words may have a special meaning: yes, null
		return "", false
	}
	for _, c := range v {
		if !letter(c) && (c < '0' || c > '9') && !strings.ContainsRune(" ,.'-_/()", rune(c)) {
			return "", false
		}
	}
	return string(v), true
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
