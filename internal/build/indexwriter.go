package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// indexWriter writes the search index: its shards between the pages, as they become full, and the rest after the last
// page. If the site has no index, the indexWriter is nil and writes nothing.
type indexWriter struct {
	w        *siteWriter
	segments *segments
	rest     *indexFinisher // nil before finish
}

// openIndexWriter opens an index. The caller must call abort at the end, even if the index is complete.
func openIndexWriter(
	ctx context.Context, w *siteWriter, docs *documents, nav *navigation, scratch string,
) *indexWriter {
	x := &indexWriter{w: w}
	emit := func(f searchindex.File) error {
		if x.rest != nil {
			return x.rest.emit(f)
		}
		return x.put(ctx, f)
	}
	opt := searchindex.Options{Scratch: scratch, Home: nav.home, Synonyms: nav.site.Synonyms}
	if docs.holds != nil {
		opt.Holds = func(name string, sum [sha256.Size]byte) bool {
			return docs.holds(path.Join(searchindex.Folder, name), sum)
		}
		opt.Cache, opt.Program = docs.cache, docs.program
	}
	if docs.packing { // then cache compressed files: an edit changes only some of the files with terms
		opt.Pack = func(data []byte) *output.Packed { return docs.pack(data).packed }
	}
	index := searchindex.NewBuilder(emit, opt)
	x.segments = &segments{index: index, cache: docs.cache, maxPending: sealAhead, pack: docs.packing}
	return x
}

func (x *indexWriter) put(ctx context.Context, f searchindex.File) error {
	name := path.Join(searchindex.Folder, f.Name)
	return x.w.Put(ctx, output.File{
		Path: name, ContentType: output.ContentType(name), Data: f.Data, Packed: f.Packed, Held: f.Held,
		Immutable: f.Name != searchindex.EntryName,
	})
}

// add adds a page to the index. If the page's words are not ready, pages reads them later.
func (x *indexWriter) add(ctx context.Context, pages *pageRenderer, p *site.Page, w words) error {
	if x == nil || !w.indexed {
		return nil
	}
	return x.segments.add(p.Path, w.key, func() (*searchindex.Prepared, error) { return pages.readWords(ctx, p, w) })
}

// indexFinisher passes the remaining files of an index from the goroutine that builds them to the one that writes them.
type indexFinisher struct {
	files chan searchindex.File // closed at the end
	quit  chan struct{}
	err   error // valid once files is closed
}

// finisherFiles is the maximum number of queued files; each has about ten kilobytes.
const finisherFiles = 256

func (c *indexFinisher) emit(f searchindex.File) error {
	select {
	case c.files <- f:
		return nil
	case <-c.quit:
		return errAborted
	}
}

// finish starts building the rest of the index, after the last page. From here on, a goroutine owns the segments.
func (x *indexWriter) finish() {
	if x == nil {
		return
	}
	c := &indexFinisher{files: make(chan searchindex.File, finisherFiles), quit: make(chan struct{})}
	x.rest = c
	go func() {
		defer close(c.files)
		c.err = x.segments.end()
	}()
}

// writeRest writes the files from the goroutine of finish, and waits until it ends.
func (x *indexWriter) writeRest(ctx context.Context) error {
	if x == nil {
		return nil
	}
	for f := range x.rest.files {
		if err := x.put(ctx, f); err != nil {
			return err
		}
	}
	if x.rest.err != nil {
		return fmt.Errorf("close search index: %w", x.rest.err)
	}
	x.rest, x.segments = nil, nil
	return nil
}

// abort discards an index that was not finished.
func (x *indexWriter) abort() {
	if x == nil {
		return
	}
	if x.rest != nil {
		close(x.rest.quit)
		for range x.rest.files { // wait for the goroutine to end
		}
		x.rest = nil
	}
	x.segments.abort()
	x.segments = nil
}
