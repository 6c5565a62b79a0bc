package route

import (
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// Answer is the result for a path: a file or a redirect. The zero value means not found.
type Answer struct {
	File      string // name of a file of the site, "" = none
	Location  string // redirect target, "" = none
	Permanent bool
}

// Resolve finds the file or redirect for a URL path. Pages have clean paths: /guides/start is the file guides/start.html, and the
// spellings /guides/start.html, /guides/start/ and /index redirect there. has reports whether a file exists.
func Resolve(urlPath string, has func(name string) bool, redirects *link.Redirects) Answer {
	p := strings.TrimPrefix(path.Clean("/"+urlPath), "/")
	if p == "" {
		return file("index.html", has)
	}
	if page, ok := strings.CutSuffix(p, ".html"); ok && page != "404" && has(p) {
		return moved(Clean(page))
	}
	if has(p) {
		return Answer{File: p}
	}
	for _, name := range []string{p + ".html", p + "/index.html"} {
		if !has(name) {
			continue
		}
		if p == "index" || strings.HasSuffix(p, "/index") || strings.HasSuffix(urlPath, "/") {
			return moved(Clean(p))
		}
		return Answer{File: name}
	}
	if to, permanent, ok := redirects.Match("/" + p); ok {
		return Answer{Location: to, Permanent: permanent}
	}
	return Answer{}
}

func file(name string, has func(string) bool) Answer {
	if has(name) {
		return Answer{File: name}
	}
	return Answer{}
}

func moved(to string) Answer { return Answer{Location: to, Permanent: true} }

// Clean returns a page's public path in a URL: no /index at the end, one slash at the start, special characters escaped.
func Clean(page string) string {
	if page == "index" {
		return "/"
	}
	u := url.URL{Path: "/" + strings.TrimSuffix(page, "/index")}
	return u.EscapedPath()
}

// WithQuery returns a redirect target with the query of the request, unless it has its own.
func WithQuery(to, rawQuery string) string {
	if rawQuery == "" || strings.Contains(to, "?") {
		return to
	}
	base, anchor, has := strings.Cut(to, "#")
	if to = base + "?" + rawQuery; has {
		to += "#" + anchor
	}
	return to
}
