package bundlecheck

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// maxLiteral limits the length of a string in a script that may be an address, in bytes.
const maxLiteral = 2048

// namespaces are names that look like addresses but are never contacted.
var namespaces = []string{
	"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink",
	"http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/xmlns/", "http://www.w3.org/XML/1998/namespace",
}

// authored reports whether a script comes from the site's author. Components of pages are compiled into one of the
// platform's folders, and so is the script of the services in docs.json.
func authored(name string) bool {
	return !strings.HasPrefix(name, "_lectern/") || strings.HasPrefix(name, "_lectern/island/") ||
		strings.HasPrefix(name, "_lectern/integrations.")
}

// names lists the addresses in an author's script, except for the addresses of its imports, which are already listed.
func (f *file) names(data []byte, imported map[int]bool) {
	f.t.scripts++
	named(data, func(offset int, value string) {
		if imported[offset] {
			return
		}
		host := parseAddress(value).host
		if strings.Contains(host, "${") { // the script inserts a part of it
			host = ""
		}
		f.contact(f.here(spot{offset: offset}), value, host, "script", IfRun)
	})
}

// named finds strings in a script that are addresses on a host. It treats every quote as the possible start of a
// string. Whether a quote really starts one depends on the regular expressions and templates before it, and a mistake
// in parsing those would hide every address after them. It skips comment lines.
func named(src []byte, found func(offset int, address string)) {
	line := 0 // start of the line
	for at := 0; ; {
		i := bytes.IndexAny(src[at:], "\"'`")
		if i < 0 {
			return
		}
		if end := bytes.LastIndexByte(src[at:at+i], '\n'); end >= 0 {
			line = at + end + 1
		}
		at += i + 1
		rest := src[at:min(len(src), at+maxLiteral)]
		if len(rest) == 0 || bytes.IndexByte([]byte("hHwW/\\ \t\n\r"), rest[0]) < 0 {
			continue
		}
		text, ended := literal(rest, src[at-1])
		if ended && namesHost(text) && !commented(src[line:at]) {
			found(at, text)
		}
	}
}

// namesHost reports whether text is an address that can be requested. Without a scheme it must contain a dot, because
// two slashes usually start a comment.
func namesHost(text string) bool {
	a := parseAddress(text)
	scheme := strings.ToLower(schemeOf(browsersReading(text)))
	switch {
	case a.host == "" || strings.ContainsAny(a.host, " <>^|"):
		return false
	case a.form == hostless:
		return strings.Contains(strings.Trim(a.host, "."), ".")
	}
	return slices.Contains([]string{"http", "https", "ws", "wss"}, scheme) && !slices.Contains(namespaces, text)
}

// commented reports whether a line is a comment.
func commented(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("//"))
}

// literal reads a string up to its quote and decodes escapes. ended is false if no end is found within the limit.
func literal(src []byte, quote byte) (text string, ended bool) {
	var out strings.Builder
	for at := 0; at < len(src); at++ {
		switch c := src[at]; {
		case c == quote:
			return out.String(), true
		case c == '\n' && quote != '`':
			return "", false
		case c == '\\' && at+1 < len(src):
			r, size := escaped(src[at+1:])
			out.WriteString(r)
			at += size
		default:
			out.WriteByte(c)
		}
	}
	return "", false
}

// escaped decodes the escape after a backslash and returns its length in the script.
func escaped(src []byte) (text string, size int) {
	digits, size := []byte(nil), 1
	switch {
	case src[0] == 'x' && len(src) >= 3:
		digits, size = src[1:3], 3
	case src[0] == 'u' && bytes.HasPrefix(src[1:], []byte("{")):
		if end := bytes.IndexByte(src[:min(len(src), 12)], '}'); end > 0 {
			digits, size = src[2:end], end+1
		}
	case src[0] == 'u' && len(src) >= 5:
		digits, size = src[1:5], 5
	case src[0] == '\n':
		return "", 1
	case bytes.IndexByte([]byte("bfnrtv"), src[0]) >= 0:
		return " ", 1
	}
	if n, err := strconv.ParseUint(string(digits), 16, 32); err == nil {
		return string(rune(n)), size
	}
	return string(src[:1]), 1
}
