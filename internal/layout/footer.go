package layout

func (f *Frame) footer(d *doc, links Links) {
	ft := f.site.Footer
	d.raw(`<footer class="footer">`)
	if len(ft.Columns) > 0 {
		d.raw(`<div class="footer-columns">`)
		for _, c := range ft.Columns {
			d.raw("<div>")
			if c.Header != "" {
				d.raw("<p>")
				d.text(c.Header)
				d.raw("</p>")
			}
			for _, l := range c.Items {
				outward(d, links, "", l)
			}
			d.raw("</div>")
		}
		d.raw("</div>")
	}
	d.raw(`<div class="footer-row"><span>`)
	d.text(f.site.Name)
	d.raw("</span>")
	for _, l := range ft.Socials {
		outward(d, links, "", l)
	}
	d.raw("</div></footer>\n")
}
