package build

import (
	"crypto/sha256"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
)

// keepPage remembers a finished page. Its documents stand in the cache by their digests.
func (b *builder) keepPage(key [sha256.Size]byte, r *result, c *content) {
	w := &recordWriter{}
	c.needs.write(w, false)
	w.sum(c.id)
	w.sum(r.html.packed.SHA256)
	w.sum(r.twin.packed.SHA256)
	w.text(r.sum.lead)
	w.flags(r.sum.open, r.feed != nil)
	writePlaces(w, r.marks.ids, r.marks.refs)
	r.extras.write(w)
	w.bytes(r.feed)
	w.findings(r.list)
	b.opt.Cache.Put(key, w.out)
}

// findPage is a page as an earlier build made it from this source; ok is false when something it was made from has changed.
func (b *builder) findPage(p *site.Page, out string, source [sha256.Size]byte, modified time.Time) (r result, ok bool) {
	data, ok := b.opt.Cache.Get(b.pageKey(p, out, source, modified))
	if !ok {
		return r, false
	}
	v := b.view(p.Path, out)
	in := &recordReader{in: data}
	if !b.holds(in, v, nil) {
		return r, false
	}
	r = result{page: p, sum: entry{page: p, modified: seconds(modified)}}
	id, html, twin := in.sum(), in.sum(), in.sum()
	r.sum.lead = in.text()
	fed := false
	in.flags(&r.sum.open, &fed)
	r.marks.ids, r.marks.refs = readPlaces(in)
	r.extras.read(in)
	if feed := in.bytes(); fed {
		r.feed = feed
	}
	r.list = in.findings()
	if !in.end() {
		return r, false
	}
	if r.html, ok = b.remembered(html); !ok {
		return r, false
	}
	if r.twin, ok = b.remembered(twin); !ok {
		return r, false
	}
	b.findCard(&r, out)
	r.words = b.knownWords(p, id, r.sum.lead)
	return r, true
}
