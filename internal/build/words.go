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
	"github.com/lectern-docs/lectern/internal/site/load"
)

// words are what the search index takes of a page, or what they can be made from. They hold nothing of the build that made them: a preview
// keeps them for later ones.
type words struct {
	indexed bool                  // the page is in the index
	key     [sha256.Size]byte     // names them; zero = nobody remembers them
	ready   *searchindex.Prepared // nil = they are read when they are needed
	content *content              // what they are read from; nil = from the cache, or from the page's source
	id      [sha256.Size]byte     // of the content
}

// wordsOf reads a page for the index. What an earlier build said is read only if it is needed.
func (b *builder) wordsOf(p *site.Page, c *content) words {
	if !b.searchable(p) {
		return words{}
	}
	out := words{indexed: true, key: b.wordsKey(p, c.id, c.lead), id: c.id}
	if c.fresh {
		out.ready = b.prepared(p, c)
	} else {
		out.content = c
	}
	return out
}

// knownWords are those of a page whose content was not read.
func (b *builder) knownWords(p *site.Page, id [sha256.Size]byte, lead string) words {
	if !b.searchable(p) {
		return words{}
	}
	return words{indexed: true, key: b.wordsKey(p, id, lead), id: id}
}

func (b *builder) wordsKey(p *site.Page, content [sha256.Size]byte, lead string) (key [sha256.Size]byte) {
	if b.opt.Cache == nil || content == key {
		return key
	}
	return fingerprint.Of("words", b.keys.program, content, b.entryOfIndex(p, lead))
}

// errMoved comes with words that are not those of the key: the page's source, or what it includes, changed during the build.
var errMoved = errors.New("the page changed while the site was built")

// readWords makes a page's words: from its content, else from what is remembered of it, or from its source.
func (b *builder) readWords(ctx context.Context, p *site.Page, w words) (*searchindex.Prepared, error) {
	switch {
	case w.ready != nil:
		return w.ready, nil
	case w.content != nil:
		return b.prepared(p, w.content), nil
	}
	src, list := load.ReadSource(unwatched(b.src), p)
	if list != nil {
		return nil, fmt.Errorf("read %s: it changed while the site was built", p.File)
	}
	c, ok := b.content(ctx, p, p.Path, src, b.sourceSum(p, src), b.view(p.Path, p.Path))
	if !ok {
		return nil, fmt.Errorf("read %s: it changed while the site was built", p.File)
	}
	if c.id != w.id {
		return b.prepared(p, c), errMoved
	}
	return b.prepared(p, c), nil
}

// prepared counts the words of a page.
func (b *builder) prepared(p *site.Page, c *content) *searchindex.Prepared {
	out := b.entryOfIndex(p, c.lead)
	if out.Sections = pagetext.Sections(c.html); p.API == nil { // else the panel beside it has samples that were made up
		out.Sections = pagetext.Sections(c.html, c.side)
	}
	return b.reader.Prepare(out)
}

// entryOfIndex is a page as the index has it, but for its text.
func (b *builder) entryOfIndex(p *site.Page, lead string) searchindex.Page {
	at := b.trails.of(p.Path).spot()
	if several := b.spots[p.Path]; several != nil {
		at = *several
	}
	out := searchindex.Page{
		Path: p.Path, Title: p.Title, Description: p.Description, Lead: lead, Keywords: slices.Clip(p.Details().Keywords), Crumbs: b.trails.of(p.Path).crumbs(), Tags: at.tags,
		Language: at.language, Version: at.version, Boost: p.Boost, Deprecated: p.Deprecated,
		Unlisted: !p.Listed && len(b.site.Nav) > 0, Reference: p.API != nil,
	}
	if p.SidebarTitle != "" && p.SidebarTitle != p.Title {
		out.Keywords = append(out.Keywords, p.SidebarTitle)
	}
	if p.API != nil {
		out.Keywords = append(out.Keywords, strings.TrimSpace(p.API.Method+" "+p.API.Path))
	}
	return out
}
