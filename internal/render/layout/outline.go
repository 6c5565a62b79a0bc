package layout

import "strconv"

// outlineMax limits the outline of very long pages.
const outlineMax = 200

// outline writes the list of the page's headings, and the page's menu if the site configures it there. The outline
// precedes the text, because in narrow windows it is a bar with a details element that opens the list. Entries for
// initially closed parts of the page are hidden until the script finds the part open. Without a script, all tabs and
// views are shown, and so are all entries.
func (s *pageWriter) outline() {
	d := s.d
	var shown []Heading
	top := 3 // the highest level on the page, which is not indented
	for _, h := range s.p.Outline {
		if h.Level <= 3 && h.Text != "" && len(shown) < outlineMax {
			shown = append(shown, h)
			top = min(top, h.Level)
		}
	}
	d.Raw(`<div class="outline"`)
	s.id("content-side-layout")
	d.Raw(">")
	if s.menu().InTOC {
		s.pageMenu()
	}
	if len(shown) > 1 {
		d.Raw(`<details class="outline-toggle"><summary data-platform><span>`)
		d.Text(s.words.Contents)
		d.Raw("</span></summary></details><div")
		s.id("table-of-contents-layout")
		d.Raw(`><nav aria-labelledby="outline-title"`)
		s.id("table-of-contents")
		d.Raw(`><p id="outline-title" data-platform>`)
		d.Text(s.words.Contents)
		d.Raw(`</p><ul class="toc"`)
		s.id("table-of-contents-content")
		d.Raw(">")
		for _, h := range shown {
			d.Raw(`<li class="toc-item"`)
			d.Attr("data-depth", strconv.Itoa(h.Level-top))
			d.Attr("data-level", strconv.Itoa(2+h.Level-top))
			if h.Folded {
				d.Raw(" data-folded")
			}
			d.Raw("><a")
			d.Attr("href", "#"+h.ID)
			d.Raw(">")
			d.Text(h.Text)
			d.Raw("</a></li>")
		}
		d.Raw("</ul></nav></div>")
	}
	d.Raw("</div>\n")
}
