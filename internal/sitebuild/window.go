package sitebuild

import (
	"context"
	"sync"

	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/outtree"
)

// diagMax bounds the findings of a whole site.
const diagMax = 5000

// ahead is how many pages per worker may be rendered or wait for their turn. It bounds memory: nothing else holds HTML.
const ahead = 4

// pages renders every page in parallel and writes them in page order.
func (b *builder) pages(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
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
			case <-ctx.Done():
				return
			}
			select {
			case queue <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for range b.opt.Workers {
		wg.Go(func() {
			for j := range queue {
				p := b.site.Pages[j.index]
				j.done <- b.one(p, p.Path)
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
	return ctx.Err()
}

// write puts one page's files and keeps its summary.
func (b *builder) write(ctx context.Context, r result) error {
	if err := ctx.Err(); err != nil { // a page may be ready in the very moment the build is called off
		return err
	}
	b.note(r.list)
	if r.html == nil {
		b.report.Failed++
		return nil
	}
	if err := b.put(ctx, link.File(r.page.Path), r.html); err != nil {
		return err
	}
	if err := b.put(ctx, link.Twin(r.page.Path), r.twin); err != nil {
		return err
	}
	b.report.Pages++
	b.entries = append(b.entries, r.sum)
	b.opt.Progress(Progress{Stage: StagePages, Done: b.report.Pages, Total: len(b.site.Pages)})
	return nil
}

// note adds findings up to diagMax; the first one beyond says so.
func (b *builder) note(list diag.List) {
	for _, d := range list {
		switch n := len(b.report.Diagnostics); {
		case n < diagMax || d.Severity == diag.Error && n < 2*diagMax:
			b.report.Diagnostics = append(b.report.Diagnostics, d)
		case !b.capped:
			b.capped = true
			b.report.Diagnostics.Warnf(diag.Pos{}, "too-many-findings", "There are more than %d findings; the rest is not listed.", diagMax)
		}
	}
}

func (b *builder) theme(ctx context.Context) error {
	for _, f := range b.bundle.Files {
		if err := b.out.Put(ctx, f); err != nil {
			return err
		}
	}
	return nil
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
	r := b.one(p, "index")
	if r.html == nil {
		return nil
	}
	return b.put(ctx, "index.html", r.html)
}

func (b *builder) finish(ctx context.Context) error {
	b.anchors()
	b.report.Diagnostics.Sort()
	b.report.TreeHash = b.out.TreeHash()
	if b.opt.Manifest {
		f, err := b.out.Manifest(outtree.Labels{Tool: b.opt.Tool, Version: b.opt.Version, Commit: b.opt.Commit})
		if err != nil {
			return err
		}
		if err := b.out.Put(ctx, f); err != nil {
			return err
		}
	}
	b.report.Files, b.report.Bytes = b.out.Files(), b.out.Bytes()
	b.opt.Progress(Progress{Stage: StageDone, Done: b.report.Pages, Total: len(b.site.Pages)})
	return nil
}
