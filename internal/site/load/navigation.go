package load

import (
	"maps"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/docsjson"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// navigation connects the site file's tree with the pages that exist. It does not report pages in hidden as missing,
// because they have already been reported. written is false if the site file has no navigation.
func navigation(s *site.Site, nav []*site.Node, written bool, hidden map[string]bool) (list diag.List) {
	failed := maps.Clone(hidden)
	for _, p := range s.Failed {
		failed[p] = true
	}
	site.Walk(nav, func(n *site.Node) bool {
		if n.Page == "" {
			return true
		}
		p := findPage(s, n.Page)
		switch {
		case p != nil:
			p.Listed = true
			n.Page = p.Path // assign even if equal, so that the string is stored only once
		case !failed[n.Page] && !failed[n.Page+"/index"]:
			list.Warnf(n.Pos, "missing-page", "The navigation lists the page %q, which does not exist.", n.Page)
			list.Hint("Add " + n.Page + ".mdx, or remove the entry.")
		}
		return true
	})
	s.Nav = site.Prune(nav, func(page string) bool { return s.Find(page) != nil })
	if !written {
		s.Nav = everyPage(s)
	}
	return list
}

// everyPage returns the navigation for a site that defines none. It has one group for each top-level folder.
func everyPage(s *site.Site) (out []*site.Node) {
	groups := map[string]*site.Node{}
	nodes := make([]site.Node, len(s.Pages))
	for i, p := range s.Pages {
		p.Listed = true
		n := &nodes[i]
		n.Kind, n.Page = site.KindPage, p.Path
		dir, _, nested := strings.Cut(p.Path, "/")
		if !nested {
			out = append(out, n)
			continue
		}
		g := groups[dir]
		if g == nil {
			g = &site.Node{Kind: site.KindGroup, Title: dir}
			groups[dir] = g
			out = append(out, g)
		}
		g.Children = append(g.Children, n)
	}
	return out
}

// maxRedirects limits the rules of a site. A request for a page that does not exist may have to try all of them.
const maxRedirects = 10_000

// redirects adds the valid redirect rules to the site and reports the others.
func redirects(s *site.Site, cfg *docsjson.Config) (list diag.List) {
	for i, r := range cfg.Redirects {
		if i == maxRedirects {
			list.Warnf(r.Pos, "too-many-redirects", "Only the first %d redirects are used.", maxRedirects)
			break
		}
		if !strings.HasPrefix(r.Source, "/") {
			r.Source = "/" + r.Source
		}
		if !strings.HasPrefix(r.Destination, "/") && !strings.Contains(r.Destination, ":") {
			r.Destination = "/" + r.Destination
		}
		switch {
		case strings.ContainsAny(r.Source, "?#\\\r\n") || strings.Contains(r.Source, "/../"):
			list.Warnf(r.Pos, "bad-redirect", "The source %q must be a path without query or anchor.", r.Source)
		case !destination(r.Destination):
			list.Warnf(r.Pos, "bad-redirect", "The destination %q must be a path or an http(s) address.", r.Destination)
		case strings.TrimRight(r.Source, "/") == strings.TrimRight(r.Destination, "/"):
			list.Warnf(r.Pos, "bad-redirect", "The redirect from %q points to itself.", r.Source)
		default:
			s.Redirects = append(s.Redirects, r)
		}
	}
	return list
}

// destination reports whether d is a valid redirect target: a path of the site, or an absolute URL.
func destination(d string) bool {
	web := strings.HasPrefix(d, "https://") || strings.HasPrefix(d, "http://")
	return link.Safe(d) && (web || strings.HasPrefix(d, "/") && !strings.HasPrefix(d, "//"))
}
