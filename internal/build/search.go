package build

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/web/theme"
)

// hasIndex tells whether the site has an index: readers search it, or the assistant does.
func (b *builder) hasIndex() bool { return b.opt.Offers.Search || b.opt.Offers.Assistant.On }

// searchScript is the engine; nil when nobody searches in the reader's browser.
func (b *builder) searchScript() ([]byte, error) {
	if o := b.opt.Offers; !o.Search && !o.Assistant.InBrowser {
		return nil, nil
	}
	return b.tools.front.script(theme.Search, nil)
}

// openSearch makes room for the index. Its shards are written between the pages, as they fill.
func (b *builder) openSearch(ctx context.Context) error {
	if !b.hasIndex() {
		return nil
	}
	emit := func(f searchindex.File) error {
		if b.closing != nil {
			return b.closing.emit(f)
		}
		return b.putIndex(ctx, f)
	}
	index := searchindex.NewBuilder(emit, searchindex.Options{Scratch: b.opt.Scratch, Pack: b.packing})
	b.search = &segments{index: index, cache: b.opt.Cache, most: sealAhead, pack: b.packing}
	return nil
}

func (b *builder) putIndex(ctx context.Context, f searchindex.File) error {
	name := path.Join(searchindex.Folder, f.Name)
	return b.out.Put(ctx, output.File{
		Path: name, ContentType: output.ContentType(name), Data: f.Data, Packed: f.Packed, Immutable: f.Name != searchindex.EntryName,
	})
}

// closing makes what is left of an index while the build does something else.
type closing struct {
	files chan searchindex.File // closed at the end
	quit  chan struct{}
	err   error // to be read when files is closed
}

// closingFiles is how many files may wait; each has some ten kilobytes.
const closingFiles = 256

func (c *closing) emit(f searchindex.File) error {
	select {
	case c.files <- f:
		return nil
	case <-c.quit:
		return errOver
	}
}

// endSearch begins to make what is left of the index. From here on it belongs to a goroutine.
func (b *builder) endSearch(context.Context) error {
	if b.search == nil {
		return nil
	}
	c, search := &closing{files: make(chan searchindex.File, closingFiles), quit: make(chan struct{})}, b.search
	b.closing = c
	go func() {
		defer close(c.files)
		c.err = search.end()
	}()
	return nil
}

// closeSearch writes what endSearch has made.
func (b *builder) closeSearch(ctx context.Context) error {
	if b.closing == nil {
		return nil
	}
	for f := range b.closing.files {
		if err := b.putIndex(ctx, f); err != nil {
			return err
		}
	}
	if b.closing.err != nil {
		return fmt.Errorf("close search index: %w", b.closing.err)
	}
	b.search, b.closing = nil, nil
	return nil
}

// indexed adds a page to the search index.
func (b *builder) indexed(ctx context.Context, r result) error {
	if b.search == nil || !r.words.indexed {
		return nil
	}
	p, w := r.page, r.words // not the document, which may go
	return b.search.add(p.Path, w.key, func() (*searchindex.Prepared, error) { return b.readWords(ctx, p, w) })
}

// searchable tells whether readers may find a page. What is hidden, or taken out by its author with searchable or noindex,
// is not there. Pages that only search engines must not list, by robots, are.
func (b *builder) searchable(p *site.Page) bool {
	return b.hasIndex() && !p.Unsearchable && !p.Hidden && p.Details().External == "" && !b.trails.of(p.Path).hidden()
}

// crumbs are the names of what stands around a page, outermost first, without languages: a reader sees one at a time.
func (t *trail) crumbs() (out []string) {
	for ; t != nil; t = t.up {
		if n := t.node; n.Title != "" && n.Kind != site.KindPage && n.Kind != site.KindLanguage {
			out = append(out, n.Title)
		}
	}
	slices.Reverse(out)
	return out
}

// spot is where a page stands among languages, versions and the parts that a question may be narrowed to.
type spot struct {
	language, version string // "" = in none, or in several
	tags              []string
}

// spots finds those of pages that navigation has more than one place for; the others' are where their trail leads.
func spots(nav []*site.Node, trails trails) map[string]*spot {
	out := map[string]*spot{}
	var walk func(nodes []*site.Node, at spot)
	walk = func(nodes []*site.Node, at spot) {
		for _, n := range nodes {
			here := at.in(n)
			if t := trails.of(n.Page); t != nil && t.node != n {
				if out[n.Page] == nil {
					first := t.spot()
					out[n.Page] = &first
				}
				out[n.Page].join(here)
			}
			walk(n.Children, here)
		}
	}
	walk(nav, spot{})
	return out
}

// spot is where a trail leads.
func (t *trail) spot() (s spot) {
	if t != nil {
		s = t.up.spot().in(t.node)
	}
	return s
}

// in is the spot of what stands below a node.
func (s spot) in(n *site.Node) spot {
	switch n.Kind {
	case site.KindLanguage:
		s.language = n.Title
	case site.KindVersion:
		s.version = n.Title
	case site.KindProduct, site.KindTab, site.KindDropdown, site.KindAnchor:
		if n.Title != "" {
			s.tags = append(slices.Clip(s.tags), n.Title)
		}
	}
	return s
}

// join adds another place of the same page.
func (s *spot) join(other spot) {
	if s.language != other.language {
		s.language = ""
	}
	if s.version != other.version {
		s.version = ""
	}
	for _, t := range other.tags {
		if !slices.Contains(s.tags, t) {
			s.tags = append(slices.Clip(s.tags), t)
		}
	}
}

// dropSearch gives up an index that was not closed.
func (b *builder) dropSearch() {
	if b.closing != nil {
		close(b.closing.quit)
		for range b.closing.files { // until it has ended
		}
		b.closing = nil
	}
	b.search.drop()
	b.search = nil
}
