package build

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/site"
)

// facets are the properties by which a search can be filtered: language, version, and the titles of products, tabs
// and similar divisions.
type facets struct {
	language, version string // "" = the page is in none, or in several
	tags              []string
}

// facetsOfRepeatedPages returns the facets of pages that the navigation lists more than once. The facets of other pages
// follow from their trails.
func (n *navigation) facetsOfRepeatedPages() map[string]*facets {
	out := map[string]*facets{}
	var walk func(nodes []*site.Node, at facets)
	walk = func(nodes []*site.Node, at facets) {
		for _, node := range nodes {
			here := at.within(node)
			if t := n.trail(node.Page); t != nil && t.node != node {
				if out[node.Page] == nil {
					first := t.facets()
					out[node.Page] = &first
				}
				out[node.Page].merge(here)
			}
			walk(node.Children, here)
		}
	}
	walk(n.site.Nav, facets{})
	return out
}

// facets returns the facets of the page at the end of a trail.
func (t *trail) facets() (s facets) {
	if t != nil {
		s = t.up.facets().within(t.node)
	}
	return s
}

// within returns the facets of pages below a node.
func (s facets) within(n *site.Node) facets {
	switch n.Kind {
	case site.KindLanguage:
		s.language = n.Title
	case site.KindVersion:
		s.version = n.Title
	case site.KindProduct, site.KindTab, site.KindDropdown, site.KindAnchor:
		if n.Title != "" {
			s.tags = append(slices.Clip(s.tags), n.Title)
		}
	}
	return s
}

// merge adds another location of the same page.
func (s *facets) merge(other facets) {
	if s.language != other.language {
		s.language = ""
	}
	if s.version != other.version {
		s.version = ""
	}
	for _, t := range other.tags {
		if !slices.Contains(s.tags, t) {
			s.tags = append(slices.Clip(s.tags), t)
		}
	}
}
