package layout

import (
	"bytes"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
)

func (s *pageWriter) article() {
	d, p := s.d, s.p
	d.Raw(`<article class="content">`, "\n")
	s.pageHead()
	if s.split() {
		d.Raw(`<div class="split">`)
		s.openText()
		d.Trusted(p.HTML)
		s.listing()
		d.Raw("</div>\n", `<aside class="side"`)
		s.id("panel")
		d.Attr("aria-label", s.words.Examples)
		d.Raw(">")
		d.Trusted(p.Side)
		d.Raw("</aside></div>\n")
	} else {
		s.openText()
		d.Trusted(p.HTML)
		d.Trusted(p.Side) // a bare page has no column for the panel
		s.listing()
		d.Raw("</div>\n")
	}
	d.Raw("</article>\n")
}

// openText opens the element around the page's text. Its classes and attributes are for authors' CSS.
func (s *pageWriter) openText() {
	d := s.d
	d.Raw("<div")
	d.Attr("id", s.textID())
	d.Raw(` class="split-body mdx-content prose"`)
	d.Attr("data-page-title", s.p.Page.Title)
	d.Attr("data-page-href", s.path())
	d.Raw(">\n")
}

// textID returns the id of the text: "content", which authors' style sheets may use, unless a heading on the page has
// this id. Links to this id must then lead to the heading.
func (s *pageWriter) textID() string {
	if s.taken["content"] {
		return "page-content"
	}
	return "content"
}

// pageHead writes the part above the text. The title of a bare page is only for screen readers.
func (s *pageWriter) pageHead() {
	d := s.d
	if s.bare() && bytes.Contains(s.p.HTML, []byte("<h1")) {
		return // the author wrote a title
	}
	d.Raw(`<header class="page-head not-prose"`)
	s.id("header")
	d.Raw(">")
	if s.bare() {
		d.Raw("<h1")
		s.id("page-title")
		d.Raw(">")
		d.Text(s.p.Page.Title)
		d.Raw("</h1></header>\n")
		return
	}
	if s.listed {
		s.way()
	}
	d.Raw(`<div class="title-row"><h1`)
	s.id("page-title")
	d.Raw(">")
	d.Text(s.p.Page.Title)
	d.Raw("</h1>")
	if !s.menu().InTOC || s.mode != "" || s.split() {
		s.pageMenu()
	}
	d.Raw("</div>")
	if s.p.Page.Description != "" {
		d.Raw(`<div><p class="lead">`) // authors' CSS selects the paragraph with #header div p
		d.Text(s.p.Page.Description)
		d.Raw("</p></div>")
	}
	d.Raw("</header>\n")
}

// way writes the page's location in the navigation: its group or, if the site is configured that way, the whole path.
func (s *pageWriter) way() {
	d, at := s.d, s.at.entry
	if !s.site.Styling.Breadcrumbs {
		if g := at.parent; g != nil && g.node.Kind == site.KindGroup && g.title() != "" {
			d.Raw(`<p class="eyebrow" data-platform>`)
			d.Text(g.title())
			d.Raw("</p>")
		}
		return
	}
	open := false
	for _, e := range s.chain[:len(s.chain)-1] {
		if k := e.node.Kind; k != site.KindGroup && k != site.KindTab && k != site.KindMenu && k != site.KindAnchor ||
			e.title() == "" {
			continue
		}
		if !open {
			d.Raw(`<nav class="crumbs" aria-label="Breadcrumb" data-platform><ol class="breadcrumb-list">`)
			open = true
		}
		d.Raw(`<li class="breadcrumb-item">`)
		if e.first != "" && e.first != s.p.Page.Path {
			d.Raw("<a")
			d.Attr("href", s.links.Page(e.first, ""))
			d.Raw(">")
			d.Text(e.title())
			d.Raw("</a>")
		} else {
			d.Text(e.title())
		}
		d.Raw("</li>")
	}
	if open {
		d.Raw("</ol></nav>")
	}
}

// relatedMax limits the number of pages suggested for further reading.
const relatedMax = 10

// related writes links to the pages that the author recommends to read next, and the date of the last change.
func (s *pageWriter) related() {
	d := s.d
	n := 0
	for _, path := range s.p.Page.Details().Related {
		page := s.site.Find(path)
		if page == nil || page.Hidden || n == relatedMax {
			continue
		}
		if n == 0 {
			d.Raw(`<nav class="related" data-platform aria-labelledby="related-pages"><h2 id="related-pages">`)
			d.Text(s.words.Related)
			d.Raw("</h2><ul>")
		}
		n++
		d.Raw("<li><a")
		d.Attr("href", s.links.Page(page.Path, ""))
		d.Raw(">")
		d.Text(page.Label())
		d.Raw("</a></li>")
	}
	if n > 0 {
		d.Raw("</ul></nav>\n")
	}
	s.updated()
}

func (s *pageWriter) updated() {
	p, d := s.p.Page.Details(), s.d
	shown := s.site.Timestamps
	if p.Timestamp != nil {
		shown = *p.Timestamp
	}
	at, text := s.p.Modified, p.Updated
	if t, ok := date(p.Updated); ok {
		at, text = t, ""
	}
	if p.Updated == "" && (!shown || at.IsZero()) || p.Timestamp != nil && !*p.Timestamp {
		return
	}
	d.Raw(`<p class="updated" data-platform>`)
	d.Text(s.words.Updated)
	d.Raw(" ")
	if text != "" { // in an unknown date format: as the author wrote it
		d.Text(text)
	} else {
		d.Raw("<time")
		d.Attr("datetime", at.UTC().Format(time.DateOnly))
		d.Raw(">")
		d.Text(s.day(at.UTC()))
		d.Raw("</time>")
	}
	d.Raw("</p>\n")
}

// day formats a date in words for English, and otherwise in digits that all readers understand.
func (s *pageWriter) day(t time.Time) string {
	if s.words.Name == "English" {
		return t.Format("2 January 2006")
	}
	return t.Format(time.DateOnly)
}

// date parses a date in the formats that authors use.
func date(written string) (time.Time, bool) {
	for _, form := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05", "2006/01/02", "January 2, 2006",
		"2 January 2006", "Jan 2, 2006"} {
		if t, err := time.Parse(form, written); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func (s *pageWriter) paging() {
	d, at := s.d, s.at
	if !s.listed || s.p.Page.NoPagination || at.prev == nil && at.next == nil {
		return
	}
	d.Raw(`<nav class="paging"`)
	s.id("pagination")
	d.Attr("aria-label", s.words.Previous+" / "+s.words.Next)
	d.Raw(">")
	for _, side := range []struct {
		page  *site.Page
		rel   string
		label string
	}{{at.prev, "prev", s.words.Previous}, {at.next, "next", s.words.Next}} {
		if side.page == nil {
			continue
		}
		d.Raw("<a")
		d.Attr("class", side.rel+" pagination-"+side.rel)
		d.Attr("rel", side.rel)
		d.Attr("href", s.links.Page(side.page.Path, ""))
		d.Raw("><small data-platform>")
		d.Text(side.label)
		d.Raw(`</small><span class="pagination-title">`)
		d.Text(side.page.Label())
		d.Raw("</span></a>")
	}
	d.Raw("</nav>\n")
}
