package sitehost

import (
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/deploy"
	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/site"
)

// tree is a manifest ready to answer paths.
type tree struct {
	manifest  deploy.Manifest
	redirects *link.Redirects
}

func newTree(m deploy.Manifest) *tree {
	rs := make([]site.Redirect, len(m.Redirects))
	for i, r := range m.Redirects {
		rs[i] = site.Redirect{Source: r.Source, Destination: r.Destination, Permanent: r.Permanent}
	}
	return &tree{manifest: m, redirects: link.NewRedirects(rs)}
}

// answer is what a path leads to: a file, or somewhere else.
type answer struct {
	file      deploy.File
	found     bool
	location  string // redirect target, "" = none
	permanent bool
}

// resolve finds what a URL path leads to. Pages live at clean paths: /guides/start is the file guides/start.html,
// and the spellings /guides/start.html, /guides/start/ and /index lead there.
func (t *tree) resolve(urlPath string) answer {
	p := strings.TrimPrefix(path.Clean("/"+urlPath), "/")
	if p == "" {
		return t.file("index.html")
	}
	if page, ok := strings.CutSuffix(p, ".html"); ok && page != "404" && t.has(p) {
		return moved(clean(page))
	}
	if a := t.file(p); a.found {
		return a
	}
	for _, name := range []string{p + ".html", p + "/index.html"} {
		if !t.has(name) {
			continue
		}
		if p == "index" || strings.HasSuffix(p, "/index") || strings.HasSuffix(urlPath, "/") {
			return moved(clean(p))
		}
		return t.file(name)
	}
	if to, permanent, ok := t.redirects.Match("/" + p); ok {
		return answer{location: to, permanent: permanent}
	}
	return answer{}
}

func moved(to string) answer { return answer{location: to, permanent: true} }

// clean is a page's public path as a URL has it: no /index at its end, one slash at its start, odd characters escaped.
func clean(page string) string {
	if page == "index" {
		return "/"
	}
	u := url.URL{Path: "/" + strings.TrimSuffix(page, "/index")}
	return u.EscapedPath()
}

func (t *tree) has(name string) bool { _, ok := t.manifest.Files[name]; return ok }

func (t *tree) file(name string) answer {
	f, ok := t.manifest.Files[name]
	return answer{file: f, found: ok}
}
