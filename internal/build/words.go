package build

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// words holds the data of a page for the search index, or what this data can be computed from. It does not refer to
// data of the build that created it, because a preview keeps it for later builds.
type words struct {
	indexed bool                  // the page is in the index
	key     [sha256.Size]byte     // cache key; zero = not cacheable
	ready   *searchindex.Prepared // nil = computed when needed
	content *content              // source of the words; nil = the cache, or the page's source
	id      [sha256.Size]byte     // of the content
}

// wordCounter prepares pages for the search index. It is created before the first page is rendered and does not
// change afterwards.
type wordCounter struct {
	on       bool // the site has an index
	cached   bool // words have keys, because indexed pages are cached
	program  [sha256.Size]byte
	nav      *navigation
	preparer *searchindex.Preparer
	synonyms [][]string // of the site; they affect the words of pages
}

func newWordCounter(opt Options, nav *navigation) *wordCounter {
	return &wordCounter{
		on: hasIndex(opt.Offers), cached: opt.Cache != nil, program: opt.Program, nav: nav,
		preparer: &searchindex.Preparer{Synonyms: nav.site.Synonyms}, synonyms: nav.site.Synonyms,
	}
}

// searchable reports whether readers may find a page. Pages that are hidden, or that the author excluded with
// searchable or noindex, are not in the index. Pages that are hidden only from search engines are in it.
func (w *wordCounter) searchable(p *site.Page) bool {
	return w.on && !p.Unsearchable && p.Details().External == "" && w.nav.discoverable(p)
}

// of extracts a page's words for the index. Content from the cache is parsed only when needed.
func (w *wordCounter) of(p *site.Page, c *content) words {
	if !w.searchable(p) {
		return words{}
	}
	out := words{indexed: true, key: w.key(p, c.id, c.lead), id: c.id}
	switch {
	case c.fresh:
		out.ready = w.count(p, c)
	default:
		out.content = c
	}
	return out
}

func (w *wordCounter) key(p *site.Page, content [sha256.Size]byte, lead string) (key [sha256.Size]byte) {
	if !w.cached || content == key {
		return key
	}
	return fingerprint.Of("words", w.program, w.synonyms, content, w.entry(p, lead))
}

// count counts the words of a page.
func (w *wordCounter) count(p *site.Page, c *content) *searchindex.Prepared {
	out := w.entry(p, c.lead)
	if out.Sections = pagetext.Sections(c.html); p.API == nil { // the side panel of an API page has generated samples
		out.Sections = pagetext.Sections(c.html, c.side)
	}
	return w.preparer.Prepare(out)
}

// entry returns a page as the index stores it, without its text.
func (w *wordCounter) entry(p *site.Page, lead string) searchindex.Page {
	at := w.nav.facets(p)
	out := searchindex.Page{
		Path: p.Path, Title: p.Title, Description: p.Description, Lead: lead,
		Keywords: slices.Clip(p.Details().Keywords), Crumbs: w.nav.trail(p.Path).crumbs(), Tags: at.tags,
		Language: at.language, Version: at.version, Boost: p.Boost, Deprecated: p.Deprecated,
		Unlisted: !p.Listed && len(w.nav.site.Nav) > 0, Reference: p.API != nil,
	}
	if p.SidebarTitle != p.Title {
		out.Sidebar = p.SidebarTitle
	}
	if p.API != nil {
		out.Keywords = append(out.Keywords, strings.TrimSpace(p.API.Method+" "+p.API.Path))
	}
	return out
}

// errPageChanged is returned with words that do not match their key, because the page's source or a file it
// includes changed during the build.
var errPageChanged = errors.New("page changed during the build")

// readContent returns the content of a page whose result came from the cache.
func (r *pageRenderer) readContent(ctx context.Context, p *site.Page) (*content, error) {
	text, list := r.src.read(p)
	if list != nil {
		return nil, fmt.Errorf("read %s: file changed during the build", p.File)
	}
	c, ok := r.loadOrRenderContent(ctx, p, p.Path, text, r.cache.sourceSum(p, text))
	if !ok {
		return nil, fmt.Errorf("read %s: file changed during the build", p.File)
	}
	return c, nil
}

// readTwin returns the Markdown form of a page whose result was loaded from the cache without it. The error is
// errPageChanged if the form has a different digest.
func (r *pageRenderer) readTwin(ctx context.Context, p *site.Page, sum [sha256.Size]byte) ([]byte, error) {
	form, ok := r.cache.docs.load(sum)
	if !ok {
		c, err := r.readContent(ctx, p)
		if err != nil {
			return nil, err
		}
		form = c.twin
	}
	text, err := output.File{Data: form.data, Packed: form.packed}.Bytes()
	if err == nil && form.packed.SHA256 != sum {
		err = errPageChanged
	}
	return text, err
}

// readWords returns a page's words: from its content, otherwise from the cache or from its source.
func (r *pageRenderer) readWords(ctx context.Context, p *site.Page, w words) (*searchindex.Prepared, error) {
	switch {
	case w.ready != nil:
		return w.ready, nil
	case w.content != nil:
		return r.words.count(p, w.content), nil
	}
	c, err := r.readContent(ctx, p)
	if err != nil {
		return nil, err
	}
	if c.id != w.id {
		return r.words.count(p, c), errPageChanged
	}
	return r.words.count(p, c), nil
}
