package build

import (
	"context"

	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// pageWriter writes the files of finished pages, and collects the data that later stages need. pageStage calls it
// in page order, from one goroutine. In a preview it has no spools and no index.
type pageWriter struct {
	w        *siteWriter
	pages    *pageRenderer // reads words of pages again for search
	tools    *Tools
	front    *frontEnd
	total    int // pages of the site
	progress func(Progress)

	entries entries
	twins   *twinSpool   // nil if no list includes pages
	anchors *anchorSpool // nil in a preview
	search  *indexWriter // nil without a search index
}

func newPageWriter(w *siteWriter, pages *pageRenderer, opt Options) *pageWriter {
	return &pageWriter{w: w, pages: pages, tools: opt.Tools, front: opt.frontEnd(), total: len(w.src.site.Pages),
		progress: opt.Progress}
}

// openPageWriter returns a pageWriter for a whole build. The caller must close it.
func openPageWriter(ctx context.Context, w *siteWriter, s *preparedSite, opt Options) (*pageWriter, error) {
	p := newPageWriter(w, s.pages, opt)
	p.entries = make(entries, 0, p.total)
	var err error
	if !s.src.site.SEO.NoIndex {
		if p.twins, err = openTwinSpool(ctx, opt.Scratch, s); err != nil {
			return nil, err
		}
	}
	if p.anchors, err = openAnchorSpool(opt.Scratch); err != nil {
		p.twins.close()
		return nil, err
	}
	if hasIndex(opt.Offers) {
		p.search = openIndexWriter(ctx, w, s.docs, s.nav, opt.Scratch)
	}
	return p, nil
}

// close discards an unfinished index, and the spools.
func (p *pageWriter) close() {
	p.search.abort()
	p.anchors.close()
	p.twins.close()
}

// write writes one page's files and keeps its entry.
func (p *pageWriter) write(ctx context.Context, r result) error {
	if err := ctx.Err(); err != nil { // a page may be finished just when the build is cancelled
		return err
	}
	p.w.addFindings(r.list)
	if !r.shown() || r.failed {
		p.w.report.Failed++
	}
	if !r.shown() {
		return nil
	}
	if err := p.w.putPayload(ctx, link.File(r.page.Path), r.html); err != nil || r.failed {
		return err
	}
	if err := p.writeFiles(ctx, &r); err != nil {
		return err
	}
	if err := p.collect(ctx, &r); err != nil {
		return err
	}
	p.w.report.Pages++
	p.progress(Progress{Stage: StagePages, Done: p.w.report.Pages, Total: p.total})
	return nil
}

// writeFiles writes the files of a page other than its document: its Markdown form, its card, its feed, and the assets
// that it needs in addition to the theme, unless an earlier page wrote them.
func (p *pageWriter) writeFiles(ctx context.Context, r *result) error {
	parts, err := p.tools.pageAssets(p.front, &r.extras)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := p.w.putPart(ctx, part.Part); err != nil {
			return err
		}
	}
	if err := p.w.putPayload(ctx, link.Twin(r.page.Path), r.twin); err != nil {
		return err
	}
	if r.card.Path != "" {
		if err := p.w.Put(ctx, r.card); err != nil {
			return err
		}
	}
	name := feedFile(r.page)
	if r.feed == nil || !p.w.available(name) {
		return nil
	}
	const kind = "application/rss+xml; charset=utf-8"
	return p.w.Put(ctx, output.File{Path: name, ContentType: kind, Data: r.feed})
}

// collect stores the data of a page that later stages need: its entry, its Markdown form, its anchors and its
// words.
func (p *pageWriter) collect(ctx context.Context, r *result) (err error) {
	e := r.entry
	if e.twin, err = p.twins.add(r.page, r.twin); err != nil {
		return err
	}
	if p.anchors != nil {
		e.hasRefs = len(r.anchors.refs) > 0
		if e.anchors, err = p.anchors.add(r.anchors); err != nil {
			return err
		}
	}
	if err := p.search.add(ctx, p.pages, r.page, r.words); err != nil {
		return err
	}
	if r.page.Description != "" {
		e.lead = "" // no longer needed
	}
	p.entries = append(p.entries, e)
	return nil
}
