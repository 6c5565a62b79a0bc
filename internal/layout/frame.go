package layout

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/markup"
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
// Icons is "" when the navigation has none.
type Assets struct{ Style, Site, Icons, Boot, Script string }

// Heading is an entry of the outline.
type Heading struct {
	Level    int
	ID, Text string
}

// Page is what the frame is put around.
type Page struct {
	Page      *site.Page
	HTML      []byte   // from the render room
	Side      []byte   // the panel beside it; then the page has no outline column
	Sheets    []string // more style sheets and scripts that only this page needs: paths in the tree
	Scripts   []string
	Mermaid   string // path of the diagram script when the page may need it
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
	signs  *Signs // nil: no icons of the library
	tree   *tree
}

// New prepares a site's frame. signs may be nil; then navigation shows no icons of the library.
func New(s *site.Site, a Assets, signs *Signs) *Frame {
	return &Frame{site: s, assets: a, signs: signs, tree: newTree(s)}
}

// Render writes the document of one page.
func (f *Frame) Render(p Page) []byte {
	d := &markup.Buffer{}
	d.Grow(len(p.HTML) + 16<<10)
	at := f.tree.places[p.Page.Path]
	listed := at != nil
	if !listed {
		at = f.tree.start
	}
	f.head(d, p, at)
	d.Raw("<body", ">\n", `<a class="skip" href="#content">Skip to content</a>`, "\n")
	f.navbar(d, p.Links, at)
	if len(p.Side) > 0 {
		d.Raw(`<div class="shell shell-wide">`, "\n")
	} else {
		d.Raw(`<div class="shell">`, "\n")
	}
	f.sidebar(d, p, at)
	d.Raw(`<main class="main">`, "\n")
	f.article(d, p, at, listed)
	if listed {
		f.paging(d, p, at)
	}
	f.footer(d, p.Links)
	d.Raw("</main>\n")
	if len(p.Side) == 0 {
		outline(d, p.Outline)
	}
	d.Raw("</div>\n</body>\n</html>\n")
	return d.Bytes()
}

func (f *Frame) article(d *markup.Buffer, p Page, at *place, listed bool) {
	d.Raw(`<article id="content" class="content"`)
	d.AttrIf("data-mode", p.Page.Mode)
	d.Raw(">\n", `<header class="page-head">`)
	if listed {
		f.eyebrow(d, at)
	}
	d.Raw("<h1>")
	d.Text(p.Page.Title)
	d.Raw("</h1>")
	if p.Page.Description != "" {
		d.Raw(`<p class="lead">`)
		d.Text(p.Page.Description)
		d.Raw("</p>")
	}
	d.Raw("</header>\n")
	if len(p.Side) > 0 {
		d.Raw(`<div class="split"><div class="split-body">`, "\n")
		d.Trusted(p.HTML)
		d.Raw("</div>\n", `<aside class="side" aria-label="Examples">`)
		d.Trusted(p.Side)
		d.Raw("</aside></div>\n")
	} else {
		d.Trusted(p.HTML)
	}
	d.Raw("</article>\n")
}

// eyebrow names the group that the page stands in.
func (f *Frame) eyebrow(d *markup.Buffer, at *place) {
	if g := at.entry.parent; g != nil && g.node.Kind == site.KindGroup && g.title() != "" {
		d.Raw(`<p class="eyebrow" data-platform>`)
		d.Text(g.title())
		d.Raw("</p>")
	}
}

func (f *Frame) paging(d *markup.Buffer, p Page, at *place) {
	if p.Page.NoPagination || at.prev == nil && at.next == nil {
		return
	}
	d.Raw(`<nav class="paging" aria-label="Pages before and after">`)
	for _, side := range []struct {
		page  *site.Page
		rel   string
		label string
	}{{at.prev, "prev", "Previous"}, {at.next, "next", "Next"}} {
		if side.page == nil {
			continue
		}
		d.Raw("<a")
		d.Attr("class", side.rel)
		d.Attr("rel", side.rel)
		d.Attr("href", p.Links.Page(side.page.Path, ""))
		d.Raw("><small data-platform>")
		d.Text(side.label)
		d.Raw("</small><span>")
		d.Text(side.page.Label())
		d.Raw("</span></a>")
	}
	d.Raw("</nav>\n")
}

// outlineMax bounds the outline of very long pages.
const outlineMax = 200

func outline(d *markup.Buffer, all []Heading) {
	var shown []Heading
	for _, h := range all {
		if h.Level <= 3 && h.Text != "" && len(shown) < outlineMax {
			shown = append(shown, h)
		}
	}
	d.Raw(`<aside class="outline">`)
	if len(shown) > 1 {
		d.Raw(`<nav aria-label="On this page"><p data-platform>On this page</p><ul>`)
		for _, h := range shown {
			d.Raw(`<li`)
			d.Attr("data-level", strconv.Itoa(h.Level))
			d.Raw("><a")
			d.Attr("href", "#"+h.ID)
			d.Raw(">")
			d.Text(h.Text)
			d.Raw("</a></li>")
		}
		d.Raw("</ul></nav>")
	}
	d.Raw("</aside>\n")
}
