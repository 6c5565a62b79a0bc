package build

import (
	"context"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// diagMax bounds the findings of a whole site.
const diagMax = 5000

// ahead is how many pages per worker may be rendered or wait for their turn. It bounds memory: nothing else holds HTML.
const ahead = 4

// pages renders every page in parallel and writes them in page order.
func (b *builder) pages(ctx context.Context) error {
	b.entries = make([]entry, 0, len(b.site.Pages))
	work, cancel := context.WithCancel(ctx) // ends with this stage, also when it fails
	var wg sync.WaitGroup
	defer wg.Wait() // no goroutine of ours outlives the build
	defer cancel()
	type job struct {
		index int
		done  chan result
	}
	queue := make(chan job)                              // to the workers
	order := make(chan chan result, ahead*b.opt.Workers) // to the writer, in page order
	wg.Go(func() {
		defer close(order)
		defer close(queue)
		for i := range b.site.Pages {
			j := job{i, make(chan result, 1)} // one place, so that a worker never waits for the writer
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
				p := b.site.Pages[j.index]
				j.done <- b.opt.made.page(work, b, p)
			}
		})
	}
	for done := range order {
		select {
		case r := <-done:
			if err := b.write(ctx, r); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	b.opt.Progress(Progress{Stage: StageAssets, Done: b.report.Pages, Total: len(b.site.Pages)})
	return ctx.Err()
}

// slowest is how long one page may take. Ours take milliseconds; a page made to be slow must not hold up the others, nor
// keep the build from ending when it is called off (C8, J8).
const slowest = 30 * time.Second

// reused is a page as an earlier build made it from the source that was read with the folder. Nothing of an author's runs, so that it needs
// no bounds.
func (b *builder) reused(p *site.Page, out string) (r result, ok bool) {
	defer func() {
		if recover() != nil { // then it is made
			ok = false
		}
	}()
	scanned, known := b.scanned(p)
	if !known {
		return r, false
	}
	return b.findPage(p, out, scanned, b.modified(p))
}

// bounded renders a page, and gives it up when it takes too long, when the build is called off, or when it makes the renderer panic.
// It waits until the work on the page has really ended: each stage looks at its context, and no single step of one takes long.
func (b *builder) bounded(ctx context.Context, p *site.Page, out string) (r result) {
	if r, ok := b.reused(p, out); ok {
		return r
	}
	limit := b.opt.pageTime
	if limit == 0 {
		limit = slowest
	}
	own, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer func() {
		if recover() != nil {
			r = failed(p, "page-render", "The page cannot be rendered.")
		}
	}()
	r = b.one(own, p, out)
	switch {
	case ctx.Err() != nil:
		return failed(p, "canceled", "The build was called off.")
	case own.Err() != nil:
		return failed(p, "page-too-slow", "The page takes longer than "+limit.String()+" to render.")
	}
	return r
}

// failed is the result of a page that is not shown. A page without a file of its own is told at its API description.
func failed(p *site.Page, code, message string) result {
	r := result{page: p, sum: entry{page: p}}
	pos := diag.Pos{File: p.File, Line: 1, Column: 1}
	if p.File == "" && p.API != nil {
		pos.File = p.API.Spec
	}
	r.list.Errorf(pos, code, "%s", message)
	return r
}

// write puts one page's files and keeps its summary.
func (b *builder) write(ctx context.Context, r result) error {
	if err := ctx.Err(); err != nil { // a page may be ready in the very moment the build is called off
		return err
	}
	b.note(r.list)
	if !r.shown() || r.failed {
		b.report.Failed++
	}
	if !r.shown() {
		return nil
	}
	if err := b.putMade(ctx, link.File(r.page.Path), r.html); err != nil || r.failed {
		return err
	}
	if err := b.partsOf(ctx, r); err != nil {
		return err
	}
	if err := b.putTwin(ctx, r.page.Path, r); err != nil {
		return err
	}
	if err := b.putCard(ctx, r); err != nil {
		return err
	}
	if err := b.putFeed(ctx, r); err != nil {
		return err
	}
	if err := b.keepTwin(&r); err != nil {
		return err
	}
	if err := b.keepMarks(&r); err != nil {
		return err
	}
	if err := b.indexed(ctx, r); err != nil {
		return err
	}
	b.report.Pages++
	if r.page.Description != "" {
		r.sum.lead = "" // nobody asks for it any more
	}
	b.entries = append(b.entries, r.sum)
	b.opt.Progress(Progress{Stage: StagePages, Done: b.report.Pages, Total: len(b.site.Pages)})
	return nil
}

// partsOf writes what a page needs beside the theme, unless an earlier one did.
func (b *builder) partsOf(ctx context.Context, r result) error {
	parts, err := b.parts(&r.extras)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if b.out.Has(part.Path) {
			continue
		}
		for _, f := range part.Files {
			if err := b.out.Put(ctx, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// note adds findings, each once: pages that share a snippet all find what is wrong with it. It stops at diagMax and says so.
func (b *builder) note(list diag.List) {
	for _, d := range list {
		if b.told[d] {
			continue
		}
		switch n := len(b.report.Diagnostics); {
		case n < diagMax || d.Severity == diag.Error && n < 2*diagMax:
			b.told[d] = true
			b.report.Diagnostics = append(b.report.Diagnostics, d)
		case !b.capped:
			b.capped = true
			b.report.Diagnostics.Warnf(diag.Pos{}, "too-many-findings", "There are more than %d findings; the rest is not listed.", diagMax)
		}
	}
}

func (b *builder) theme(ctx context.Context) error {
	notices, err := b.tools.notices()
	if err != nil {
		return err
	}
	for _, f := range append(b.bundle.Files, notices) {
		if err := b.out.Put(ctx, f); err != nil {
			return err
		}
	}
	return b.widget(ctx)
}

// index writes index.html when no page of that name did: the home page, seen from the root, with its own canonical address.
func (b *builder) index(ctx context.Context) error {
	if b.out.Has("index.html") || len(b.entries) == 0 {
		return nil
	}
	p := b.home
	if !b.out.Has(link.File(p.Path)) { // it failed
		p = b.entries[0].page
	}
	r := b.bounded(ctx, p, "index")
	if !r.shown() {
		b.note(r.list) // a site without its first page must not pass for whole
		return ctx.Err()
	}
	if err := b.putMade(ctx, "index.html", r.html); err != nil || r.failed || !b.out.Free(link.Twin("index")) {
		return err
	}
	return b.putTwin(ctx, "index", r)
}

// putTwin writes a page's Markdown form beside the page at path.
func (b *builder) putTwin(ctx context.Context, path string, r result) error {
	return b.putMade(ctx, link.Twin(path), r.twin)
}

func (b *builder) finish(ctx context.Context) error {
	if err := b.anchors(); err != nil {
		return err
	}
	b.report.Diagnostics.Sort()
	sum, err := b.out.TreeHash()
	if err != nil {
		return err
	}
	b.report.TreeHash, b.report.Written = sum, b.written()
	if b.opt.Manifest {
		labels := output.Labels{Tool: b.opt.Tool, Version: b.opt.Version, Commit: b.opt.Commit, Pages: b.report.Pages, Features: b.opt.Offers.Names(), Signer: b.opt.Signer}
		if err := b.out.WriteManifest(ctx, labels); err != nil {
			return err
		}
	}
	b.report.Files, b.report.Bytes = b.out.Files(), b.out.Bytes()
	b.opt.Progress(Progress{Stage: StageDone, Done: b.report.Pages, Total: len(b.site.Pages)})
	return nil
}

// written lists the pages that show what they should. One whose part of an API description is missing does not.
func (b *builder) written() []Written {
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
