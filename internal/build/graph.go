package build

import (
	"cmp"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build/jsonld"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// graph returns the JSON-LD graph of a page for search engines. It returns nil for pages that are not listed, and if
// the base URL is unknown, because a graph needs absolute addresses. lead is used if there is no description.
func (l *pageLayout) graph(p *site.Page, lead, card string, modified time.Time) []byte {
	if l.addr.baseURL == "" || !l.nav.listed(p) {
		return nil
	}
	absolute := func(ref string) string {
		t := l.addr.From("index", "index").Resolve(rooted(ref))
		switch {
		case ref == "" || t.Href == "" || t.Kind == link.Broken:
			return ""
		case t.Kind == link.External:
			return t.Href
		}
		return l.addr.Public(strings.TrimPrefix(rooted(ref), "/"))
	}
	root := strings.TrimRight(l.addr.baseURL, "/")
	org := l.src.site.SEO.Organization
	org.Logo = absolute(org.Logo)
	s := jsonld.Site{
		URL: root, Name: l.src.site.Name, Description: l.src.site.Description, Logo: absolute(l.src.site.Logo.Light),
		Organization: org,
	}
	page := jsonld.Page{
		URL: l.addr.canonical(p), Title: p.Title, Description: cmp.Or(p.Description, lead), Image: card,
		Language: l.nav.trail(p.Path).language(), Keywords: p.Details().Keywords, API: p.API != nil, Modified: modified,
		Crumbs: l.crumbs(p, root),
	}
	return jsonld.Render(s, page)
}

// crumbs lists the ancestors of a page that have a page of their own, from the root down.
func (l *pageLayout) crumbs(p *site.Page, root string) []jsonld.Crumb {
	var out []jsonld.Crumb
	for t := l.nav.trail(p.Path); t != nil; t = t.up {
		first, kind := t.node.First(), t.node.Kind
		if kind == site.KindPage || kind == site.KindLanguage || first == p.Path || first == "index" {
			continue
		}
		if found := l.src.site.Find(first); found == nil || !l.nav.listed(found) {
			continue
		}
		// the innermost name is the most specific
		if url := l.addr.Canonical(first); len(out) == 0 || out[0].URL != url {
			out = append([]jsonld.Crumb{{Name: t.node.Title, URL: url}}, out...)
		}
	}
	out = append([]jsonld.Crumb{{Name: l.src.site.Name, URL: root + "/"}}, out...)
	if p.Path != "index" {
		out = append(out, jsonld.Crumb{Name: p.Title, URL: l.addr.canonical(p)})
	}
	return out
}
