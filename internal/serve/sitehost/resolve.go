package sitehost

import (
	"context"
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// tree is a manifest prepared for resolving paths.
type tree struct {
	manifest  deploy.Manifest
	redirects *link.Redirects
	languages *route.Languages // nil = no languages to choose from
	policy    string           // content policy for the version's pages

	// for a version other than the default: its name, the default version's tree, and the origin as stored
	version string
	home    *tree
	stored  string
}

func newTree(m deploy.Manifest) *tree {
	rs := make([]site.Redirect, len(m.Redirects))
	for i, r := range m.Redirects {
		rs[i] = site.Redirect{Source: r.Source, Destination: r.Destination, Permanent: r.Permanent}
	}
	return &tree{manifest: m, redirects: link.NewRedirects(rs)}
}

// loadLists reads the lists that the build wrote for servers: the site's languages, and what its pages may use on
// other hosts.
func (h *Host) loadLists(ctx context.Context, t *tree) error {
	languages, err := h.list(ctx, t, capability.LanguagesFile)
	if err != nil {
		return err
	}
	t.languages = route.ParseLanguages(languages)
	page := csp.Page{}
	if h.programs[capability.BlockPath] != nil {
		page.Report = t.manifest.Base + capability.BlockPath
	}
	if h.external {
		sources, err := h.list(ctx, t, capability.SourcesFile)
		if err != nil {
			return err
		}
		page.Allow = csp.Decode(sources)
	}
	t.policy = page.Policy()
	return nil
}

// list reads one of the lists that the build wrote for servers; nil if the site does not have it.
func (h *Host) list(ctx context.Context, t *tree, name string) ([]byte, error) {
	f, ok := t.manifest.Files[name]
	if !ok {
		return nil, nil
	}
	content, _, err := h.content(ctx, t, f, t.naming(name, f), false)
	if err != nil {
		return nil, err
	}
	defer func() { _ = content.Close() }() // read only
	return io.ReadAll(content)
}

// speaks reports whether a request is for the first page of a site with several languages.
func (t *tree) speaks(r *http.Request) bool {
	return t.languages != nil && path.Clean("/"+r.URL.Path) == "/"
}

// resolution is the target of a path: a file, or a redirect.
type resolution struct {
	name      string // name of the file; "" = none
	location  string // redirect target, "" = none
	permanent bool
	chosen    bool // selected by the Accept header
}

// resolve finds the target of a request: a page at a clean path in the format that the client prefers, or any other
// file by name.
func (t *tree) resolve(r *http.Request) resolution {
	at := r.URL.Path
	if p := strings.Trim(at, "/"); t.manifest.TrailingSlash && (t.has(p+".html") || p != "" && t.has(p+"/index.html")) {
		at = "/" + p // with or without a trailing slash, this is the page's own path
	}
	a := route.Resolve(at, t.has, t.redirects)
	out := resolution{name: a.File, location: a.Location, permanent: a.Permanent}
	if twin, ok := route.Twin(a.File, t.has); ok && route.PrefersMarkdown(r.Header.Values("Accept")) {
		out.name, out.chosen = twin, true
	}
	return out
}

// has reports whether a file exists.
func (t *tree) has(name string) bool {
	_, ok := t.manifest.Files[name]
	return ok
}
