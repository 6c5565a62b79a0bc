package build

import (
	"context"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// pagesAhead is how many pages per worker may be in progress or wait for the writer. It bounds memory: nothing else
// holds HTML.
const pagesAhead = 4

// renderPages renders every page in parallel and writes them in page order.
func (b *builder) renderPages(ctx context.Context) error {
	b.entries = make([]entry, 0, len(b.src.site.Pages))
	work, cancel := context.WithCancel(ctx) // canceled when this stage ends, also on failure
	var wg sync.WaitGroup
	defer wg.Wait() // no goroutine outlives the build
	defer cancel()
	type job struct {
		index int
		done  chan result
	}
	queue := make(chan job)                                   // to the workers
	order := make(chan chan result, pagesAhead*b.opt.Workers) // to the writer, in page order
	wg.Go(func() {
		defer close(order)
		defer close(queue)
		for i := range b.src.site.Pages {
			j := job{i, make(chan result, 1)} // buffered, so that a worker never waits for the writer
			select {
			case order <- j.done:
			case <-work.Done():
				return
			}
			select {
			case queue <- j:
			case <-work.Done():
				return
			}
		}
	})
	for range b.opt.Workers {
		wg.Go(func() {
			for j := range queue {
				p := b.src.site.Pages[j.index]
				j.done <- b.opt.pageMemo.page(work, b.pages, p)
			}
		})
	}
	for done := range order {
		select {
		case r := <-done:
			if err := b.writePage(ctx, r); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	b.opt.Progress(Progress{Stage: StageAssets, Done: b.w.report.Pages, Total: len(b.src.site.Pages)})
	return ctx.Err()
}

// writePage writes one page's files and keeps its entry.
func (b *builder) writePage(ctx context.Context, r result) error {
	if err := ctx.Err(); err != nil { // a page may finish just as the build is canceled
		return err
	}
	b.w.addFindings(r.list)
	if !r.shown() || r.failed {
		b.w.report.Failed++
	}
	if !r.shown() {
		return nil
	}
	if err := b.w.putPayload(ctx, link.File(r.page.Path), r.html); err != nil || r.failed {
		return err
	}
	if err := b.writePageAssets(ctx, r); err != nil {
		return err
	}
	if err := b.putTwin(ctx, r.page.Path, r); err != nil {
		return err
	}
	if r.card != nil {
		if err := b.w.put(ctx, b.cards.file(r.page), r.card); err != nil {
			return err
		}
	}
	if err := b.putFeed(ctx, r); err != nil {
		return err
	}
	if err := b.spoolTwin(&r); err != nil {
		return err
	}
	if err := b.spoolAnchors(&r); err != nil {
		return err
	}
	if err := b.indexPage(ctx, r); err != nil {
		return err
	}
	b.w.report.Pages++
	if r.page.Description != "" {
		r.entry.lead = "" // no longer needed
	}
	b.entries = append(b.entries, r.entry)
	b.opt.Progress(Progress{Stage: StagePages, Done: b.w.report.Pages, Total: len(b.src.site.Pages)})
	return nil
}

// writePageAssets writes what a page needs beyond the theme, unless an earlier page did.
func (b *builder) writePageAssets(ctx context.Context, r result) error {
	parts, err := b.tools.pageAssets(&r.extras)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := b.w.putPart(ctx, part.Part); err != nil {
			return err
		}
	}
	return nil
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
		data := b.pages.layout.errorPage(&site.Page{Path: p, Title: slug.Words(p)}, p, list)
		if err := b.w.put(ctx, link.File(p), data); err != nil {
			return err
		}
	}
	return nil
}

// writeIndex writes index.html when no page has that path: the home page, with links from the root and its own
// canonical address.
func (b *builder) writeIndex(ctx context.Context) error {
	if b.w.Has("index.html") || len(b.entries) == 0 {
		return nil
	}
	p := b.addr.home
	if !b.w.Has(link.File(p.Path)) { // the home page failed
		p = b.entries[0].page
	}
	r := b.pages.render(ctx, p, "index")
	if !r.shown() {
		b.w.addFindings(r.list) // a site without its home page must not look complete
		return ctx.Err()
	}
	if err := b.w.putPayload(ctx, "index.html", r.html); err != nil || r.failed || !b.w.Free(link.Twin("index")) {
		return err
	}
	return b.putTwin(ctx, "index", r)
}

// putTwin writes a page's Markdown form beside the page at path.
func (b *builder) putTwin(ctx context.Context, path string, r result) error {
	return b.w.putPayload(ctx, link.Twin(path), r.twin)
}

func (b *builder) finish(ctx context.Context) error {
	if err := b.checkAnchors(); err != nil {
		return err
	}
	b.w.report.Diagnostics.Sort()
	sum, err := b.w.TreeHash()
	if err != nil {
		return err
	}
	b.w.report.TreeHash, b.w.report.Written = sum, b.writtenPages()
	if b.opt.Manifest {
		labels := output.Labels{Tool: b.opt.Tool, Version: b.opt.Version, Commit: b.opt.Commit, Pages: b.w.report.Pages, Features: b.opt.Offers.Names(), Signer: b.opt.Signer}
		if err := b.w.WriteManifest(ctx, labels); err != nil {
			return err
		}
	}
	b.w.report.Files, b.w.report.Bytes = b.w.Files(), b.w.Bytes()
	b.opt.Progress(Progress{Stage: StageDone, Done: b.w.report.Pages, Total: len(b.src.site.Pages)})
	return nil
}

// writtenPages lists the pages that are complete. A page whose part of an API description is missing is not.
func (b *builder) writtenPages() []Written {
	out := make([]Written, 0, len(b.entries))
	for _, e := range b.entries {
		w := Written{Path: e.page.Path, Made: e.page.File == ""}
		if ref := e.page.API; ref != nil {
			if ref.Missing {
				continue
			}
			w.Spec = ref.Spec
		}
		out = append(out, w)
	}
	return out
}
