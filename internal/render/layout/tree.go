package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// entry is a navigation node with information about its position. Entries do not change after newTree returns.
type entry struct {
	node     *site.Node
	page     *site.Page // nil for entries that are not pages
	parent   *entry     // nil for the root
	children []*entry
	first    string // path of the first page at or below; "" if none
	own      string // path of the first page whose place is at or below this entry; "" if none
	folder   string // for a language or version: the folder that contains all its pages; "" if none
	pages    int32  // number of pages at or below
	index    int32  // index among the parent's children
	part     int32  // number of a group in a large section, otherwise 0
	file     string // the SectionFile of a large section, otherwise ""
}

// place is the location of a page in the navigation.
type place struct {
	entry      *entry // nil: the page is not in the navigation
	prev, next *site.Page
}

// tree is the navigation, prepared once per site.
type tree struct {
	site   *site.Site
	root   *entry
	places []place // places of the site's pages, in the order of the pages
	// the divisions among an entry's children. Every page needs them, but most children are pages.
	parts  map[*entry][]*entry
	large  []*entry          // sections with a SectionFile
	start  *place            // place of the first page, for pages outside the navigation; nil without navigation
	starts map[string]*place // place of the first page by language code
}

func newTree(s *site.Site) *tree {
	t := &tree{site: s, root: &entry{node: &site.Node{}}, places: make([]place, len(s.Pages))}
	t.parts, t.starts = map[*entry][]*entry{}, map[string]*place{}
	t.add(t.root, s.Nav)
	t.paging(t.root, nil)
	t.number(t.root)
	t.settled(t.root)
	for _, e := range t.languages(t.root, nil) {
		if at := t.at(e.first); at != nil && t.starts[e.node.Title] == nil {
			t.starts[e.node.Title] = at
		}
	}
	return t
}

// at returns the place of the page with this path, or nil if the page is not in the navigation.
func (t *tree) at(path string) *place {
	if i, ok := t.site.Index(path); ok && t.places[i].entry != nil {
		return &t.places[i]
	}
	return nil
}

// settle makes e the place of its page, unless the page already has one. It returns the place if it is new, otherwise
// nil.
func (t *tree) settle(e *entry) *place {
	i, ok := t.site.Index(e.page.Path)
	if !ok || t.places[i].entry != nil {
		return nil
	}
	t.places[i].entry = e
	return &t.places[i]
}

// languages appends the language divisions at or below e. A site has few of them, and they are not nested.
func (t *tree) languages(e *entry, out []*entry) []*entry {
	for _, c := range t.parts[e] {
		if c.node.Kind == site.KindLanguage {
			out = append(out, c)
		} else {
			out = t.languages(c, out)
		}
	}
	return out
}

// near returns the place whose frame is used for a page that is not in the navigation. If the page's path starts with a
// language, it is a place in that language. It returns nil without navigation.
func (t *tree) near(path string) *place {
	if folder, _, ok := strings.Cut(path, "/"); ok && t.starts[folder] != nil {
		return t.starts[folder]
	}
	return t.start
}

// chrome returns the frame around the pages of a language. Parts that the language does not define are taken from the
// site.
func (t *tree) chrome(e *entry, of site.Chrome) site.Chrome {
	own := e.node.Details().Chrome
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

// add builds the entries below parent. It omits hidden nodes and hidden pages, and pages that are missing because
// access to them is restricted. Hidden pages still get a place.
func (t *tree) add(parent *entry, nodes []*site.Node) {
	entries := make([]entry, len(nodes)) // a single allocation for all entries of a list
	parent.children = make([]*entry, 0, len(nodes))
	for i, n := range nodes {
		e := &entries[i]
		*e = entry{node: n, parent: parent, index: int32(len(parent.children))}
		if n.Page != "" {
			page := t.site.Find(n.Page)
			switch {
			case page == nil:
				continue
			case page.Hidden && n.Kind != site.KindPage: // the group is shown without the page
				t.aside(e, page)
			default:
				e.page, e.first, e.pages = page, n.Page, 1
			}
		}
		t.add(e, n.Children)
		if e.pages == 0 && n.Href == "" {
			continue
		}
		if e.page != nil {
			if at := t.settle(e); at != nil && t.start == nil {
				t.start = at
			}
		}
		if n.Hidden || n.Kind == site.KindPage && e.page.Hidden {
			continue
		}
		parent.children = append(parent.children, e)
		if n.Kind.Division() {
			t.parts[parent] = append(t.parts[parent], e)
		}
		parent.pages += e.pages
		if parent.first == "" {
			parent.first = e.first
		}
	}
}

// aside assigns the hidden page of a group a place in the group.
func (t *tree) aside(group *entry, page *site.Page) {
	if t.at(page.Path) == nil {
		node := &site.Node{Kind: site.KindPage, Page: page.Path}
		t.settle(&entry{node: node, parent: group, page: page, first: page.Path, pages: 1})
	}
}

// paging links each page to its neighbours within the same division. last is the place of the preceding page, nil at
// the start of a division.
func (t *tree) paging(e *entry, last *place) *place {
	if e.page != nil {
		if p := t.at(e.page.Path); p.entry == e {
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

// settled determines the first page whose place is at or below e, and the folders of languages and versions. If several
// versions list the same page, its place is in the first of them.
func (t *tree) settled(e *entry) {
	if e.page != nil && t.at(e.page.Path).entry == e {
		e.own = e.page.Path
	}
	for _, c := range e.children {
		t.settled(c)
		if e.own == "" {
			e.own = c.own
		}
	}
	if e.node.Kind == site.KindLanguage || e.node.Kind == site.KindVersion {
		e.folder = site.CommonFolder(t.ownPages(e, nil))
	}
}

// ownPages appends the paths of the pages whose place is at or below e.
func (t *tree) ownPages(e *entry, out []string) []string {
	if e.page != nil && t.at(e.page.Path).entry == e {
		out = append(out, e.page.Path)
	}
	for _, c := range e.children {
		out = t.ownPages(c, out)
	}
	return out
}

// chain returns the entries from the root to e, including both.
func (e *entry) chain() (out []*entry) {
	for ; e != nil; e = e.parent {
		out = append(out, e)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// section returns the nearest division that contains e, or the root. The sidebar shows the tree of this part.
func (e *entry) section() *entry {
	for e.parent != nil && !e.node.Kind.Division() {
		e = e.parent
	}
	return e
}

// holds reports whether e is other or an ancestor of it.
func (e *entry) holds(other *entry) bool {
	for ; other != nil; other = other.parent {
		if other == e {
			return true
		}
	}
	return false
}

// title returns the text that the navigation shows for the entry.
func (e *entry) title() string {
	if e.node.Kind == site.KindPage {
		return e.page.Label()
	}
	return e.node.Title
}

// nameless reports whether a group has a blank title.
func (e *entry) nameless() bool {
	return e.node.Kind == site.KindGroup && e.page == nil && e.title() == ""
}
