package audience

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Size limits, in bytes.
const (
	MaxPath  = 300
	MaxQuery = 120
	MaxHost  = 100
)

// Path returns a page's path as readers see it: with a leading slash and without trailing slash, file extension,
// query or anchor; "" if it is not valid.
func Path(raw string) string {
	raw, _, _ = strings.Cut(raw, "#")
	raw, _, _ = strings.Cut(raw, "?")
	if !strings.HasPrefix(raw, "/") || strings.ContainsAny(raw, "\\\x00") || !utf8.ValidString(raw) {
		return ""
	}
	p := path.Clean(raw)
	p = strings.TrimSuffix(strings.TrimSuffix(p, ".html"), ".md")
	if p == "/index" {
		p = "/"
	}
	p = strings.TrimSuffix(p, "/index")
	if p == "" || strings.ContainsFunc(p, unicode.IsControl) {
		return ""
	}
	return cut(p, MaxPath)
}

// FilePath returns the path of the page that a file of a site contains. Text files that do not belong to a page keep
// their name.
func FilePath(file string) string { return Path("/" + file) }

// Query normalizes a search query, so that variants of it are counted together.
func Query(raw string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return unicode.ToLower(r)
	}, raw)
	return strings.TrimSpace(cut(strings.Join(strings.Fields(clean), " "), MaxQuery))
}

// Referrer returns the referring host. It returns "" if there is none, or if the host is one of the site's own. raw is
// an address or a host.
func Referrer(raw string, own ...string) string {
	if raw == "" || len(raw) > 4096 {
		return ""
	}
	if !strings.Contains(raw, "://") {
		raw = "https://" + raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "android-app" {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if host == "" || len(host) > MaxHost || strings.ContainsFunc(host,
		func(r rune) bool { return r > unicode.MaxASCII || r <= ' ' || strings.ContainsRune(`"<>'`, r) }) {
		return ""
	}
	for _, o := range own {
		if host == strings.ToLower(o) {
			return ""
		}
	}
	return host
}

// Text cleans text from a reader: valid characters, no control characters except line breaks and tabs, at most max
// bytes.
func Text(raw string, max int) string {
	clean := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(raw, "\r\n", "\n"), "\uFFFD"))
	return strings.TrimSpace(cut(clean, max))
}

// cut shortens s to at most max bytes without splitting a character.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	for max > 0 && !utf8.RuneStart(s[max]) {
		max--
	}
	return s[:max]
}

// Counted reports whether requests for a path are counted. Requests for images and styles are not, and neither are
// vulnerability scans, because they say nothing about the docs.
func Counted(p string) bool {
	if len(p) > MaxPath || strings.HasPrefix(p, "/_") || strings.Contains(p, "/.") {
		return false
	}
	ext := strings.ToLower(path.Ext(p))
	switch ext {
	case "", ".html", ".htm", ".md", ".mdx", ".txt":
		return true
	}
	return strings.ContainsAny(ext, "0123456789_-~ ") // part of a version or a name, such as /v1.2
}

// Silent reports whether a reader asked not to be counted; the arguments are the headers DNT and Sec-GPC.
func Silent(dnt, gpc string) bool {
	return strings.TrimSpace(dnt) == "1" || strings.TrimSpace(gpc) == "1"
}
