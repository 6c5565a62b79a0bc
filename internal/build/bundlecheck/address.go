package bundlecheck

import (
	"net/url"
	"path"
	"strings"
)

// address is a reference as a browser parses it.
type address struct {
	form     form
	host     string // for elsewhere; "" if there is none
	path     string // decoded; relative to the page for local, from the root for absolute
	fragment string // as written, without #
	anchored bool   // it has a #
}

type form int

const (
	local     form = iota // a path relative to the page; "" is the page itself
	absolute              // a path from the root of the host
	hostless              // //host/path
	elsewhere             // http, https and other schemes that reach a host
	carried               // data and similar schemes: the content is in the address
	script                // javascript
	other                 // mail, telephone and other schemes for external programs
)

// parseAddress parses an address. It never fails: an address that browsers cannot use becomes a path that does not
// exist.
func parseAddress(s string) address {
	s = browsersReading(s)
	if scheme := schemeOf(s); scheme != "" {
		return schemed(scheme, s[len(scheme)+1:])
	}
	var a address
	if strings.HasPrefix(strings.ReplaceAll(s, `\`, "/"), "//") {
		a.form, a.host = hostless, hostOf(s)
		return a
	}
	s, a.fragment, a.anchored = strings.Cut(s, "#")
	s, _, _ = strings.Cut(s, "?")
	s = strings.ReplaceAll(s, `\`, "/")
	if strings.HasPrefix(s, "/") {
		a.form = absolute
	}
	if a.path = s; strings.Contains(s, "%") {
		if decoded, err := url.PathUnescape(s); err == nil {
			a.path = decoded
		}
	}
	return a
}

// browsersReading removes characters that browsers ignore.
func browsersReading(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(s, "\t\n\r") {
		s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	}
	return s
}

// schemeOf returns the text before the colon, if it can be a scheme.
func schemeOf(s string) string {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return s[:i]
		default:
			return ""
		}
	}
	return ""
}

func schemed(scheme, rest string) address {
	switch strings.ToLower(scheme) {
	case "http", "https", "ws", "wss", "ftp", "ftps", "file", "filesystem":
		return address{form: elsewhere, host: hostOf(rest)}
	case "data", "about", "blob", "cid":
		return address{form: carried}
	case "javascript", "vbscript", "livescript":
		return address{form: script}
	}
	return address{form: other}
}

// hostOf returns the host of the part after a scheme, in lower case, without port and credentials, or "".
func hostOf(rest string) string {
	rest = strings.TrimLeft(strings.ReplaceAll(rest, `\`, "/"), "/")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if port := strings.LastIndexByte(rest, ':'); port >= 0 && !strings.HasSuffix(rest, "]") {
		rest = rest[:port]
	}
	return strings.ToLower(rest)
}

// join resolves a relative path in a folder of the bundle ("" is its root). ok is false if the result is outside of the
// bundle. It keeps a slash at the end, because only a server can respond to a folder's address.
func join(folder, p string) (file string, ok bool) {
	file = path.Join(folder, p)
	if file == ".." || strings.HasPrefix(file, "../") {
		return file, false
	}
	if file == "." || strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/.") || strings.HasSuffix(p, "/..") ||
		p == "." || p == ".." {
		file = strings.TrimPrefix(file+"/", "./")
	}
	return file, true
}

// words calls found for the parts of a value between blanks, with their offsets.
func words(value string, found func(offset int, word string)) {
	const blanks = " \t\n\f\r"
	for at := 0; at < len(value); {
		rest := strings.TrimLeft(value[at:], blanks)
		if at = len(value) - len(rest); rest == "" {
			return
		}
		if end := strings.IndexAny(rest, blanks); end >= 0 {
			rest = rest[:end]
		}
		found(at, rest)
		at += len(rest)
	}
}

// candidates calls found for each address in a srcset, with its offset. It follows the same rules as browsers: a comma
// ends an address only after blanks or outside of brackets.
func candidates(srcset string, found func(offset int, address string)) {
	const blanks = " \t\n\f\r"
	for at := 0; at < len(srcset); {
		if strings.IndexByte(blanks+",", srcset[at]) >= 0 {
			at++
			continue
		}
		end := strings.IndexAny(srcset[at:], blanks)
		if end < 0 {
			end = len(srcset) - at
		}
		one := srcset[at : at+end]
		bare := strings.TrimRight(one, ",")
		found(at, bare)
		if at += end; bare == one {
			at = descriptorEnd(srcset, at)
		}
	}
}

// descriptorEnd returns the position of the comma that ends a candidate.
func descriptorEnd(srcset string, at int) int {
	for depth := 0; at < len(srcset); at++ {
		switch c := srcset[at]; {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ',' && depth == 0:
			return at
		}
	}
	return at
}

// refreshed returns the address in the content of a meta refresh, and its offset. ok is false if the refresh only
// reloads the page.
func refreshed(content string) (offset int, address string, ok bool) {
	at := strings.IndexAny(content, ";,")
	if at < 0 {
		return 0, "", false
	}
	rest := strings.TrimLeft(content[at+1:], " \t\n\f\r")
	if len(rest) >= 3 && strings.EqualFold(rest[:3], "url") {
		if after := strings.TrimLeft(rest[3:], " \t\n\f\r"); strings.HasPrefix(after, "=") {
			rest = strings.TrimLeft(after[1:], " \t\n\f\r")
		}
	}
	offset = len(content) - len(rest)
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		quote := rest[:1]
		rest, offset = rest[1:], offset+1
		rest, _, _ = strings.Cut(rest, quote)
	}
	return offset, rest, rest != ""
}
