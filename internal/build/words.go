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
)

// words is what the search index takes from a page, or what it can be computed from. It refers to nothing of the build
// that made it, because a preview keeps it for later builds.
type words struct {
	indexed bool                  // the page is in the index
	key     [sha256.Size]byte     // cache key; zero = not cacheable
	ready   *searchindex.Prepared // nil = computed when needed
	content *content              // source of the words; nil = the cache, or the page's source
	id      [sha256.Size]byte     // of the content
}

// wordsOf extracts a page's words for the index. Content from the cache is parsed only when needed.
func (b *builder) wordsOf(p *site.Page, c *content) words {
	if !b.searchable(p) {
		return words{}
	}
	out := words{indexed: true, key: b.wordsKey(p, c.id, c.lead), id: c.id}
	if c.fresh {
		out.ready = b.prepareWords(p, c)
	} else {
		out.content = c
	}
	return out
}

// wordsByID returns the words of a page whose content was not loaded.
func (b *builder) wordsByID(p *site.Page, id [sha256.Size]byte, lead string) words {
	if !b.searchable(p) {
		return words{}
	}
	return words{indexed: true, key: b.wordsKey(p, id, lead), id: id}
}

func (b *builder) wordsKey(p *site.Page, content [sha256.Size]byte, lead string) (key [sha256.Size]byte) {
	if b.opt.Cache == nil || content == key {
		return key
	}
	return fingerprint.Of("words", b.keys.program, content, b.indexEntry(p, lead))
}

// errPageChanged comes with words that do not match their key: the page's source, or a file it includes, changed during
// the build.
var errPageChanged = errors.New("page changed during the build")

// readWords returns a page's words: from its content, else from the cache or from its source.
func (b *builder) readWords(ctx context.Context, p *site.Page, w words) (*searchindex.Prepared, error) {
	switch {
	case w.ready != nil:
		return w.ready, nil
	case w.content != nil:
		return b.prepareWords(p, w.content), nil
	}
	src, list := b.src.read(p)
	if list != nil {
		return nil, fmt.Errorf("read %s: file changed during the build", p.File)
	}
	c, ok := b.loadOrRenderContent(ctx, p, p.Path, src, b.sourceSum(p, src), b.addr.view(p.Path, p.Path))
	if !ok {
		return nil, fmt.Errorf("read %s: file changed during the build", p.File)
	}
	if c.id != w.id {
		return b.prepareWords(p, c), errPageChanged
	}
	return b.prepareWords(p, c), nil
}

// prepareWords counts the words of a page.
func (b *builder) prepareWords(p *site.Page, c *content) *searchindex.Prepared {
	out := b.indexEntry(p, c.lead)
	if out.Sections = pagetext.Sections(c.html); p.API == nil { // the side panel of an API page has generated samples
		out.Sections = pagetext.Sections(c.html, c.side)
	}
	return b.preparer.Prepare(out)
}

// indexEntry returns a page as the index stores it, without its text.
func (b *builder) indexEntry(p *site.Page, lead string) searchindex.Page {
	at := b.nav.facets(p)
	out := searchindex.Page{
		Path: p.Path, Title: p.Title, Description: p.Description, Lead: lead, Keywords: slices.Clip(p.Details().Keywords), Crumbs: b.nav.trail(p.Path).crumbs(), Tags: at.tags,
		Language: at.language, Version: at.version, Boost: p.Boost, Deprecated: p.Deprecated,
		Unlisted: !p.Listed && len(b.src.site.Nav) > 0, Reference: p.API != nil,
	}
	if p.SidebarTitle != "" && p.SidebarTitle != p.Title {
		out.Keywords = append(out.Keywords, p.SidebarTitle)
	}
	if p.API != nil {
		out.Keywords = append(out.Keywords, strings.TrimSpace(p.API.Method+" "+p.API.Path))
	}
	return out
}
