package build

import (
	"cmp"
	"context"
	"path"
	"slices"
	"sync"
)

// listMaker builds the lists of each variant in the background, one at a time because each may be large.
type listMaker struct {
	results chan lists // in the order of the variants
	quit    chan struct{}
	ended   sync.WaitGroup
}

// lists holds the files about the pages of a variant.
type lists struct {
	folder string
	index  []byte  // llms.txt
	full   payload // llms-full.txt
	err    error
}

// startLists starts to build the lists of pages in the background, because that takes as long as the next stages. The
// goroutine owns b.order until all lists are received.
func (b *builder) startLists(context.Context) error {
	if b.twinSpool == nil {
		return nil
	}
	if err := b.twinSpool.Flush(); err != nil {
		return err
	}
	j := &listMaker{results: make(chan lists), quit: make(chan struct{})}
	b.listMaker = j
	j.ended.Go(func() {
		defer close(j.results)
		b.order = b.listedPages()
		for _, v := range b.listVariants() {
			select {
			case j.results <- b.listsOf(v):
			case <-j.quit:
				return
			}
		}
	})
	return nil
}

// listVariants returns the variants that have lists, sorted: the default one, even without a page, and those whose
// names make a folder.
func (b *builder) listVariants() []variant {
	out := []variant{{}}
	for v := range b.order {
		if v.folder() != "" && v != (variant{}) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(x, y variant) int {
		return cmp.Or(cmp.Compare(x.language, y.language), cmp.Compare(x.version, y.version))
	})
	return out
}

func (b *builder) listsOf(v variant) (out lists) {
	out.folder = v.folder()
	out.index = b.llmsIndex(v, b.order[v], path.Join(out.folder, "llms-full.txt")).Render()
	out.full, out.err = b.joinPages(v, b.order[v], path.Join(out.folder, "llms.txt"))
	return out
}

// stop ends the goroutine. It may be called on nil.
func (j *listMaker) stop() {
	if j != nil {
		close(j.quit)
		j.ended.Wait()
	}
}

// writeLists writes llms.txt and llms-full.txt of the default language and version, and of each other variant in its
// own folder.
func (b *builder) writeLists(ctx context.Context) error {
	for l := range b.listMaker.results {
		if err := b.w.putUnlessAuthored(ctx, path.Join(l.folder, "llms.txt"), l.index); err != nil {
			return err
		}
		if l.folder == "" {
			if err := b.w.putUnlessAuthored(ctx, ".well-known/llms.txt", l.index); err != nil {
				return err
			}
		}
		full := path.Join(l.folder, "llms-full.txt")
		if l.err != nil {
			return l.err
		}
		if !b.w.available(full) {
			continue
		}
		if err := b.w.putPayload(ctx, full, l.full); err != nil {
			return err
		}
	}
	return nil
}
