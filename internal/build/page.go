package build

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/build/feed"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// pageTimeLimit limits the time for one page. Normal pages take milliseconds. A page that is slow on purpose must
// neither delay the others nor keep a cancelled build from ending (C8, J8).
const pageTimeLimit = 30 * time.Second

// pageRenderer turns a page of the site into a result: it reads the source, renders the content, and applies the
// layout. prepare creates it before the first page. It does not change shared data, so pages can be rendered in
// parallel.
type pageRenderer struct {
	src        *source
	addr       *addresses
	content    *contentRenderer // source → content
	layout     *pageLayout      // content → document
	words      *wordCounter     // content → words for search
	cache      *pageCache       // around these steps, see renderPage
	fileTime   func(file string) time.Time
	limit      time.Duration // for one page
	errorPages bool          // failed pages show their errors
}

func newPageRenderer(
	opt Options, content *contentRenderer, layout *pageLayout, words *wordCounter, cache *pageCache,
) *pageRenderer {
	r := &pageRenderer{
		src: content.src, addr: content.addr, content: content, layout: layout, words: words, cache: cache,
		fileTime: opt.Modified, limit: opt.pageTime, errorPages: opt.ErrorPages,
	}
	if r.limit == 0 {
		r.limit = pageTimeLimit
	}
	return r
}

// render returns the page for the output path out. kept is the page's record from an earlier build for the same output
// path; it may be nil. The page fails if it takes too long, the build is cancelled, or rendering panics. render waits
// until the work on the page has actually ended: each step checks its context, and no single step takes long.
func (r *pageRenderer) render(ctx context.Context, p *site.Page, out string, kept []byte) (made result) {
	if made, ok := r.reusePage(p, out, kept); ok {
		return made
	}
	own, cancel := withPageLimit(ctx, r.limit)
	defer cancel()
	defer func() {
		if recover() != nil {
			made = failedResult(p, "page-render", "The page cannot be rendered.")
		}
	}()
	made = r.renderPage(own, p, out, kept)
	switch {
	case ctx.Err() != nil:
		return failedResult(p, "canceled", "The build was canceled.")
	case own.Err() != nil:
		return failedResult(p, "page-too-slow", "The page takes longer than "+r.limit.String()+" to render.")
	}
	return made
}

// reusePage returns a page from its record if its source is unchanged since the build that stored it. It runs no
// author code, so it needs no time limit.
func (r *pageRenderer) reusePage(p *site.Page, out string, kept []byte) (made result, ok bool) {
	sum, known := r.cache.scannedSum(p)
	if !known {
		return made, false
	}
	return r.loadPage(p, out, kept, r.cache.version(p, sum, r.modified(p)))
}

// renderPage runs all steps from the source of a page to its result. The caller has already tried reusePage. renderPage
// first looks for the whole page in the cache, and then for the page's content.
func (r *pageRenderer) renderPage(ctx context.Context, p *site.Page, out string, kept []byte) result {
	modified := r.modified(p)
	text, list := r.src.read(p)
	if list != nil {
		return r.failPage(p, out, modified, list)
	}
	sum := r.cache.sourceSum(p, text)
	version := r.cache.version(p, sum, modified)
	// reusePage has already looked for a record with the digest from the scan
	if scanned, known := r.cache.scannedSum(p); r.cache.covers(p) && (!known || sum != scanned) {
		if made, ok := r.loadPage(p, out, kept, version); ok {
			return made
		}
	}
	c, ok := r.loadOrRenderContent(ctx, p, out, text, sum)
	if !ok {
		return r.failPage(p, out, modified, c.list)
	}
	d, err := r.layout.apply(ctx, p, out, c, modified)
	list = limitFindings(append(slices.Clip(c.list), d.list...))
	if err != nil {
		list.Errorf(diag.Pos{File: p.File}, "page-render", "The page cannot be rendered.")
		return r.failPage(p, out, modified, list)
	}
	made := newResult(p, modified)
	made.html, made.twin, made.card, made.feed, made.extras, made.list = d.html, c.twin, d.card, c.feed, c.extras, list
	made.entry.lead, made.entry.moreAnchors, made.anchors = c.lead, c.extras.islands, pageAnchors{c.ids, c.refs}
	made.words = r.words.of(p, c)
	deps := c.deps.and(d.deps)
	if ctx.Err() == nil && r.cache.covers(p) && !list.HasErrors() && !deps.unstable {
		made.record = made.encodePage(version, c.id, deps)
	}
	return made
}

// loadPage returns a page that an earlier build rendered from the same version. ok is false if a dependency has
// changed.
func (r *pageRenderer) loadPage(p *site.Page, out string, kept []byte, v pageVersion) (made result, ok bool) {
	defer func() {
		if recover() != nil { // the page is rendered instead
			ok = false
		}
	}()
	made = newResult(p, v.modified)
	id, ok := r.cache.decodePage(kept, v, r.addr.From(p.Path, out), out, &made)
	if !ok {
		return made, false
	}
	made.card = r.layout.cards.redraw(p, made.entry.lead, out, made.card.Packed, r.layout.docs)
	made.words.id, made.words.indexed = id, r.words.searchable(p)
	return made, true
}

// loadOrRenderContent loads the content of a page from the cache, or renders it. ok is false if the page has errors. In
// that case, c only contains the findings.
func (r *pageRenderer) loadOrRenderContent(
	ctx context.Context, p *site.Page, out string, text load.Source, sum [sha256.Size]byte,
) (c *content, ok bool) {
	from := r.addr.From(p.Path, out)
	if !r.cache.covers(p) {
		return r.content.renderContent(ctx, p, text, from)
	}
	key := r.cache.contentKey(p, out, sum)
	if c, ok := r.cache.loadContent(key, from); ok {
		return c, true
	}
	c, ok = r.content.renderContent(ctx, p, text, from)
	if ok && !c.list.HasErrors() && !c.deps.unstable {
		r.cache.storeContent(key, c)
	}
	return c, ok
}

// failPage returns the result of a page with errors. If Options.ErrorPages is set, the page's document shows them.
func (r *pageRenderer) failPage(p *site.Page, out string, modified time.Time, list diag.List) result {
	made := newResult(p, modified)
	made.failed, made.list = true, list
	if r.errorPages {
		made.html.data = r.layout.errorPage(p, out, list)
	}
	return made
}

// close stops author code, including that of pages that timed out.
func (r *pageRenderer) close() { r.content.expand.Close() }

// modified returns when a page last changed: the author's date, otherwise the date of its source, or zero if both
// are unknown.
func (r *pageRenderer) modified(p *site.Page) time.Time {
	if written := p.Details().Updated; written != "" {
		if t, ok := feed.Date(written); ok {
			return t
		}
	}
	file := p.File
	if file == "" && p.API != nil {
		file = p.API.Spec
	}
	if r.fileTime == nil || file == "" {
		return time.Time{}
	}
	return r.fileTime(file).UTC()
}
