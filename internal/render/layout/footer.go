package layout

import "github.com/lectern-docs/lectern/internal/site"

func (s *pageWriter) footer() {
	d, ft := s.d, s.chrome.Footer
	class := "footer"
	if len(ft.Columns) > 0 {
		class += " advanced-footer"
	}
	d.Raw("<footer")
	d.Attr("class", class)
	s.id("footer")
	d.Raw(">")
	if len(ft.Columns) > 0 {
		d.Raw(`<div class="footer-columns">`)
		for _, c := range ft.Columns {
			d.Raw("<div>")
			if c.Header != "" {
				d.Raw("<p>")
				d.Text(c.Header)
				d.Raw("</p>")
			}
			for _, l := range c.Items {
				s.outward("", l)
			}
			d.Raw("</div>")
		}
		d.Raw("</div>")
	}
	d.Raw(`<div class="footer-row"><span>`)
	d.Text(s.site.Name)
	d.Raw("</span>")
	for _, l := range ft.Socials {
		s.social(l)
	}
	d.Raw("</div></footer>\n")
}

// social writes a link to the site's account on a network, with the network's icon, or with its name if there is no
// icon.
func (s *pageWriter) social(l site.Link) {
	d, href := s.d, s.links.Address(l.Href)
	if href == "" {
		return
	}
	d.Raw("<a")
	d.Attr("href", href)
	d.Attr("aria-label", l.Label)
	d.Attr("title", l.Label)
	d.Raw(">")
	if !s.icon(network(l.Icon), "") {
		d.Text(l.Label)
	}
	d.Raw("</a>")
}
