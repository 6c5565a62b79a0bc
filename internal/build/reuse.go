package build

import (
	"crypto/sha256"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/site"
)

// keys hold the shared parts of cache keys. A key covers everything that the value depends on except its dependencies,
// which are listed in the value.
type keys struct {
	program [sha256.Size]byte
	content [sha256.Size]byte // of the settings that content depends on
	frame   [sha256.Size]byte // of the whole site and its settings
}

// digestSite hashes the loaded site in a goroutine. Without a cache it hashes nothing.
func (b *builder) digestSite() <-chan [sha256.Size]byte {
	out := make(chan [sha256.Size]byte, 1)
	if b.opt.Cache == nil {
		close(out)
		return out
	}
	model := *b.src.site
	model.Assets = slices.Clone(model.Assets)
	for i := range model.Assets {
		model.Assets[i].Size = 0 // pages depend on a file's address only, and on what their dependencies list
	}
	go func() { out <- fingerprint.Of("site", &model) }()
	return out
}

// prepareKeys sets the keys. The layout must be prepared.
func (b *builder) prepareKeys(site [sha256.Size]byte) {
	if b.opt.Cache == nil {
		return
	}
	s, o := b.src.site, b.opt
	b.keys.program = o.Program
	b.keys.content = fingerprint.Of(
		"content", o.Program, s.Variables, s.IconLibrary, s.Styling.NoMath, s.API, s.FullSchema, s.AgentNote,
		o.BaseURL, int(o.Links), o.Scripts.Off, o.Offers.Playground,
	)
	b.keys.frame = fingerprint.Of(
		"frame", b.keys.content, site, b.addr.home.Path, o.Offers, o.MCP, o.ErrorPages, b.cards != nil, b.cards.sharedKey(), b.theme.names,
	)
}

// cacheable reports whether a page may be cached. For API pages that requires that this build read the descriptions.
func (b *builder) cacheable(p *site.Page) bool {
	return b.opt.Cache != nil && (p.API == nil || b.src.specsDigest != [sha256.Size]byte{})
}

// contentKey returns the cache key of a page's content at an output path.
func (b *builder) contentKey(p *site.Page, out string, source [sha256.Size]byte) [sha256.Size]byte {
	feed := ""
	if p.Feed {
		feed = b.src.site.Name + "\n" + b.nav.trail(p.Path).language()
	}
	return fingerprint.Of("say", b.keys.content, p, out, source, b.src.specsDigestFor(p), b.nav.listFile(p), b.addr.canonical(p), feed, b.nav.discoverable(p))
}

// pageKey returns the cache key of a finished page.
func (b *builder) pageKey(p *site.Page, out string, source [sha256.Size]byte, modified time.Time) [sha256.Size]byte {
	when := int64(0)
	if !modified.IsZero() {
		when = modified.UnixNano()
	}
	return fingerprint.Of("page", b.keys.frame, p.Path, out, source, b.src.specsDigestFor(p), when)
}

// storeContent stores the content of a page in the cache.
func (b *builder) storeContent(key [sha256.Size]byte, c *content) {
	data := c.encode()
	c.id = sha256.Sum256(data)
	b.opt.Cache.Put(key, compress(data))
}

// loadContent returns the content of a page from the cache.
func (b *builder) loadContent(key [sha256.Size]byte, v *view) (*content, bool) {
	data, ok := b.opt.Cache.Get(key)
	if !ok {
		return nil, false
	}
	plain, ok := decompress(data)
	if !ok {
		return nil, false
	}
	return b.decodeContent(plain, v)
}
