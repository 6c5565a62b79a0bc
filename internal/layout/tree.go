package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// entry is a navigation node with what the frame needs to know about its place. Entries do not change after newTree.
type entry struct {
	node     *site.Node
	page     *site.Page // for pages; nil for others
	parent   *entry     // nil for the root
	children []*entry
	first    string // path of the first page at or below, "" when none
	pages    int    // pages at or below
	index    int    // place among the parent's children
}

// place is where a page stands.
type place struct {
	entry      *entry
	prev, next *site.Page
}

// tree is the navigation, prepared once per site.
type tree struct {
	root   *entry
	places map[string]*place
	start  *place            // of the first page, for pages that stand nowhere; nil without navigation
	starts map[string]*place // the same by language code
}

func newTree(s *site.Site) *tree {
	t := &tree{root: &entry{node: &site.Node{}}, places: make(map[string]*place, len(s.Pages)), starts: map[string]*place{}}
	t.add(s, t.root, s.Nav)
	t.paging(t.root, nil)
	for _, e := range t.languages(t.root, nil) {
		if at := t.places[e.first]; at != nil && t.starts[e.node.Title] == nil {
			t.starts[e.node.Title] = at
		}
	}
	return t
}

// languages lists the language divisions at or below e; there are few, and none below another.
func (t *tree) languages(e *entry, out []*entry) []*entry {
	for _, c := range e.children {
		switch {
		case c.node.Kind == site.KindLanguage:
			out = append(out, c)
		case c.node.Kind.Division():
			out = t.languages(c, out)
		}
	}
	return out
}

// near is the place whose frame a page gets that stands nowhere itself: in its language if its path names one. nil without navigation.
func (t *tree) near(path string) *place {
	if folder, _, ok := strings.Cut(path, "/"); ok && t.starts[folder] != nil {
		return t.starts[folder]
	}
	return t.start
}

// chrome is what stands around the pages of a language: its own where it has something, else the site's.
func (t *tree) chrome(e *entry, of site.Chrome) site.Chrome {
	own := e.node.Chrome
	if own == nil {
		return of
	}
	if len(own.Navbar.Links) > 0 || own.Navbar.Primary != nil {
		of.Navbar = own.Navbar
	}
	if len(own.Footer.Columns) > 0 || len(own.Footer.Socials) > 0 {
		of.Footer = own.Footer
	}
	if own.Banner != nil {
		of.Banner = own.Banner
	}
	return of
}

// add builds the entries below parent. Hidden nodes and pages are not shown, nor pages for some readers only, of which others are told
// nothing; each of them still has its place.
func (t *tree) add(s *site.Site, parent *entry, nodes []*site.Node) {
	for _, n := range nodes {
		e := &entry{node: n, parent: parent, index: len(parent.children)}
		if n.Page != "" {
			page := s.Find(n.Page)
			switch {
			case page == nil:
				continue
			case page.Hidden && n.Kind != site.KindPage: // a group is shown without it
				t.aside(e, page)
			default:
				e.page, e.first, e.pages = page, n.Page, 1
			}
		}
		t.add(s, e, n.Children)
		if e.pages == 0 && n.Href == "" {
			continue
		}
		if e.page != nil && t.places[n.Page] == nil {
			t.places[n.Page] = &place{entry: e}
			if t.start == nil {
				t.start = t.places[n.Page]
			}
		}
		if n.Hidden || n.Kind == site.KindPage && e.page.Hidden {
			continue
		}
		parent.children = append(parent.children, e)
		parent.pages += e.pages
		if parent.first == "" {
			parent.first = e.first
		}
	}
}

// aside gives the hidden page of a group its place in the group.
func (t *tree) aside(group *entry, page *site.Page) {
	if t.places[page.Path] == nil {
		node := &site.Node{Kind: site.KindPage, Page: page.Path}
		t.places[page.Path] = &place{entry: &entry{node: node, parent: group, page: page, first: page.Path, pages: 1}}
	}
}

// paging links each page to its neighbours within the same division. last is the page before, nil at a division's start.
func (t *tree) paging(e *entry, last *place) *place {
	if e.page != nil {
		if p := t.places[e.page.Path]; p.entry == e {
			if last != nil {
				last.next, p.prev = p.entry.page, last.entry.page
			}
			last = p
		}
	}
	for _, c := range e.children {
		if c.node.Kind.Division() {
			t.paging(c, nil)
		} else {
			last = t.paging(c, last)
		}
	}
	return last
}

// chain is the entries from the root down to e, both included.
func (e *entry) chain() (out []*entry) {
	for ; e != nil; e = e.parent {
		out = append(out, e)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// section is the nearest division around e, or the root: the part whose tree the sidebar shows.
func (e *entry) section() *entry {
	for e.parent != nil && !e.node.Kind.Division() {
		e = e.parent
	}
	return e
}

// holds tells whether e is other or stands above it.
func (e *entry) holds(other *entry) bool {
	for ; other != nil; other = other.parent {
		if other == e {
			return true
		}
	}
	return false
}

// title is the entry's text in navigation.
func (e *entry) title() string {
	if e.node.Kind == site.KindPage {
		return e.page.Label()
	}
	return e.node.Title
}

// nameless tells whether a group has a blank title.
func (e *entry) nameless() bool {
	return e.node.Kind == site.KindGroup && e.page == nil && e.title() == ""
}
