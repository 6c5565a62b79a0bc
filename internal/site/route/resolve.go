package route

import (
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// Resolution is the result for a path: a file or a redirect. The zero value means not found.
type Resolution struct {
	File      string // name of a file of the site; "" = none
	Location  string // redirect target; "" = none
	Permanent bool
}

// Resolve finds the file or redirect for a URL path. Pages have clean paths: /guides/start is the file
// guides/start.html, and the variants /guides/start.html, /guides/start/ and /index redirect to the clean path. has
// reports whether a file exists.
func Resolve(urlPath string, has func(name string) bool, redirects *link.Redirects) Resolution {
	p := strings.TrimPrefix(path.Clean("/"+urlPath), "/")
	if p == "" {
		return file("index.html", has)
	}
	if page, ok := strings.CutSuffix(p, ".html"); ok && page != "404" && has(p) {
		return moved(Clean(page))
	}
	if has(p) {
		return Resolution{File: p}
	}
	for _, name := range []string{p + ".html", p + "/index.html"} {
		if !has(name) {
			continue
		}
		if p == "index" || strings.HasSuffix(p, "/index") || strings.HasSuffix(urlPath, "/") {
			return moved(Clean(p))
		}
		return Resolution{File: name}
	}
	if to, permanent, ok := redirects.Match("/" + p); ok {
		return Resolution{Location: to, Permanent: permanent}
	}
	return Resolution{}
}

func file(name string, has func(string) bool) Resolution {
	if has(name) {
		return Resolution{File: name}
	}
	return Resolution{}
}

func moved(to string) Resolution { return Resolution{Location: to, Permanent: true} }

// Clean returns the public path of a page, for use in a URL: it has no /index at the end and one slash at the start,
// and special characters are escaped.
func Clean(page string) string {
	if page == "index" {
		return "/"
	}
	u := url.URL{Path: "/" + strings.TrimSuffix(page, "/index")}
	return u.EscapedPath()
}

// WithQuery returns a redirect target with the query of the request added, unless the target has its own query.
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
