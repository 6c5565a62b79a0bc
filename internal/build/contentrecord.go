package build

import (
	"crypto/sha256"
	"slices"

	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// storeContent stores the content of a page and sets its id.
func (k *pageCache) storeContent(key [sha256.Size]byte, c *content) {
	data := c.encode()
	c.id = sha256.Sum256(data)
	k.cache.Put(key, compress(data))
}

// loadContent returns the content of a page that an earlier build stored. ok is false if a dependency has changed.
func (k *pageCache) loadContent(key [sha256.Size]byte, from link.From) (c *content, ok bool) {
	data, ok := k.cache.Get(key)
	if !ok {
		return nil, false
	}
	plain, ok := decompress(data)
	if !ok {
		return nil, false
	}
	return k.decodeContent(plain, from)
}

// encode serializes the content for the cache. The Markdown form is stored separately, under its digest.
func (c *content) encode() []byte {
	w := &recordWriter{out: make([]byte, 0, len(c.html)+len(c.side)+1024)}
	c.deps.write(w, true)
	w.bytes(c.html)
	w.bytes(c.side)
	w.text(c.lead)
	w.number(len(c.headings))
	for _, h := range c.headings {
		w.number(h.Level)
		w.text(h.ID)
		w.text(h.Text)
		w.flags(h.Folded)
	}
	writeAnchors(w, c.ids, c.refs)
	c.extras.write(w)
	w.sum(c.twin.packed.SHA256)
	w.flags(c.feed != nil)
	w.bytes(c.feed)
	w.findings(c.list)
	return w.out
}

// decodeContent decodes the output of encode. ok is false if a dependency has changed or the record is damaged.
func (k *pageCache) decodeContent(data []byte, from link.From) (c *content, ok bool) {
	c = &content{id: sha256.Sum256(data)}
	r := &recordReader{in: data}
	if !k.unchanged(r, from, &c.deps) {
		return nil, false
	}
	c.html, c.side, c.lead = r.bytes(), r.bytes(), r.text()
	for range r.count() {
		h := layout.Heading{Level: r.number(), ID: r.text(), Text: r.text()}
		r.flags(&h.Folded)
		c.headings = append(c.headings, h)
	}
	c.ids, c.refs = readAnchorRecord(r)
	c.extras.read(r)
	twin, fed := r.sum(), false
	r.flags(&fed)
	if feed := r.bytes(); fed {
		c.feed = slices.Clip(feed)
	}
	c.list = r.findings()
	if !r.end() {
		return nil, false
	}
	c.twin, ok = k.docs.load(twin)
	return c, ok
}

func writeAnchors(w *recordWriter, ids []uint64, refs []anchorRef) {
	w.number(len(ids))
	for _, id := range ids {
		w.fixed(id)
	}
	w.number(len(refs))
	for _, r := range refs {
		w.text(r.page)
		w.text(r.id)
		w.pos(r.pos)
	}
}

func readAnchorRecord(r *recordReader) (ids []uint64, refs []anchorRef) {
	if n := r.count(); n > 0 {
		ids = make([]uint64, 0, n)
		for range n {
			ids = append(ids, r.fixed())
		}
	}
	for range r.count() {
		refs = append(refs, anchorRef{page: r.text(), id: r.text(), pos: r.pos()})
	}
	return ids, refs
}
