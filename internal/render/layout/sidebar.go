package layout

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/site"
)

const (
	// fullMax is the maximum number of pages in a section that is listed completely. In a larger section, only the
	// groups around the page are expanded. The script expands the others in place, using the section's file.
	fullMax = 150
	// rowMax is the maximum number of entries to write in one list, around the current one.
	rowMax = 100
)

// sidebar writes the tree of the part of the site that contains the page. On small screens, a details element in front
// of the tree opens it.
func (s *pageWriter) sidebar() {
	d := s.d
	d.Raw(`<details class="drawer"`)
	s.id("mobile-nav")
	d.Raw(`><summary><span class="unseen" data-platform>`)
	d.Text(s.words.Menu)
	d.Raw(
		`</span><svg class="line-icon bars" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h16M4 12h16M4 17h10"/></svg><svg class="line-icon cross" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg><span class="drawer-where" data-platform>`)
	if s.listed {
		if g := s.at.entry.parent; g.node.Kind == site.KindGroup && g.title() != "" {
			d.Raw("<span>")
			d.Text(g.title())
			d.Raw("</span>")
		}
	}
	d.Raw("<b>")
	d.Text(s.p.Page.Label())
	d.Raw("</b></span></summary></details>\n", `<nav class="sidebar"`)
	s.id("sidebar")
	d.Attr("aria-label", s.words.Pages)
	if s.at != nil && s.at.entry.section().file != "" {
		d.Attr("data-tree", s.links.File(s.at.entry.section().file))
	}
	d.Raw("><div")
	s.id("sidebar-content")
	d.Raw(">\n")
	if s.at != nil {
		s.tops()
		d.Raw(`<div class="sidebar-tree"`)
		s.id("navigation-items")
		d.Raw(">\n")
		part := s.at.entry.section()
		b := &bar{pageWriter: s, here: s.at.entry, large: part.large()}
		if !s.listed {
			b.here = nil
		}
		b.list(part, "")
		d.Raw("</div>\n")
	}
	if c := s.chrome.Navbar; len(c.Links) > 0 || c.Primary != nil {
		d.Raw(`<div class="sidebar-links">`)
		s.navbarLinks()
		d.Raw("</div>")
	}
	d.Raw("</div></nav>\n")
}

// tops writes the part above the tree: versions, languages and tabs for narrow windows, switches, anchors.
func (s *pageWriter) tops() {
	d := s.d
	start := d.Len()
	d.Raw(`<div class="sidebar-switches">`)
	empty := d.Len()
	s.again = true
	s.versions()
	s.switcher(site.KindVersion, s.words.Version)
	s.switcher(site.KindLanguage, s.words.Language)
	s.again = false
	if d.Len() == empty {
		d.Truncate(start)
	} else {
		d.Raw("</div>\n")
	}
	for _, row := range s.tabRows() {
		d.Raw(`<div class="sidebar-tabs">`)
		for _, e := range row.tabs {
			s.tab(e, "mobile-nav-tabs-item", e == row.here)
			for _, item := range s.menuItems(e) {
				if e == row.here {
					s.tab(item, "mobile-nav-tabs-item", s.listed && item.holds(s.at.entry))
				}
			}
		}
		d.Raw("</div>\n")
	}
	s.switcher(site.KindProduct, "")
	s.switcher(site.KindDropdown, "")
	s.anchors()
}

// anchors writes the siblings of the page's own anchor, and the anchors of the whole site.
func (s *pageWriter) anchors() {
	here, all := s.level(site.KindAnchor)
	if len(all) == 0 || len(all) == 1 && all[0] == here {
		return
	}
	s.d.Raw(`<div class="anchors nav-anchors">`)
	for _, e := range all {
		href := s.divisionHref(e)
		if href == "" {
			continue
		}
		s.d.Raw(`<a class="nav-anchor"`)
		s.d.Attr("href", href)
		s.active(e == here && s.listed)
		s.d.AttrIf("data-tone", s.signs.tone(e.node.Details().Color))
		if e == here && s.listed {
			s.d.Raw(` aria-current="true"`)
		}
		s.d.Raw(">")
		start := s.d.Len()
		s.d.Raw(`<span class="anchor-icon">`)
		if s.icon(e.icon(), e.iconType()) {
			s.d.Raw("</span>")
		} else {
			s.d.Truncate(start)
		}
		s.d.Text(e.title())
		s.tag(e.node.Details().Tag)
		s.d.Raw("</a>")
	}
	s.d.Raw("</div>\n")
}

