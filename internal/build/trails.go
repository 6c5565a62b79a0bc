package build

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// trail is a path through navigation to a page.
type trail struct {
	node *site.Node
	up   *trail // nil at the top
}

// variant is a part of the site with its own lists: the pages of a language and version that are not the defaults. The
// zero value is everything else.
type variant struct{ language, version string }

// folder returns the folder of a variant's lists: fr, v2-0, fr/v2-0. It is "" for the default one, and for names that
// make no folder.
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

// plainName keeps ASCII letters, digits and underscores; everything between them becomes one hyphen.
func plainName(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_'
	}), "-")
}

// trails holds the trail of each page of a site, in page order.
type trails struct {
	site *site.Site
	list []*trail
}

// of returns the trail of a page; nil when it is not in navigation.
func (t trails) of(page string) *trail {
	if i, ok := t.site.Index(page); ok {
		return t.list[i]
	}
	return nil
}

// findTrails finds the first location of every page in navigation.
func findTrails(s *site.Site) trails {
	out := trails{s, make([]*trail, len(s.Pages))}
	var walk func(nodes []*site.Node, up *trail)
	walk = func(nodes []*site.Node, up *trail) {
		trails := make([]trail, len(nodes)) // one allocation for all siblings
		for i, n := range nodes {
			t := &trails[i]
			t.node, t.up = n, up
			if at, ok := s.Index(n.Page); ok && out.list[at] == nil {
				out.list[at] = t
			}
			walk(n.Children, t)
		}
	}
	walk(s.Nav, nil)
	return out
}

// findDefaults returns the versions and languages that readers see first: among siblings the one that is marked as
// default, else the first.
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

// variant returns the part of the site that a trail belongs to.
func (b *builder) variant(t *trail) (v variant) {
	for ; t != nil; t = t.up {
		switch {
		case b.defaultNodes[t.node]:
		case t.node.Kind == site.KindLanguage && v.language == "":
			v.language = t.node.Title
		case t.node.Kind == site.KindVersion && v.version == "":
			v.version = t.node.Title
		}
	}
	return v
}

// languageNode returns the language node on a trail; nil when there is none.
func (t *trail) languageNode() *site.Node {
	for ; t != nil; t = t.up {
		if t.node.Kind == site.KindLanguage {
			return t.node
		}
	}
	return nil
}

// language returns the language tag of a trail for browsers and search engines, or "".
func (t *trail) language() string {
	if n := t.languageNode(); n != nil {
		return i18n.Tag(n.Title)
	}
	return ""
}

// hidden reports whether a node on the trail is hidden.
func (t *trail) hidden() bool {
	for ; t != nil; t = t.up {
		if t.node.Hidden {
			return true
		}
	}
	return false
}

// section returns the section of a list that a page belongs to: the divisions and the outermost group on its trail.
func (t *trail) section() string {
	var names []string
	group := ""
	for up := t; up != nil; up = up.up {
		switch k := up.node.Kind; {
		case up.node.Title == "" || k == site.KindLanguage || k == site.KindVersion || k == site.KindPage:
		case k == site.KindGroup:
			group = up.node.Title
		default:
			names = append(names, up.node.Title)
		}
	}
	slices.Reverse(names)
	if group != "" {
		names = append(names, group)
	}
	if len(names) == 0 {
		return "Docs"
	}
	return strings.Join(names, " / ")
}

// listed reports whether lists for machines may include a page: it is neither hidden nor excluded from search engines.
func (b *builder) listed(p *site.Page) bool {
	return p.Indexed(b.src.site.SEO.IndexAll) && !b.trails.of(p.Path).hidden() && !b.src.site.SEO.NoIndex
}

// entryOf returns the entry of a written page; nil when there is none.
func (b *builder) entryOf(path string) *entry {
	if i, ok := b.entryAt(path); ok {
		return &b.entries[i]
	}
	return nil
}

func (b *builder) entryAt(path string) (i int, ok bool) {
	return slices.BinarySearchFunc(b.entries, path, func(e entry, p string) int { return strings.Compare(e.page.Path, p) })
}

// listedPages returns the pages that may be listed, by variant: in the order of navigation, then the rest.
func (b *builder) listedPages() map[variant][]*entry {
	out, done := map[variant][]*entry{}, make([]bool, len(b.entries))
	take := func(path string) {
		i, ok := b.entryAt(path)
		if !ok || done[i] || !b.listed(b.entries[i].page) {
			return
		}
		done[i] = true
		v := b.variant(b.trails.of(path))
		out[v] = append(out[v], &b.entries[i])
	}
	site.Walk(b.src.site.Nav, func(n *site.Node) bool {
		if n.Page != "" {
			take(n.Page)
		}
		return true
	})
	for i := range b.entries {
		take(b.entries[i].page.Path)
	}
	return out
}
