package build

import (
	"crypto/sha256"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// pageCache stores contents and finished pages for later builds. newPageCache creates it before the first page. A key
// covers everything that a value depends on, except for the dependencies that the value itself lists.
type pageCache struct {
	cache   Cache // nil = nothing is cached
	src     *source
	nav     *navigation
	addr    *addresses
	docs    *documents
	now     time.Time         // the current time for author code
	content [sha256.Size]byte // digest of the settings that content depends on
	frame   [sha256.Size]byte // digest of the whole site and its settings
}

// newPageCache returns a cache for the pages of one site. siteSum is the digest of the site, from digestSite.
func newPageCache(
	src *source, opt Options, nav *navigation, addr *addresses, docs *documents, theme *siteTheme, cards *cardMaker,
	siteSum [sha256.Size]byte,
) *pageCache {
	k := &pageCache{cache: opt.Cache, src: src, nav: nav, addr: addr, docs: docs, now: opt.Now}
	if k.cache == nil {
		return k
	}
	s := src.site
	k.content = fingerprint.Of(
		"content", opt.Program, s.Variables, s.IconLibrary, s.Styling.NoMath, s.API, s.FullSchema, s.AgentNote,
		opt.BaseURL, opt.BasePath, int(opt.Links), opt.Scripts.Off, opt.Offers.Playground, addr.variants != nil,
	)
	k.frame = fingerprint.Of(
		"frame", k.content, siteSum, addr.home.Path, opt.Offers, opt.MCP, opt.ErrorPages,
		cards.maker != nil, cards.key, theme.names,
	)
	return k
}

// digestSite hashes the loaded site in a goroutine, in parallel with the preparations for pages. Without a cache, it
// returns the zero digest.
func digestSite(s *site.Site, cache Cache) <-chan [sha256.Size]byte {
	out := make(chan [sha256.Size]byte, 1)
	if cache == nil {
		close(out)
		return out
	}
	model := *s
	model.Assets = slices.Clone(model.Assets)
	for i := range model.Assets {
		model.Assets[i].Size, model.Assets[i].Data = 0, "" // pages depend only on a file's address, and on their recorded dependencies
	}
	go func() { out <- fingerprint.Of("site", &model) }()
	return out
}

// covers reports whether a page may be cached. API pages are cached only if this build has read the descriptions.
func (k *pageCache) covers(p *site.Page) bool {
	return k.cache != nil && (p.API == nil || k.src.specsDigest != [sha256.Size]byte{})
}

// scannedSum returns the digest of a page's source at the time of the scan. ok is false if it is unknown or the
// page is not cached.
func (k *pageCache) scannedSum(p *site.Page) (sum [sha256.Size]byte, ok bool) {
	if !k.covers(p) || p.File == "" {
		return sum, k.covers(p)
	}
	return k.src.sums.Of(p.Path)
}

// sourceSum returns the digest of a page's source. It is zero without a cache, and for pages without a source.
func (k *pageCache) sourceSum(p *site.Page, text load.Source) (sum [sha256.Size]byte) {
	if p.File != "" && k.cache != nil {
		sum = sha256.Sum256(text.Raw)
	}
	return sum
}

// contentKey returns the cache key of a page's content at an output path.
func (k *pageCache) contentKey(p *site.Page, out string, sum [sha256.Size]byte) [sha256.Size]byte {
	feed := ""
	if p.Feed {
		feed = k.src.site.Name + "\n" + k.nav.trail(p.Path).language()
	}
	return fingerprint.Of(
		"say", k.content, p, out, sum, k.src.specsDigestFor(p), k.nav.listFile(p), k.addr.canonical(p), feed,
		k.nav.discoverable(p),
	)
}
