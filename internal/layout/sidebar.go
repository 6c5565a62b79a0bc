package layout

import (
	"github.com/lectern-docs/lectern/internal/markup"
	"github.com/lectern-docs/lectern/internal/site"
)

const (
	// fullMax: a section of up to this many pages is listed whole. In a larger one only the groups around the page are open.
	fullMax = 150
	// rowMax: of one list, at most this many entries around the current one are written.
	rowMax = 100
)

// sidebar writes the tree of the part of the site that the page stands in. The details element before it opens it on small screens.
func (f *Frame) sidebar(d *markup.Buffer, p Page, at *place) {
	d.Raw(`<details class="drawer"><summary>Menu</summary></details>`, "\n", `<nav class="sidebar" aria-label="Pages">`, "\n")
	if at != nil {
		f.switches(d, p.Links, at)
		s := at.entry.section()
		b := &bar{f: f, d: d, links: p.Links, here: at.entry, whole: s.pages <= fullMax}
		if f.tree.places[p.Page.Path] != at {
			b.here = nil
		}
		b.list(s.children)
	}
	d.Raw(`<div class="sidebar-links">`)
	f.navbarLinks(d, p.Links)
	d.Raw("</div></nav>\n")
}

// switches writes the other divisions at each level above the page: a menu for versions, languages and their like, a list for anchors.
func (f *Frame) switches(d *markup.Buffer, links Links, at *place) {
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

func (f *Frame) switcher(d *markup.Buffer, links Links, kind site.Kind, all []*entry, here *entry) {
	if len(all) == 0 || len(all) == 1 && all[0] == here {
		return // nothing to choose
	}
	menu := kind != site.KindAnchor && here != nil && here.node.Kind == kind
	if menu {
		d.Raw(`<details class="switch"><summary>`)
		f.icon(d, links, here.icon())
		d.Text(divisionTitle(here))
		d.Raw("</summary>")
	}
	d.Raw(`<div class="anchors">`)
	for _, e := range all {
		f.division(d, links, e, e == here)
	}
	d.Raw("</div>")
	if menu {
		d.Raw("</details>")
	}
	d.Raw("\n")
}

// bar is the sidebar tree of one page.
type bar struct {
	f     *Frame
	d     *markup.Buffer
	links Links
	here  *entry // nil when the page stands nowhere in it
	whole bool
}

func (b *bar) list(all []*entry) {
	from, to := b.window(all)
	b.d.Raw("<ul>")
	if from > 0 {
		b.more(all[from-1], "Earlier pages")
	}
	for _, e := range all[from:to] {
		b.item(e)
	}
	if to < len(all) {
		b.more(all[to], "More pages")
	}
	b.d.Raw("</ul>\n")
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
func (b *bar) more(e *entry, label string) {
	if e.first == "" {
		return
	}
	b.d.Raw(`<li class="more"><a`)
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
	if e.page.External != "" {
		if out := b.links.Address(e.page.External); out != "" {
			href = out
		}
	}
	b.d.Raw("<li>")
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

// label writes what is seen of an entry: its icon, how an API is called, its title, its tag.
func (b *bar) label(e *entry) {
	b.f.icon(b.d, b.links, e.icon())
	title, old := e.title(), false
	if e.page != nil && e.node.Kind == site.KindPage {
		title = method(b.d, e.page.API, title)
		old = e.page.Deprecated
	}
	if old {
		b.d.Raw(`<span class="old">`)
	}
	b.d.Text(title)
	if old {
		b.d.Raw("</span>")
	}
	tag := e.node.Tag
	if tag == "" && e.page != nil {
		tag = e.page.Tag
	}
	if tag != "" {
		b.d.Raw(` <span class="tag">`)
		b.d.Text(tag)
		b.d.Raw("</span>")
	}
}

// group writes a heading of the section with its pages. Far from the page in a large section it is only a link to its first page.
func (b *bar) group(e *entry) {
	far := !b.whole && !e.holds(b.here) && e.first != ""
	switch {
	case e.nameless() && far:
		b.more(e, "More pages")
		return
	case e.nameless(): // the author wants the pages without a heading
		b.d.Raw(`<li class="group">`)
		b.list(e.children)
		b.d.Raw("</li>")
		return
	case far:
		b.d.Raw(`<li class="closed">`)
		b.link(b.links.Page(e.first, ""), e, false)
		b.d.Raw("</li>")
		return
	}
	b.d.Raw(`<li class="group"><p>`)
	if e.page != nil {
		b.link(b.links.Page(e.page.Path, ""), e, e == b.here)
	} else {
		b.label(e)
	}
	b.d.Raw("</p>")
	b.list(e.children)
	b.d.Raw("</li>")
}

// nested writes a group inside a group: closed unless the page is in it or the author wants it open.
func (b *bar) nested(e *entry) {
	inside := e.holds(b.here)
	if !b.whole && !inside && e.first != "" {
		b.d.Raw(`<li class="closed">`)
		b.link(b.links.Page(e.first, ""), e, false)
		b.d.Raw("</li>")
		return
	}
	b.d.Raw("<li><details")
	if inside || e.node.Expanded {
		b.d.Raw(" open")
	}
	b.d.Raw("><summary>")
	b.label(e)
	b.d.Raw("</summary>")
	if e.page != nil {
		b.d.Raw("<ul>")
		b.d.Raw("<li>")
		href := b.links.Page(e.page.Path, "")
		b.d.Raw("<a")
		b.d.Attr("href", href)
		if e == b.here {
			b.d.Raw(` aria-current="page"`)
		}
		b.d.Raw(">")
		b.d.Text(e.page.Label())
		b.d.Raw("</a></li></ul>")
	}
	b.list(e.children)
	b.d.Raw("</details></li>")
}
