package layout

import "github.com/lectern-docs/lectern/internal/site"

// listing writes a group's entries on the group's own page, if the author has configured that. The entries are cards,
// or rows that can be expanded.
func (s *pageWriter) listing() {
	if !s.listed || s.at.entry.node.Kind != site.KindGroup || len(s.at.entry.children) == 0 {
		return
	}
	all := s.at.entry.children
	all = all[:min(len(all), rowMax)]
	switch s.at.entry.node.Details().Listing {
	case "card":
		s.d.Raw(`<div class="listing directory">`)
		for _, e := range all {
			s.card(e)
		}
		s.d.Raw("</div>\n")
	case "accordion":
		s.d.Raw(`<div class="accordion-group directory">`)
		for _, e := range all {
			s.row(e)
		}
		s.d.Raw("</div>\n")
	}
}

// about returns an entry's link target and description. href is "" if the entry has no target.
func (s *pageWriter) about(e *entry) (href, text string) {
	switch {
	case e.page != nil && e.page.Details().External != "":
		return s.links.Address(e.page.Details().External), e.page.Description
	case e.page != nil:
		return s.links.Page(e.page.Path, ""), e.page.Description
	case e.first != "":
		return s.links.Page(e.first, ""), e.node.Details().Text
	}
	return s.links.Address(e.node.Href), e.node.Details().Text
}

func (s *pageWriter) card(e *entry) {
	href, text := s.about(e)
	if href == "" {
		return
	}
	d := s.d
	d.Raw(`<div class="card card-linked directory-card"><div class="card-main">`)
	s.icon(e.icon(), e.iconType())
	d.Raw(`<div class="card-body"><p class="card-title"><a class="card-link"`)
	d.Attr("href", href)
	d.Raw(">")
	d.Text(e.title())
	d.Raw("</a></p>")
	if text != "" {
		d.Raw(`<p class="card-text">`)
		d.Text(text)
		d.Raw("</p>")
	}
	d.Raw("</div></div></div>\n")
}

func (s *pageWriter) row(e *entry) {
	href, text := s.about(e)
	if href == "" {
		return
	}
	d := s.d
	d.Raw(`<details class="accordion directory-group"><summary>`)
	s.icon(e.icon(), e.iconType())
	d.Raw(`<span class="accordion-head"><span class="accordion-title">`)
	d.Text(e.title())
	d.Raw(`</span></span></summary><div class="accordion-body flow">`)
	if text != "" {
		d.Raw("<p>")
		d.Text(text)
		d.Raw("</p>")
	}
	d.Raw("<ul>")
	rows := e.children[:min(len(e.children), rowMax)]
	if len(rows) == 0 || e.page != nil {
		rows = append([]*entry{e}, rows...)
	}
	for _, c := range rows {
		if to, _ := s.about(c); to != "" {
			d.Raw(`<li><a class="directory-page"`)
			d.Attr("href", to)
			d.Raw(">")
			d.Text(c.title())
			d.Raw("</a></li>")
		}
	}
	d.Raw("</ul></div></details>\n")
}
