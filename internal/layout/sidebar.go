package layout

import "github.com/lectern-docs/lectern/internal/site"

const (
	// fullMax: a section of up to this many pages is listed whole. In a larger one only the groups around the page are open.
	fullMax = 150
	// rowMax: of one list, at most this many entries around the current one are written.
	rowMax = 100
)

// sidebar writes the tree of the part of the site that the page stands in. The details element before it opens it on small screens.
func (f *Frame) sidebar(d *doc, p Page, at *place) {
	d.raw(`<details class="drawer"><summary>Menu</summary></details>`, "\n", `<nav class="sidebar" aria-label="Pages">`, "\n")
	if at != nil {
		f.switches(d, p.Links, at)
		s := at.entry.section()
		b := &bar{d: d, links: p.Links, here: at.entry, whole: s.pages <= fullMax}
		if f.tree.places[p.Page.Path] != at {
			b.here = nil
		}
		b.list(s.children)
	}
	d.raw(`<div class="sidebar-links">`)
	f.navbarLinks(d, p.Links)
	d.raw("</div></nav>\n")
}

// switches writes the other divisions at each level above the page: a menu for versions, languages and their like, a list for anchors.
func (f *Frame) switches(d *doc, links Links, at *place) {
	chain := at.entry.chain()
	for i, level := range chain {
		var here *entry
		if i+1 < len(chain) {
			here = chain[i+1]
		}
		for _, kind := range []site.Kind{site.KindLanguage, site.KindVersion, site.KindProduct, site.KindDropdown, site.KindAnchor} {
			var all []*entry
			for _, c := range level.children {
				if c.node.Kind == kind && len(all) < rowMax {
					all = append(all, c)
				}
			}
			f.switcher(d, links, kind, all, here)
		}
	}
}

func (f *Frame) switcher(d *doc, links Links, kind site.Kind, all []*entry, here *entry) {
	if len(all) == 0 || len(all) == 1 && all[0] == here {
		return // nothing to choose
	}
	menu := kind != site.KindAnchor && here != nil && here.node.Kind == kind
	if menu {
		d.raw(`<details class="switch"><summary>`)
		d.text(divisionTitle(here))
		d.raw("</summary>")
	}
	d.raw(`<div class="anchors">`)
	for _, e := range all {
		f.division(d, links, e, e == here)
	}
	d.raw("</div>")
	if menu {
		d.raw("</details>")
	}
	d.raw("\n")
}

// bar is the sidebar tree of one page.
type bar struct {
	d     *doc
	links Links
	here  *entry // nil when the page stands nowhere in it
	whole bool
}

func (b *bar) list(all []*entry) {
	from, to := b.window(all)
	b.d.raw("<ul>")
	if from > 0 {
		b.more(all[from-1], "Earlier pages")
	}
	for _, e := range all[from:to] {
		b.item(e)
	}
	if to < len(all) {
		b.more(all[to], "More pages")
	}
	b.d.raw("</ul>\n")
}

// window picks the entries around the current one when there are too many.
func (b *bar) window(all []*entry) (from, to int) {
	if len(all) <= rowMax {
		return 0, len(all)
	}
	at := 0
	for e := b.here; e != nil; e = e.parent {
		if e.index < len(all) && all[e.index] == e {
			at = e.index
			break
		}
	}
	from = max(0, min(at-rowMax/2, len(all)-rowMax))
	return from, from + rowMax
}

// more leads to the page just outside the window.
func (b *bar) more(e *entry, label lit) {
	if e.first == "" {
		return
	}
	b.d.raw(`<li class="more"><a`)
	b.d.attr("href", b.links.Page(e.first, ""))
	b.d.raw(` data-platform>`, label, "</a></li>")
}

func (b *bar) item(e *entry) {
	switch {
	case e.node.Kind == site.KindPage:
		b.page(e)
	case e.node.Kind == site.KindLink:
		if href := b.links.Address(e.node.Href); href != "" {
			b.d.raw("<li>")
			b.link(href, e, false)
			b.d.raw("</li>")
		}
	case e.node.Kind.Division():
	case e.parent == e.section():
		b.group(e)
	default:
		b.nested(e)
	}
}

func (b *bar) page(e *entry) {
	href := b.links.Page(e.page.Path, "")
	if e.page.External != "" {
		if out := b.links.Address(e.page.External); out != "" {
			href = out
		}
	}
	b.d.raw("<li>")
	b.link(href, e, e == b.here)
	b.d.raw("</li>")
}

func (b *bar) link(href string, e *entry, current bool) {
	b.d.raw("<a")
	b.d.attr("href", href)
	if current {
		b.d.raw(` aria-current="page"`)
	}
	b.d.raw(">")
	b.d.text(e.title())
	tag := e.node.Tag
	if tag == "" && e.page != nil {
		tag = e.page.Tag
	}
	if tag != "" {
		b.d.raw(` <span class="tag">`)
		b.d.text(tag)
		b.d.raw("</span>")
	}
	b.d.raw("</a>")
}

// group writes a heading of the section with its pages. Far from the page in a large section it is only a link to its first page.
func (b *bar) group(e *entry) {
	if !b.whole && !e.holds(b.here) && e.first != "" {
		b.d.raw(`<li class="closed">`)
		b.link(b.links.Page(e.first, ""), e, false)
		b.d.raw("</li>")
		return
	}
	b.d.raw(`<li class="group"><p>`)
	if e.page != nil {
		b.link(b.links.Page(e.page.Path, ""), e, e == b.here)
	} else {
		b.d.text(e.title())
	}
	b.d.raw("</p>")
	b.list(e.children)
	b.d.raw("</li>")
}

// nested writes a group inside a group: closed unless the page is in it or the author wants it open.
func (b *bar) nested(e *entry) {
	inside := e.holds(b.here)
	if !b.whole && !inside && e.first != "" {
		b.d.raw(`<li class="closed">`)
		b.link(b.links.Page(e.first, ""), e, false)
		b.d.raw("</li>")
		return
	}
	b.d.raw("<li><details")
	if inside || e.node.Expanded {
		b.d.raw(" open")
	}
	b.d.raw("><summary>")
	b.d.text(e.title())
	b.d.raw("</summary>")
	if e.page != nil {
		b.d.raw("<ul>")
		b.d.raw("<li>")
		href := b.links.Page(e.page.Path, "")
		b.d.raw("<a")
		b.d.attr("href", href)
		if e == b.here {
			b.d.raw(` aria-current="page"`)
		}
		b.d.raw(">")
		b.d.text(e.page.Label())
		b.d.raw("</a></li></ul>")
	}
	b.list(e.children)
	b.d.raw("</details></li>")
}