// bar is the sidebar tree of one page.
type bar struct {
	*pageWriter
	here  *entry // nil if the page is not in the tree
	large bool   // write groups that are far from the page as links
	all   bool   // write all groups in full, for the file of a section
	named bool   // the id for groups has been written; only the first list has it
	head  bool   // true while writing the heading of a group, a <p> that cannot contain a <div>
}

// far reports whether a group is so far from the page that it is written as a link to its first page.
func (b *bar) far(e *entry) bool { return b.large && !b.all && !e.holds(b.here) && e.first != "" }

// list writes the entries below an entry. class is the class for the list of a group, or "".
func (b *bar) list(of *entry, class string) {
	all := of.children
	from, to := b.window(all)
	b.d.Raw("<ul")
	b.d.AttrIf("class", class)
	if class == "sidebar-group" && !b.named && !b.all {
		b.named = true
		b.id("sidebar-group")
	}
	b.active(class != "" && b.here != nil && of.holds(b.here))
	b.d.Raw(">")
	if from > 0 {
		b.more(all[from-1], b.words.Earlier, "earlier", all[0].parent)
	}
	for _, e := range all[from:to] {
		b.item(e)
	}
	if to < len(all) {
		b.more(all[to], b.words.More, "later", all[0].parent)
	}
	b.d.Raw("</ul>\n")
}

// window limits a list to the entries around the current one if there are too many.
func (b *bar) window(all []*entry) (from, to int) {
	if len(all) <= rowMax || b.all {
		return 0, len(all)
	}
	at := 0
	for e := b.here; e != nil; e = e.parent {
		if i := int(e.index); i < len(all) && all[i] == e {
			at = i
			break
		}
	}
	from = max(0, min(at-rowMax/2, len(all)-rowMax))
	return from, from + rowMax
}

// more links to the page just outside the window of the list below parent. The script inserts the rest of the list
// there.
func (b *bar) more(e *entry, label, rest string, parent *entry) {
	if e.first == "" {
		return
	}
	b.d.Raw(`<li class="more"`)
	if b.large {
		b.d.Attr("data-list", strconv.Itoa(int(parent.part)))
		b.d.Attr("data-rest", rest)
	}
	b.d.Raw("><a")
	b.d.Attr("href", b.links.Page(e.first, ""))
	b.d.Raw(" data-platform>")
	b.d.Text(label)
	b.d.Raw("</a></li>")
}

func (b *bar) item(e *entry) {
	switch {
	case e.node.Kind == site.KindPage:
		b.page(e)
	case e.node.Kind == site.KindLink:
		if href := b.links.Address(e.node.Href); href != "" {
			b.d.Raw("<li>")
			b.link(href, e, false)
			b.d.Raw("</li>")
		}
	case e.node.Kind.Division():
	case e.parent == e.section(), e.nameless():
		b.group(e)
	default:
		b.nested(e)
	}
}

func (b *bar) page(e *entry) {
	href := b.links.Page(e.page.Path, "")
	if away := e.page.Details().External; away != "" {
		if out := b.links.Address(away); out != "" {
			href = out
		}
	}
	b.d.Raw("<li")
	b.active(e == b.here)
	b.d.Raw(">")
	b.link(href, e, e == b.here)
	b.d.Raw("</li>")
}

func (b *bar) link(href string, e *entry, current bool) {
	b.d.Raw("<a")
	b.d.Attr("href", href)
	if current {
		b.d.Raw(` aria-current="page"`)
	}
	b.d.Raw(">")
	b.label(e)
	b.d.Raw("</a>")
}

// label writes the visible part of an entry: its icon, method, title and tag.
func (b *bar) label(e *entry) {
	class := ""
	if e.node.Kind == site.KindGroup {
		class = "sidebar-group-icon"
	}
	if !b.head && b.hasIcon(e.icon(), e.iconType()) { // authors' CSS expects the structure a > div > svg
		b.d.Raw("<div>")
		b.iconAs(class, e.icon(), e.iconType())
		b.d.Raw("</div>")
	} else {
		b.iconAs(class, e.icon(), e.iconType())
	}
	title, old := e.title(), false
	if e.page != nil && e.node.Kind == site.KindPage {
		if !e.page.NoMark {
			title = method(b.d, e.page.API, title)
		}
		old = e.page.Deprecated
	}
	if old {
		b.d.Raw(`<span class="old">`)
	}
	b.d.Text(title)
	if old {
		b.d.Raw("</span>")
	}
	tag := e.node.Details().Tag
	if tag == "" && e.page != nil {
		tag = e.page.Details().Tag
	}
	b.tag(tag)
}
