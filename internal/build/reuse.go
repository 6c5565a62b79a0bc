package build

import (
	"crypto/sha256"
	"path"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/site"
)

// keys name what is remembered of pages. A key holds everything that the value depends on but for what its needs list.
type keys struct {
	program [sha256.Size]byte
	content [sha256.Size]byte // of the settings that content depends on
	frame   [sha256.Size]byte // of the whole site and its settings
	card    [sha256.Size]byte // of what all cards share
}

// digestSite digests the whole site, which must be loaded, in a goroutine. Without a cache nobody asks.
func (b *builder) digestSite() <-chan [sha256.Size]byte {
	out := make(chan [sha256.Size]byte, 1)
	if b.opt.Cache == nil {
		close(out)
		return out
	}
	model := *b.site
	model.Assets = slices.Clone(model.Assets)
	for i := range model.Assets {
		model.Assets[i].Size = 0 // of a file no page shows more than its address, and what its needs list
	}
	go func() { out <- fingerprint.Of("site", &model) }()
	return out
}

// prepareKeys makes the keys; the frame must be known.
func (b *builder) prepareKeys(site [sha256.Size]byte) {
	if b.opt.Cache == nil {
		return
	}
	s, o := b.site, b.opt
	b.keys.program = o.Program
	b.keys.content = fingerprint.Of(
		"content", o.Program, s.Variables, s.IconLibrary, s.Styling.NoMath, s.API, s.FullSchema, s.AgentNote,
		o.BaseURL, int(o.Links), o.Scripts.Off, o.Offers.Playground,
	)
	b.keys.frame = fingerprint.Of(
		"frame", b.keys.content, site, b.home.Path, o.Offers, o.MCP, o.ErrorPages, b.cards != nil, b.keys.card, b.assetNames,
	)
}

// describedFor is the digest of what API pages are made from; zero for others.
func (b *builder) describedFor(p *site.Page) (sum [sha256.Size]byte) {
	if p.API != nil {
		sum = b.described
	}
	return sum
}

// cacheable tells whether a page may be remembered. What an API page is made from is known only when descriptions were read for this build.
func (b *builder) cacheable(p *site.Page) bool {
	return b.opt.Cache != nil && (p.API == nil || b.described != [sha256.Size]byte{})
}

// contentKey names what a page says, at the place where it stands.
func (b *builder) contentKey(p *site.Page, out string, source [sha256.Size]byte) [sha256.Size]byte {
	feed := ""
	if p.Feed {
		feed = b.site.Name + "\n" + b.trails.of(p.Path).language()
	}
	return fingerprint.Of("say", b.keys.content, p, out, source, b.describedFor(p), b.twinIndex(p), b.canonical(p), feed, b.announced(p))
}

// pageKey names a finished page.
func (b *builder) pageKey(p *site.Page, out string, source [sha256.Size]byte, modified time.Time) [sha256.Size]byte {
	when := int64(0)
	if !modified.IsZero() {
		when = modified.UnixNano()
	}
	return fingerprint.Of("page", b.keys.frame, p.Path, out, source, b.describedFor(p), when)
}

// twinIndex is the list of pages that a page's Markdown form names; "" for pages that no list has.
func (b *builder) twinIndex(p *site.Page) string {
	if !b.listed(p) {
		return ""
	}
	return path.Join(b.variant(b.trails.of(p.Path)).folder(), "llms.txt")
}

// keepContent remembers what a page says.
func (b *builder) keepContent(key [sha256.Size]byte, c *content) {
	data := c.encode()
	c.id = sha256.Sum256(data)
	b.opt.Cache.Put(key, tighten(data))
}

// findContent is what a page says, as an earlier build had it.
func (b *builder) findContent(key [sha256.Size]byte, v *view) (*content, bool) {
	data, ok := b.opt.Cache.Get(key)
	if !ok {
		return nil, false
	}
	plain, ok := loosen(data)
	if !ok {
		return nil, false
	}
	return b.decodeContent(plain, v)
}
