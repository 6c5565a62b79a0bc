package build

import (
	"context"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// pageLayout applies the site's layout to the content of pages. prepare creates it before the first page. It does
// not change shared data, so pages can be rendered in parallel.
type pageLayout struct {
	src     *source
	nav     *navigation
	addr    *addresses
	docs    *documents
	frame   *layout.Frame
	tools   *Tools // files that only some pages load
	front   *frontEnd
	cards   *cardMaker
	content *contentRenderer // renders banners
}

// document is a page with the site's layout.
type document struct {
	html payload
	card output.File  // without a path if the page has no card
	list diag.List    // findings of the layout, without those of the content
	deps dependencies // of the layout, without those of the content
}

// apply renders a page: the site's layout around its content. out is the path of the output file. It returns an error
// if one of the platform's own assets that the page needs cannot be created.
func (l *pageLayout) apply(
	ctx context.Context, p *site.Page, out string, c *content, modified time.Time,
) (d document, err error) {
	from := l.addr.From(p.Path, out)
	frame := layout.Page{
		Page: p, HTML: c.html, Side: c.side, Lead: c.lead, Outline: c.headings, Canonical: l.addr.canonical(p),
		Twin: link.Twin(p.Path), Card: l.cards.address(p), Spec: l.specFile(p), Modified: modified, Feed: feedFile(p),
	}
	d.card = l.cards.draw(p, c.lead, out)
	frame.Banner, d.list, d.deps = l.content.renderBanner(ctx, l.frame.Banner(p), from)
	if err := l.tools.linkPageAssets(l.front, &frame, &c.extras); err != nil {
		return d, err
	}
	frame.Graph = l.graph(p, c.lead, frame.Card, modified)
	// images of the layout are dependencies; its links were checked once for all pages
	frame.Links = l.content.view(from, &pageAnchors{}, &diag.List{}, &d.deps)
	d.html = l.docs.pack(l.frame.Render(frame))
	return d, nil
}

// errorPage returns a document that shows the errors of a page to its author.
func (l *pageLayout) errorPage(p *site.Page, out string, list diag.List) []byte {
	return l.frame.Broken(layout.Page{Page: p, Canonical: l.addr.canonical(p), Links: l.addr.view(p.Path, out)}, list)
}

// specFile returns the path of the API description that a page shows if it is a file of the site, otherwise "".
func (l *pageLayout) specFile(p *site.Page) string {
	if p.API == nil {
		return ""
	}
	name := strings.TrimPrefix(p.API.Spec, "/")
	if !l.src.authorHas(name) {
		return ""
	}
	return name
}
