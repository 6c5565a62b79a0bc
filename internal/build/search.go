package build

import (
	"context"
	"fmt"
	"path"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// openSearch opens the index. Its shards are written between the pages, as they fill.
func (b *builder) openSearch(ctx context.Context) error {
	if !hasIndex(b.opt.Offers) {
		return nil
	}
	emit := func(f searchindex.File) error {
		if b.finisher != nil {
			return b.finisher.emit(f)
		}
		return b.putIndexFile(ctx, f)
	}
	index := searchindex.NewBuilder(emit, searchindex.Options{Scratch: b.opt.Scratch, Pack: b.docs.packing})
	b.search = &segments{index: index, cache: b.opt.Cache, maxPending: sealAhead, pack: b.docs.packing}
	return nil
}

func (b *builder) putIndexFile(ctx context.Context, f searchindex.File) error {
	name := path.Join(searchindex.Folder, f.Name)
	return b.w.Put(ctx, output.File{
		Path: name, ContentType: output.ContentType(name), Data: f.Data, Packed: f.Packed, Immutable: f.Name != searchindex.EntryName,
	})
}

// indexFinisher writes the rest of an index in the background.
type indexFinisher struct {
	files chan searchindex.File // closed at the end
	quit  chan struct{}
	err   error // valid once files is closed
}

// finisherFiles is how many files may be queued; each has about ten kilobytes.
const finisherFiles = 256

func (c *indexFinisher) emit(f searchindex.File) error {
	select {
	case c.files <- f:
		return nil
	case <-c.quit:
		return errAborted
	}
}

// startIndexFinish starts to build the rest of the index. From here on a goroutine owns the index.
func (b *builder) startIndexFinish(context.Context) error {
	if b.search == nil {
		return nil
	}
	c, search := &indexFinisher{files: make(chan searchindex.File, finisherFiles), quit: make(chan struct{})}, b.search
	b.finisher = c
	go func() {
		defer close(c.files)
		c.err = search.end()
	}()
	return nil
}

// writeIndexRest writes the files that the goroutine of startIndexFinish produces.
func (b *builder) writeIndexRest(ctx context.Context) error {
	if b.finisher == nil {
		return nil
	}
	for f := range b.finisher.files {
		if err := b.putIndexFile(ctx, f); err != nil {
			return err
		}
	}
	if b.finisher.err != nil {
		return fmt.Errorf("close search index: %w", b.finisher.err)
	}
	b.search, b.finisher = nil, nil
	return nil
}

// indexPage adds a page to the search index.
func (b *builder) indexPage(ctx context.Context, r result) error {
	if b.search == nil || !r.words.indexed {
		return nil
	}
	p, w := r.page, r.words // do not keep the document in memory
	return b.search.add(p.Path, w.key, func() (*searchindex.Prepared, error) { return b.pages.readWords(ctx, p, w) })
}

// abortSearch discards an index that was not finished.
func (b *builder) abortSearch() {
	if b.finisher != nil {
		close(b.finisher.quit)
		for range b.finisher.files { // wait for the goroutine to end
		}
		b.finisher = nil
	}
	b.search.abort()
	b.search = nil
}
