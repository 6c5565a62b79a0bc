package build

import (
	"crypto/sha256"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// storePage stores a finished page. Its documents are stored separately, under their digests. id is the digest of
// its content; deps are the dependencies of the content and of the layout.
func (k *pageCache) storePage(key [sha256.Size]byte, r *result, id [sha256.Size]byte, deps dependencies) {
	w := &recordWriter{}
	deps.write(w, false)
	w.sum(id)
	for _, p := range []payload{r.html, r.twin} {
		w.sum(p.packed.SHA256)
		w.number(p.size())
	}
	w.text(r.entry.lead)
	w.flags(r.entry.moreAnchors, r.feed != nil)
	writeAnchors(w, r.anchors.ids, r.anchors.refs)
	r.extras.write(w)
	w.bytes(r.feed)
	w.findings(r.list)
	k.cache.Put(key, w.out)
}

// loadPage sets r to a page that an earlier build stored, except for its card and its words. ok is false if a
// dependency has changed. id is the digest of its content. out is the output path that it was rendered for.
func (k *pageCache) loadPage(
	key [sha256.Size]byte, from link.From, out string, r *result,
) (id [sha256.Size]byte, ok bool) {
	data, ok := k.cache.Get(key)
	if !ok {
		return id, false
	}
	in := &recordReader{in: data}
	if !k.unchanged(in, from, nil) {
		return id, false
	}
	id = in.sum()
	html, htmlSize, twin, twinSize := in.sum(), in.number(), in.sum(), in.number()
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
		return id, false
	}
	if r.html, ok = k.docs.loadFor(link.File(out), html, htmlSize); !ok {
		return id, false
	}
	r.twin, ok = k.docs.loadFor(link.Twin(out), twin, twinSize)
	return id, ok
}
