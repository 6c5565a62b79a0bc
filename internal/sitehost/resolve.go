package sitehost

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/deploy"
	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/siterule"
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
	name      string // of the file; "" = none
	location  string // redirect target, "" = none
	permanent bool
	chosen    bool // the reader's Accept chose this form of a page
}

// resolve finds what a request leads to: a page at a clean path in the form that the reader prefers, or any other file by its name.
func (t *tree) resolve(r *http.Request) answer {
	a := siterule.Resolve(r.URL.Path, t.has, t.redirects)
	out := answer{name: a.File, location: a.Location, permanent: a.Permanent}
	if twin, ok := siterule.Twin(a.File, t.has); ok && siterule.PrefersMarkdown(r.Header.Values("Accept")) {
		out.name, out.chosen = twin, true
	}
	return out
}

// has tells which files there are.
func (t *tree) has(name string) bool {
	_, ok := t.manifest.Files[name]
	return ok
}
