package build

import (
	"crypto/sha256"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
)

// storePage stores a finished page in the cache. Its documents are stored separately, under their digests.
func (b *builder) storePage(key [sha256.Size]byte, r *result, c *content) {
	w := &recordWriter{}
	c.deps.write(w, false)
	w.sum(c.id)
	w.sum(r.html.packed.SHA256)
	w.sum(r.twin.packed.SHA256)
	w.text(r.entry.lead)
	w.flags(r.entry.moreAnchors, r.feed != nil)
	writeAnchors(w, r.anchors.ids, r.anchors.refs)
	r.extras.write(w)
	w.bytes(r.feed)
	w.findings(r.list)
	b.opt.Cache.Put(key, w.out)
}

// loadPage returns a page that an earlier build rendered from this source; ok is false when a dependency has changed.
func (b *builder) loadPage(p *site.Page, out string, source [sha256.Size]byte, modified time.Time) (r result, ok bool) {
	data, ok := b.opt.Cache.Get(b.pageKey(p, out, source, modified))
	if !ok {
		return r, false
	}
	v := b.addr.view(p.Path, out)
	in := &recordReader{in: data}
	if !b.dependenciesUnchanged(in, v, nil) {
		return r, false
	}
	r = result{page: p, entry: entry{page: p, modified: unixSeconds(modified)}}
	id, html, twin := in.sum(), in.sum(), in.sum()
	r.entry.lead = in.text()
	fed := false
	in.flags(&r.entry.moreAnchors, &fed)
	r.anchors.ids, r.anchors.refs = readAnchorRecord(in)
	r.extras.read(in)
	if feed := in.bytes(); fed {
		r.feed = feed
	}
	r.list = in.findings()
	if !in.end() {
		return r, false
	}
	if r.html, ok = b.docs.load(html); !ok {
		return r, false
	}
	if r.twin, ok = b.docs.load(twin); !ok {
		return r, false
	}
	r.card = b.cards.draw(p, r.entry.lead, out)
	r.words = b.words.byID(p, id, r.entry.lead)
	return r, true
}
