package build

import (
	"cmp"
	"context"
	"path"
	"slices"
	"sync"

	"github.com/lectern-docs/lectern/internal/site"
)

// listMaker builds the lists of pages for machines: llms.txt (llms.go) and llms-full.txt (full.go). It reads what
// pageWriter collected, and changes nothing.
type listMaker struct {
	src     *source
	nav     *navigation
	addr    *addresses
	docs    *documents
	twins   *twinSpool
	workers int
}

// pageOrder holds the listed pages by variant, in the order of the lists.
type pageOrder map[variant][]*entry

// newPageOrder sorts the pages that may be listed: in the order of the navigation, followed by the rest.
func newPageOrder(nav *navigation, pages entries) pageOrder {
	out, done := pageOrder{}, make([]bool, len(pages))
	take := func(path string) {
		i, ok := pages.index(path)
		if !ok || done[i] || !nav.listed(pages[i].page) {
			return
		}
		done[i] = true
		v := nav.variant(nav.trail(path))
		out[v] = append(out[v], &pages[i])
	}
	site.Walk(nav.site.Nav, func(n *site.Node) bool {
		if n.Page != "" {
			take(n.Page)
		}
		return true
	})
	for i := range pages {
		take(pages[i].page.Path)
	}
	return out
}

// variants returns the variants with lists, sorted: the default one, even if it has no page, and the variants from
// whose names a folder name can be derived.
func (o pageOrder) variants() []variant {
	out := []variant{{}}
	for v := range o {
		if v.folder() != "" && v != (variant{}) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(x, y variant) int {
		return cmp.Or(cmp.Compare(x.language, y.language), cmp.Compare(x.version, y.version))
	})
	return out
}

// listRun builds the lists of each variant in the background, one at a time because each may be large.
type listRun struct {
	results chan lists // in the order of the variants; closed at the end
	order   pageOrder  // valid once results is closed
	quit    chan struct{}
	once    sync.Once // closes quit
	ended   sync.WaitGroup
}

// lists holds the files about the pages of a variant.
type lists struct {
	folder string
	index  []byte  // llms.txt
	full   payload // llms-full.txt
	err    error
}

// start starts building the lists of the written pages in the background, because that takes as long as the next
// stages. The caller must call stop. If there are no Markdown forms, it builds no lists.
func (m *listMaker) start(pages entries) (*listRun, error) {
	run := &listRun{results: make(chan lists), quit: make(chan struct{})}
	if m.twins == nil {
		close(run.results)
		return run, nil
	}
	if err := m.twins.flush(); err != nil {
		return nil, err
	}
	run.ended.Go(func() {
		defer close(run.results)
		run.order = newPageOrder(m.nav, pages)
		for _, v := range run.order.variants() {
			select {
			case run.results <- m.listsOf(v, run.order[v]):
			case <-run.quit:
				return
			}
		}
	})
	return run, nil
}

func (m *listMaker) listsOf(v variant, pages []*entry) (out lists) {
	out.folder = v.folder()
	out.index = m.index(v, pages, path.Join(out.folder, "llms-full.txt")).Render()
	out.full, out.err = m.joinPages(v, pages, path.Join(out.folder, "llms.txt"))
	return out
}

// stop ends the goroutine. It may be called twice.
func (r *listRun) stop() {
	r.once.Do(func() { close(r.quit) })
	r.ended.Wait()
}

// write writes llms.txt and llms-full.txt of the default language and version, and of each other variant in its own
// folder. It returns the order of their pages.
func (r *listRun) write(ctx context.Context, w *siteWriter) (pageOrder, error) {
	for l := range r.results {
		if err := w.putUnlessAuthored(ctx, path.Join(l.folder, "llms.txt"), l.index); err != nil {
			return nil, err
		}
		if l.folder == "" {
			if err := w.putUnlessAuthored(ctx, ".well-known/llms.txt", l.index); err != nil {
				return nil, err
			}
		}
		if l.err != nil {
			return nil, l.err
		}
		full := path.Join(l.folder, "llms-full.txt")
		if !w.available(full) {
			continue
		}
		if err := w.putPayload(ctx, full, l.full); err != nil {
			return nil, err
		}
	}
	return r.order, nil
}
