package sitebuild

import (
	"crypto/sha256"
	"path"
	"slices"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/lectern-docs/lectern/internal/fingerprint"
	"github.com/lectern-docs/lectern/internal/outtree"
	"github.com/lectern-docs/lectern/internal/site"
)

// keys name what is remembered of pages. A key holds everything that the value depends on but for what its needs list.
type keys struct {
	program [sha256.Size]byte
	content [sha256.Size]byte // of the settings that content depends on
	frame   [sha256.Size]byte // of the whole site and its settings
	card    [sha256.Size]byte // of what all cards share
}

// prepareKeys digests the site; it must be loaded and its frame known.
func (b *builder) prepareKeys() {
	if b.opt.Cache == nil {
		return
	}
	s, o := b.site, b.opt
	b.keys.program = o.Program
	b.keys.content = fingerprint.Of(
		"content", o.Program, s.Variables, s.IconLibrary, s.Styling.NoMath, s.API, s.FullSchema, o.BaseURL, int(o.Links), o.Scripts.Off,
	)
	model := *s
	model.Assets = slices.Clone(s.Assets)
	for i := range model.Assets {
		model.Assets[i].Size = 0 // of a file no page shows more than its address, and what its needs list
	}
	b.keys.frame = fingerprint.Of(
		"frame", b.keys.content, &model, b.home.Path, o.Search, o.MCP, o.ErrorPages, b.cards != nil, b.keys.card, b.assetNames,
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
		feed = b.site.Name + "\n" + b.trails[p.Path].language()
	}
	return fingerprint.Of("say", b.keys.content, p, out, source, b.describedFor(p), b.twinIndex(p), b.canonical(p), feed)
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
	return path.Join(b.variant(b.trails[p.Path]).folder(), "llms.txt")
}

// packedKey names a content by its digest. The program is part of it: another one may pack otherwise.
func (b *builder) packedKey(sum [sha256.Size]byte) [sha256.Size]byte {
	var in [2*sha256.Size + 6]byte
	n := copy(in[:], "packed")
	n += copy(in[n:], b.keys.program[:])
	copy(in[n:], sum[:])
	return sha256.Sum256(in[:])
}

// pack packs a content unless an earlier build did. When nobody wants it packed it stays as it is.
func (b *builder) pack(data []byte, contentType string) payload {
	if !b.packing {
		return payload{data: data}
	}
	if b.opt.Cache == nil {
		return payload{data, outtree.Pack(data, contentType)}
	}
	if known, ok := b.remembered(sha256.Sum256(data)); ok {
		return payload{data, known.packed}
	}
	p := outtree.Pack(data, contentType)
	w := &recordWriter{out: make([]byte, 0, len(p.Deflated)+64)}
	w.number(int(p.Size))
	w.number(int(p.CRC32))
	w.flags(p.Deflated != nil)
	if p.Deflated != nil {
		w.bytes(p.Deflated)
	} else {
		w.bytes(data)
	}
	b.opt.Cache.Put(b.packedKey(p.SHA256), w.out)
	return payload{data, p}
}

// remembered is a content that an earlier build packed, by its digest.
func (b *builder) remembered(sum [sha256.Size]byte) (out payload, ok bool) {
	value, ok := b.opt.Cache.Get(b.packedKey(sum))
	if !ok {
		return out, false
	}
	r := &recordReader{in: value}
	out.packed = &outtree.Packed{SHA256: sum, Size: int64(r.number()), CRC32: uint32(r.number())}
	deflated := false
	if r.flags(&deflated); deflated {
		out.packed.Deflated = r.bytes()
	} else {
		out.data = r.bytes()
	}
	return out, r.end() && (deflated || int64(len(out.data)) == out.packed.Size)
}

// keepContent remembers what a page says.
func (b *builder) keepContent(key [sha256.Size]byte, c *content) {
	data := c.encode()
	c.id = sha256.Sum256(data)
	b.opt.Cache.Put(key, s2.Encode(nil, data))
}

// findContent is what a page says, as an earlier build had it.
func (b *builder) findContent(key [sha256.Size]byte, v *view) (*content, bool) {
	data, ok := b.opt.Cache.Get(key)
	if !ok {
		return nil, false
	}
	if n, err := s2.DecodedLen(data); err != nil || n > contentMax {
		return nil, false
	}
	plain, err := s2.Decode(nil, data)
	if err != nil {
		return nil, false
	}
	return b.decodeContent(plain, v)
}

// contentMax bounds a remembered content, in bytes: a record that claims more is damaged.
const contentMax = 256 << 20
