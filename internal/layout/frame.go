package layout

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/site"
)

// Links writes addresses as seen from one page.
type Links interface {
	Page(page, anchor string) string
	File(file string) string
	Root() string
	// Address resolves an address from the site file; "" when it must not be written out.
	Address(ref string) string
}

// Assets are the paths of the theme's files in the tree.
type Assets struct{ Style, Site, Boot, Script string }

// Heading is an entry of the outline.
type Heading struct {
	Level    int
	ID, Text string
}

// Page is what the frame is put around.
type Page struct {
	Page      *site.Page
	HTML      []byte // from the render room
	Outline   []Heading
	Lead      string // the description when the page has none of its own
	Canonical string
	Twin      string // path of the Markdown form in the tree
	Links     Links
}

// Frame lays out the pages of one site. It is safe for concurrent use.
type Frame struct {
	site   *site.Site
	assets Assets
	tree   *tree
}

// New prepares a site's frame.
func New(s *site.Site, a Assets) *Frame { return &Frame{site: s, assets: a, tree: newTree(s)} }

// Render writes the document of one page.
func (f *Frame) Render(p Page) []byte {
	d := &doc{}
	d.buf.Grow(len(p.HTML) + 16<<10)
	at := f.tree.places[p.Page.Path]
	listed := at != nil
	if !listed {
		at = f.tree.start
	}
	f.head(d, p, at)
	d.raw("<body", ">\n", `<a class="skip" href="#content">Skip to content</a>`, "\n")
	f.navbar(d, p.Links, at)
	d.raw(`<div class="shell">`, "\n")
	f.sidebar(d, p, at)
	d.raw(`<main class="main">`, "\n")
	f.article(d, p, at, listed)
	if listed {
		f.paging(d, p, at)
	}
	f.footer(d, p.Links)
	d.raw("</main>\n")
	outline(d, p.Outline)
	d.raw("</div>\n</body>\n</html>\n")
	return d.buf.Bytes()
}

func (f *Frame) article(d *doc, p Page, at *place, listed bool) {
	d.raw(`<article id="content" class="content"`)
	d.attrIf("data-mode", p.Page.Mode)
	d.raw(">\n", `<header class="page-head">`)
	if listed {
		f.eyebrow(d, at)
	}
	d.raw("<h1>")
	d.text(p.Page.Title)
	d.raw("</h1>")
	if p.Page.Description != "" {
		d.raw(`<p class="lead">`)
		d.text(p.Page.Description)
		d.raw("</p>")
	}
	d.raw("</header>\n")
	d.rendered(p.HTML)
	d.raw("</article>\n")
}

// eyebrow names the group that the page stands in.
func (f *Frame) eyebrow(d *doc, at *place) {
	if g := at.entry.parent; g != nil && g.node.Kind == site.KindGroup {
		d.raw(`<p class="eyebrow" data-platform>`)
		d.text(g.title())
		d.raw("</p>")
	}
}

func (f *Frame) paging(d *doc, p Page, at *place) {
	if p.Page.NoPagination || at.prev == nil && at.next == nil {
		return
	}
	d.raw(`<nav class="paging" aria-label="Pages before and after">`)
	for _, side := range []struct {
		page  *site.Page
		rel   lit
		label lit
	}{{at.prev, "prev", "Previous"}, {at.next, "next", "Next"}} {
		if side.page == nil {
			continue
		}
		d.raw(`<a class="`, side.rel, `" rel="`, side.rel, `"`)
		d.attr("href", p.Links.Page(side.page.Path, ""))
		d.raw(`><small data-platform>`, side.label, "</small><span>")
		d.text(side.page.Label())
		d.raw("</span></a>")
	}
	d.raw("</nav>\n")
}

// outlineMax bounds the outline of very long pages.
const outlineMax = 200

func outline(d *doc, all []Heading) {
	var shown []Heading
	for _, h := range all {
		if h.Level <= 3 && h.Text != "" && len(shown) < outlineMax {
			shown = append(shown, h)
		}
	}
	d.raw(`<aside class="outline">`)
	if len(shown) > 1 {
		d.raw(`<nav aria-label="On this page"><p data-platform>On this page</p><ul>`)
		for _, h := range shown {
			d.raw(`<li`)
			d.attr("data-level", strconv.Itoa(h.Level))
			d.raw("><a")
			d.attr("href", "#"+h.ID)
			d.raw(">")
			d.text(h.Text)
			d.raw("</a></li>")
		}
		d.raw("</ul></nav>")
	}
	d.raw("</aside>\n")
}
