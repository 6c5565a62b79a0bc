package layout

import (
	"strconv"
	"strings"
)

// group writes a group of the section: a heading and its pages. In a large section, a group that is far from the
// current page is only a link to its first page.
func (b *bar) group(e *entry) {
	switch {
	case e.nameless() && b.far(e):
		b.closed(e)
		return
	case e.nameless(): // pages without a heading
		b.d.Raw(`<li class="group"`)
		b.part(e)
		b.d.Raw(">")
		b.list(e, "sidebar-group")
		b.d.Raw("</li>")
		return
	case b.far(e):
		b.closed(e)
		return
	case b.large:
		b.details(e, "group")
		return
	}
	b.d.Raw(`<li class="group"><p class="sidebar-group-header sidebar-title">`)
	b.head = true
	if e.page != nil {
		b.link(b.links.Page(e.page.Path, ""), e, e == b.here)
	} else {
		b.label(e)
	}
	b.head = false
	b.d.Raw("</p>")
	b.list(e, "sidebar-group")
	b.d.Raw("</li>")
}

// closed writes a group as a link to its first page. On that page, the group is expanded. Unless the group has its own
// page, the script expands it in place instead.
func (b *bar) closed(e *entry) {
	if e.nameless() {
		b.d.Raw(`<li class="more"`)
	} else {
		b.d.Raw(`<li class="closed"`)
	}
	if e.page == nil && !b.drills(e) {
		b.part(e)
	}
	b.d.Raw(">")
	if e.nameless() {
		b.d.Raw("<a")
		b.d.Attr("href", b.links.Page(e.first, ""))
		b.d.Raw(" data-platform>")
		b.d.Text(b.words.More)
		b.d.Raw("</a>")
	} else {
		b.link(b.links.Page(e.first, ""), e, false)
	}
	b.d.Raw("</li>")
}

// part writes the number of a group in a large section. The script uses it.
func (b *bar) part(e *entry) {
	if e.part > 0 {
		b.d.Attr("data-part", strconv.Itoa(int(e.part)))
	}
}

// drills reports whether a nested group is only a link to its first page, which is a setting of the site.
func (b *bar) drills(e *entry) bool {
	return b.site.Drilldown != nil && *b.site.Drilldown && !e.node.Expanded && e.parent != e.section()
}

// nested writes a group that is inside another group.
func (b *bar) nested(e *entry) {
	if b.far(e) || b.drills(e) && !e.holds(b.here) && e.first != "" {
		b.closed(e)
		return
	}
	b.details(e, "")
}

// details writes a group that can be expanded. It is collapsed unless it contains the page or the author configures
// otherwise. A group with its own page is a link next to an icon that expands the group.
func (b *bar) details(e *entry, class string) {
	b.d.Raw("<li")
	if e.page != nil {
		class = strings.TrimSpace(class + " branch")
	}
	b.d.AttrIf("class", class)
	b.part(e)
	b.active(e.page != nil && e == b.here)
	b.d.Raw(">")
	if e.page != nil {
		b.link(b.links.Page(e.page.Path, ""), e, e == b.here)
		if len(e.children) == 0 {
			b.d.Raw("</li>")
			return
		}
	}
	b.d.Raw("<details")
	if e.holds(b.here) || e.node.Expanded {
		b.d.Raw(" open")
	}
	b.d.Raw("><summary")
	if e.page != nil {
		b.d.Attr("aria-label", e.title())
		b.d.Raw(">")
	} else {
		b.d.Raw(">")
		b.label(e)
	}
	b.d.Raw("</summary>")
	list := ""
	if e.parent == e.section() {
		list = "sidebar-group"
	}
	b.list(e, list)
	b.d.Raw("</details></li>")
}
