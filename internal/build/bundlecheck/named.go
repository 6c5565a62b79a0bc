package bundlecheck

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// maxLiteral bounds a text in a script that is read as an address, in bytes.
const maxLiteral = 2048

// namespaces are names that look like addresses. No browser contacts them.
var namespaces = []string{
	"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink",
	"http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/xmlns/", "http://www.w3.org/XML/1998/namespace",
}

// authored distinguishes scripts of the site's authors from the platform's own. Components of pages are compiled into a
// folder of ours, and so is the script of the services that docs.json asks for.
func authored(name string) bool {
	return !strings.HasPrefix(name, "_lectern/") || strings.HasPrefix(name, "_lectern/island/") ||
		strings.HasPrefix(name, "_lectern/integrations.")
}

// names lists the addresses that an author's script names, without those of its imports, which are listed already.
func (f *file) names(data []byte, imported map[int]bool) {
	f.t.scripts++
	named(data, func(offset int, value string) {
		if imported[offset] {
			return
		}
		host := parseAddress(value).host
		if strings.Contains(host, "${") { // the script fills in a part of it
			host = ""
		}
		f.contact(f.here(spot{offset: offset}), value, host, "script", IfRun)
	})
}

// named finds texts of a script that are addresses at a host. Any quote may begin one: whether it does depends on
// regular expressions and templates before it, and a mistake there would hide all that follows. Lines that are comments
// are left out.
func named(src []byte, found func(offset int, address string)) {
	line := 0 // where the line begins
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

// namesHost recognizes addresses that can be requested. Those without a scheme need a dot: two slashes are more often a
// comment.
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

// commented reports whether a line is a comment from its start.
func commented(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("//"))
}

// literal reads a text up to its quote and resolves escapes; ended is false when it has no end in reach.
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

// escaped reads what follows a backslash: the character that it stands for and its length in the script.
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
