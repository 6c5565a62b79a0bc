package layout

// group writes a heading of the section with its pages. Far from the page in a large section it is only a link to its
// first page.
func (b *bar) group(e *entry) {
	far := !b.whole && !e.holds(b.here) && e.first != ""
	switch {
	case e.nameless() && far:
		b.more(e, b.words.More)
		return
	case e.nameless(): // the author wants the pages without a heading
		b.d.Raw(`<li class="group">`)
		b.list(e, "sidebar-group")
		b.d.Raw("</li>")
		return
	case far:
		b.closed(e)
		return
	}
	b.d.Raw(`<li class="group"><p class="sidebar-group-header sidebar-title">`)
	if e.page != nil {
		b.link(b.links.Page(e.page.Path, ""), e, e == b.here)
	} else {
		b.label(e)
	}
	b.d.Raw("</p>")
	b.list(e, "sidebar-group")
	b.d.Raw("</li>")
}

// closed writes a group as a link to its first page, where it stands open.
func (b *bar) closed(e *entry) {
	b.d.Raw(`<li class="closed">`)
	b.link(b.links.Page(e.first, ""), e, false)
	b.d.Raw("</li>")
}

// nested writes a group inside a group: closed unless the page is in it or the author wants it open. One with a page of
// its own is a link beside which the sign opens it.
func (b *bar) nested(e *entry) {
	inside := e.holds(b.here)
	drill := b.site.Drilldown != nil && *b.site.Drilldown && !e.node.Expanded
	if (!b.whole || drill) && !inside && e.first != "" {
		b.closed(e)
		return
	}
	if e.page != nil {
		b.d.Raw(`<li class="branch"`)
		b.active(e == b.here)
		b.d.Raw(">")
		b.link(b.links.Page(e.page.Path, ""), e, e == b.here)
		if len(e.children) == 0 {
			b.d.Raw("</li>")
			return
		}
	} else {
		b.d.Raw("<li>")
	}
	b.d.Raw("<details")
	if inside || e.node.Expanded {
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
	b.list(e, "")
	b.d.Raw("</details></li>")
}
