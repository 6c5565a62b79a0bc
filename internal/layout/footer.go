package layout

import (
	"github.com/lectern-docs/lectern/internal/markup"
	"github.com/lectern-docs/lectern/internal/site"
)

func (f *Frame) footer(d *markup.Buffer, links Links) {
	ft := f.site.Footer
	d.Raw(`<footer class="footer">`)
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
				f.outward(d, links, "", l)
			}
			d.Raw("</div>")
		}
		d.Raw("</div>")
	}
	d.Raw(`<div class="footer-row"><span>`)
	d.Text(f.site.Name)
	d.Raw("</span>")
	for _, l := range ft.Socials {
		f.social(d, links, l)
	}
	d.Raw("</div></footer>\n")
}

// social writes a link to a site's account elsewhere: the sign of that place, or its name where there is no sign.
func (f *Frame) social(d *markup.Buffer, links Links, l site.Link) {
	href := links.Address(l.Href)
	if href == "" {
		return
	}
	d.Raw("<a")
	d.Attr("href", href)
	d.Attr("aria-label", l.Label)
	d.Attr("title", l.Label)
	d.Raw(">")
	if !f.icon(d, links, network(l.Icon)) {
		d.Text(l.Label)
	}
	d.Raw("</a>")
}
