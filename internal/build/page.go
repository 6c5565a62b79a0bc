package build

import (
	"context"
	"crypto/sha256"
	"hash/fnv"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// pageDiagMax bounds the findings kept for one page.
const pageDiagMax = 50

// result is one finished page.
type result struct {
	page    *site.Page
	html    payload // empty when the page failed and is not shown
	failed  bool
	twin    payload
	card    []byte // nil when there is none
	feed    []byte // nil when it has none
	extras  extras
	entry   entry
	anchors pageAnchors
	list    diag.List
	words   words
}

// shown reports whether the page has a document to write.
func (r *result) shown() bool { return r.html.data != nil || r.html.packed != nil }

// entry is what is kept of a page after its HTML is written. It must stay small: there is one for each page of the
// site.
type entry struct {
	page *site.Page
	lead string // at most 300 characters; "" for a written page that has a description

	anchors     output.Piece // spooled ids and links
	hasRefs     bool         // the page links to ids
	moreAnchors bool         // client components may add ids that are not listed

	twin     spooledTwin // spooled Markdown form, for the lists
	modified int64       // in seconds since 1970; 0 = unknown
}

// renderPage builds the page for the output path out, using what the cache still holds. The caller has already tried
// reusePage. It changes nothing shared, so pages can run in parallel.
func (b *builder) renderPage(ctx context.Context, p *site.Page, out string) result {
	modified := b.modified(p)
	r := result{page: p, entry: entry{page: p, modified: unixSeconds(modified)}}
	src, list := b.src.read(p)
	if list != nil {
		r.list = list
		return b.failPage(r, out)
	}
	source := b.sourceSum(p, src)
	if scanned, known := b.scannedSum(p); b.cacheable(p) && (!known || source != scanned) { // otherwise reusePage has already tried
		if r, ok := b.loadPage(p, out, source, modified); ok {
			return r
		}
	}
	v := b.addr.view(p.Path, out)
	c, ok := b.loadOrRenderContent(ctx, p, out, src, source, v)
	if !ok {
		r.list = c.list
		return b.failPage(r, out)
	}
	b.applyLayout(ctx, &r, c, out, v, modified)
	if ctx.Err() == nil && !r.failed && b.cacheable(p) && !r.list.HasErrors() && !c.deps.unstable {
		b.storePage(b.pageKey(p, out, source, modified), &r, c)
	}
	return r
}

// loadOrRenderContent returns the content of a page, from the cache or rendered.
func (b *builder) loadOrRenderContent(ctx context.Context, p *site.Page, out string, src load.Source, source [sha256.Size]byte, v *view) (c *content, ok bool) {
	if !b.cacheable(p) {
		return b.renderContent(ctx, p, src, v)
	}
	key := b.contentKey(p, out, source)
	if c, ok := b.loadContent(key, v); ok {
		return c, true
	}
	if c, ok = b.renderContent(ctx, p, src, v); ok && !c.list.HasErrors() && !c.deps.unstable {
		b.storeContent(key, c)
	}
	return c, ok
}

// applyLayout wraps the content in the site's layout and derives what the rest of the site needs: card, banner, search
// words.
func (b *builder) applyLayout(ctx context.Context, r *result, c *content, out string, v *view, modified time.Time) {
	p := r.page
	r.list, r.twin, r.feed, r.extras = c.list, c.twin, c.feed, c.extras
	r.entry.lead, r.entry.moreAnchors, r.anchors = c.lead, c.extras.islands, pageAnchors{c.ids, c.refs}
	v.anchors, v.list, v.deps = &pageAnchors{}, &diag.List{}, &c.deps // images of the layout are dependencies; its links were checked once for all pages
	frame := layout.Page{
		Page: p, HTML: c.html, Side: c.side, Lead: c.lead, Canonical: b.addr.canonical(p), Twin: link.Twin(p.Path), Links: v, Outline: c.headings,
	}
	frame.Card, r.card = b.cards.address(p), b.cards.draw(p, c.lead, out)
	var list diag.List
	frame.Banner, list = b.banner(ctx, p, v)
	r.list = limitFindings(append(slices.Clip(r.list), list...))
	if err := b.linkPageAssets(&frame, &c.extras); err != nil {
		r.list.Errorf(diag.Pos{File: p.File}, "page-render", "The page cannot be rendered.")
		*r = b.failPage(*r, out)
		return
	}
	frame.Spec, frame.Modified, frame.Feed = b.specFile(p), modified, feedFile(p)
	frame.Graph = b.graph(r, frame.Card, modified)
	r.html = b.docs.pack(b.theme.frame.Render(frame))
	r.words = b.words.of(p, c)
}

// unixSeconds converts a time for an entry; zero stays 0.
func unixSeconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// scannedSum returns the digest that a page's source had during the scan; ok is false when it is unknown or there is no
// cache.
func (b *builder) scannedSum(p *site.Page) (sum [sha256.Size]byte, ok bool) {
	if !b.cacheable(p) || p.File == "" {
		return sum, b.cacheable(p)
	}
	return b.src.sums.Of(p.Path)
}

// sourceSum returns the digest of a page's source; zero without a cache, and for pages without a source.
func (b *builder) sourceSum(p *site.Page, src load.Source) (sum [sha256.Size]byte) {
	if p.File != "" && b.opt.Cache != nil {
		sum = sha256.Sum256(src.Raw)
	}
	return sum
}

// specFile returns the path of the API description behind a page if it is a file of the site, else "".
func (b *builder) specFile(p *site.Page) string {
	if p.API == nil {
		return ""
	}
	name := strings.TrimPrefix(p.API.Spec, "/")
	if !b.src.authorHas(name) {
		return ""
	}
	return name
}

// limitFindings cuts the findings of a page to pageDiagMax, errors first.
func limitFindings(list diag.List) diag.List {
	if len(list) <= pageDiagMax {
		return list
	}
	slices.SortStableFunc(list, func(a, b diag.Diagnostic) int { return strings.Compare(string(a.Severity), string(b.Severity)) })
	return list[:pageDiagMax]
}

// linkPageAssets adds the files that a page needs beyond the theme to its layout.
func (b *builder) linkPageAssets(frame *layout.Page, e *extras) error {
	parts, err := b.pageAssets(e)
	if err != nil {
		return err
	}
	for _, part := range parts {
		switch {
		case part.use == diagrams:
			frame.Mermaid = part.Path
		case part.use == sheets:
			frame.Sheets = append(frame.Sheets, part.Path)
		default:
			frame.Scripts = append(frame.Scripts, part.Path)
		}
	}
	return nil
}

// pageAsset is a file with how a page loads it.
type pageAsset struct {
	asset.Part
	use int
}

const (
	sheets = iota
	scripts
	diagrams
)

// pageAssets returns the files behind extras, in the order in which pages load them.
func (b *builder) pageAssets(e *extras) (out []pageAsset, err error) {
	if len(e.sheet) > 0 {
		out = append(out, pageAsset{asset.NewPart(path.Join(asset.Folder, "page.css"), e.sheet), sheets})
	}
	for _, n := range []struct {
		used bool
		load func() (asset.Part, error)
		to   int
	}{
		{e.math, b.tools.formulas, sheets}, {e.mermaid, b.tools.diagrams, diagrams}, {e.islands, b.tools.islands, scripts},
		{e.play, b.tools.playStyle, sheets}, {e.play, b.tools.playScript, scripts},
	} {
		if !n.used {
			continue
		}
		part, err := n.load()
		if err != nil {
			return nil, err
		}
		out = append(out, pageAsset{part, n.to})
	}
	for _, c := range e.clients {
		out = append(out, pageAsset{asset.NewPart(path.Join(asset.Folder, "island", slug.Heading(c.Unit)+".js"), c.Script), scripts})
	}
	return out, nil
}

// failPage marks a page as failed. With Options.ErrorPages the page shows its errors.
func (b *builder) failPage(r result, out string) result {
	r.failed = true
	if b.opt.ErrorPages {
		r.html.data = b.theme.frame.Broken(layout.Page{Page: r.page, Canonical: b.addr.canonical(r.page), Links: b.addr.view(r.page.Path, out)}, r.list)
	}
	return r
}

// hashID returns the hash of a heading id.
func hashID(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // a hash never fails
	return h.Sum64()
}

// writeUnreadablePages writes error pages for sources whose front matter could not be read, with Options.ErrorPages.
func (b *builder) writeUnreadablePages(ctx context.Context) error {
	if !b.opt.ErrorPages || b.opt.Paths != nil {
		return nil
	}
	for _, p := range b.src.site.Failed {
		var list diag.List
		for _, d := range b.w.report.Diagnostics {
			if slug.Page(d.File) == p {
				list = append(list, d)
			}
		}
		r := b.failPage(result{page: &site.Page{Path: p, Title: slug.Words(p)}, list: list}, p)
		if err := b.w.put(ctx, link.File(p), r.html.data); err != nil {
			return err
		}
	}
	return nil
}
