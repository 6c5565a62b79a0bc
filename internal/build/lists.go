package build

import (
	"cmp"
	"context"
	"path"
	"slices"
	"sync"
)

// joiner makes the lists of each variant while the build does something else, one after the other: each may be large.
type joiner struct {
	made  chan lists // in the order of the variants
	quit  chan struct{}
	ended sync.WaitGroup
}

// lists are the files about the pages of a variant.
type lists struct {
	folder string
	index  []byte  // llms.txt
	full   payload // llms-full.txt
	err    error
}

// startLists begins to make the lists of pages: that takes as long as what the build does next. Until all are taken, b.order is theirs.
func (b *builder) startLists(context.Context) error {
	if b.spool == nil {
		return nil
	}
	if err := b.spool.Flush(); err != nil {
		return err
	}
	j := &joiner{made: make(chan lists), quit: make(chan struct{})}
	b.joiner = j
	j.ended.Go(func() {
		defer close(j.made)
		b.order = b.inOrder()
		for _, v := range b.listVariants() {
			select {
			case j.made <- b.listsOf(v):
			case <-j.quit:
				return
			}
		}
	})
	return nil
}

// listVariants are the variants that have lists, ordered: the default one, also without a page, and those whose names make a folder.
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
	out.index = b.llms(v, b.order[v], path.Join(out.folder, "llms-full.txt")).Render()
	out.full, out.err = b.join(v, b.order[v], path.Join(out.folder, "llms.txt"))
	return out
}

// stop ends the joining. A nil joiner has nothing to end.
func (j *joiner) stop() {
	if j != nil {
		close(j.quit)
		j.ended.Wait()
	}
}

// lists writes llms.txt and llms-full.txt of the default language and version, and of each other one in a folder of its own.
func (b *builder) lists(ctx context.Context) error {
	for l := range b.joiner.made {
		if err := b.offer(ctx, path.Join(l.folder, "llms.txt"), l.index); err != nil {
			return err
		}
		if l.folder == "" {
			if err := b.offer(ctx, ".well-known/llms.txt", l.index); err != nil {
				return err
			}
		}
		full := path.Join(l.folder, "llms-full.txt")
		if l.err != nil {
			return l.err
		}
		if b.own(full) || !b.out.Free(full) {
			continue
		}
		if err := b.putMade(ctx, full, l.full); err != nil {
			return err
		}
	}
	return nil
}
