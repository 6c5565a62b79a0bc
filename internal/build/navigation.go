package build

import (
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/site"
)

// navigation holds the positions of pages in the navigation, and knows whether readers and machines can find them
// there. newNavigation creates it from the site before the first page is rendered; it does not change afterwards.
type navigation struct {
	site     *site.Site
	trails   []*trail            // the first position of each page, in page order; nil = not in the navigation
	defaults map[*site.Node]bool // the languages and versions that readers see first
	repeated map[string]*facets  // facets of pages with several positions
	spoken   map[string]bool     // codes of the site's languages
	home     searchindex.Home    // the language and version that readers see first
}

func newNavigation(s *site.Site) *navigation {
	n := &navigation{site: s, trails: findTrails(s), defaults: findDefaults(s.Nav), spoken: map[string]bool{}}
	n.repeated = n.facetsOfRepeatedPages()
	n.home = n.findHome()
	site.Walk(s.Nav, func(node *site.Node) bool {
		if node.Kind == site.KindLanguage {
			n.spoken[node.Title] = true
		}
		return true
	})
	return n
}

// findTrails finds the first location of every page in navigation.
func findTrails(s *site.Site) []*trail {
	out := make([]*trail, len(s.Pages))
	var walk func(nodes []*site.Node, up *trail)
	walk = func(nodes []*site.Node, up *trail) {
		trails := make([]trail, len(nodes)) // one allocation for all siblings
		for i, n := range nodes {
			t := &trails[i]
			t.node, t.up = n, up
			if at, ok := s.Index(n.Page); ok && out[at] == nil {
				out[at] = t
			}
			walk(n.Children, t)
		}
	}
	walk(s.Nav, nil)
	return out
}

// findDefaults returns the versions and languages that readers see first: among siblings, the one marked as
// default, otherwise the first.
func findDefaults(nav []*site.Node) map[*site.Node]bool {
	out := map[*site.Node]bool{}
	var walk func(nodes []*site.Node)
	walk = func(nodes []*site.Node) {
		for _, kind := range []site.Kind{site.KindVersion, site.KindLanguage} {
			var chosen *site.Node
			for _, n := range nodes {
				if n.Kind == kind && (chosen == nil || n.Default && !chosen.Default) {
					chosen = n
				}
			}
			if chosen != nil {
				out[chosen] = true
			}
		}
		for _, n := range nodes {
			walk(n.Children)
		}
	}
	walk(nav)
	return out
}

// findHome returns the language and version that readers see first. It returns no version if parts of the site have
// their own versions.
func (n *navigation) findHome() (h searchindex.Home) {
	first := map[site.Kind][]string{}
	site.Walk(n.site.Nav, func(node *site.Node) bool {
		if node.Kind != site.KindLanguage && node.Kind != site.KindVersion {
			return true
		}
		if n.defaults[node] && !slices.Contains(first[node.Kind], node.Title) {
			first[node.Kind] = append(first[node.Kind], node.Title)
		}
		return n.defaults[node]
	})
	if names := first[site.KindLanguage]; len(names) == 1 {
		h.Language = names[0]
	}
	if names := first[site.KindVersion]; len(names) == 1 {
		h.Version = names[0]
	}
	return h
}

// trail returns the path to the first position of a page, or nil if it is not in the navigation.
func (n *navigation) trail(page string) *trail {
	if i, ok := n.site.Index(page); ok {
		return n.trails[i]
	}
	return nil
}

// facets returns the facets of a page. A page outside the navigation has the language of its folder or, if that has
// none, the default language. The layout around the page uses the same language. Readers of other languages therefore
// do not find the page.
func (n *navigation) facets(p *site.Page) facets {
	if several := n.repeated[p.Path]; several != nil {
		return *several
	}
	if t := n.trail(p.Path); t != nil {
		return t.facets()
	}
	if folder, _, _ := strings.Cut(p.Path, "/"); n.spoken[folder] {
		return facets{language: folder}
	}
	return facets{language: n.home.Language}
}

// discoverable reports whether the navigation and lists show a page. Readers need the address to open any other page.
func (n *navigation) discoverable(p *site.Page) bool { return !p.Hidden && !n.trail(p.Path).hidden() }

// listed reports whether lists for machines may include a page: it is neither hidden nor excluded from search engines.
func (n *navigation) listed(p *site.Page) bool {
	return p.Indexed(n.site.SEO.IndexAll) && !n.trail(p.Path).hidden() && !n.site.SEO.NoIndex
}

// listFile returns the path of the list that includes a page, or "".
func (n *navigation) listFile(p *site.Page) string {
	if !n.listed(p) {
		return ""
	}
	return path.Join(n.variant(n.trail(p.Path)).folder(), "llms.txt")
}

// variant returns the variant of the site that a trail belongs to.
func (n *navigation) variant(t *trail) (v variant) {
	for ; t != nil; t = t.up {
		switch {
		case n.defaults[t.node]:
		case t.node.Kind == site.KindLanguage && v.language == "":
			v.language = t.node.Title
		case t.node.Kind == site.KindVersion && v.version == "":
			v.version = t.node.Title
		}
	}
	return v
}

// variant is a part of the site with its own lists: the pages in a language or version other than the default one. The
// zero value contains all other pages.
type variant struct{ language, version string }

// folder returns the folder of a variant's lists: fr, v2-0, fr/v2-0. It is "" for the default variant, and for names
// from which no folder name can be derived.
func (v variant) folder() string {
	var parts []string
	for _, name := range []string{v.language, v.version} {
		if name == "" {
			continue
		}
		piece := plainName(name)
		if piece == "" {
			return ""
		}
		parts = append(parts, piece)
	}
	return strings.Join(parts, "/")
}

// plainName keeps ASCII letters, digits and underscores. Each run of other characters between them becomes one hyphen.
func plainName(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_'
	}), "-")
}
