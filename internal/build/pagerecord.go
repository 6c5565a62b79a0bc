package build

import (
	"crypto/sha256"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// pageVersion is the part of a page's input that differs between pages of the site. A record begins with it.
type pageVersion struct {
	source   [sha256.Size]byte // digest of the page's source; zero if it has none
	specs    [sha256.Size]byte // digest of the API descriptions, for API pages; otherwise zero
	modified time.Time
}

func (k *pageCache) version(p *site.Page, source [sha256.Size]byte, modified time.Time) pageVersion {
	return pageVersion{source, k.src.specsDigestFor(p), modified}
}

func (v pageVersion) write(w *recordWriter) {
	w.sum(v.source)
	w.sum(v.specs)
	when := int64(0)
	if !v.modified.IsZero() {
		when = v.modified.UnixNano()
	}
	w.fixed(uint64(when))
}

// begins reports whether a record begins with this version, and returns the rest of the record.
func (v pageVersion) begins(record []byte) (rest []byte, ok bool) {
	w := &recordWriter{out: make([]byte, 0, 2*sha256.Size+8)}
	v.write(w)
	n := len(w.out)
	if len(record) < n || string(record[:n]) != string(w.out) {
		return nil, false
	}
	return record[n:], true
}

// encodePage serializes a finished page for the cache. The page's documents are stored separately, under their digests.
// id is the digest of the page's content; deps are the dependencies of the content and of the layout.
func (r *result) encodePage(v pageVersion, id [sha256.Size]byte, deps dependencies) []byte {
	w := &recordWriter{}
	v.write(w)
	deps.write(w, false)
	w.sum(id)
	w.sum(r.words.key)
	for _, p := range []payload{r.html, r.twin} {
		w.sum(p.packed.SHA256)
		w.number(p.size())
	}
	w.text(r.entry.lead)
	w.flags(r.entry.moreAnchors, r.feed != nil, r.card.Packed != nil)
	if r.card.Packed != nil {
		w.sum(r.card.Packed.SHA256)
		w.number(int(r.card.Packed.Size))
	}
	writeAnchors(w, r.anchors.ids, r.anchors.refs)
	r.extras.write(w)
	w.bytes(r.feed)
	w.findings(r.list)
	return w.out
}

// decodePage sets r to a page that an earlier build rendered for the output path out. It restores only the digest and
// the size of the page's card. ok is false if the record belongs to another version or is damaged, or if a dependency
// has changed. id is the digest of the page's content.
func (k *pageCache) decodePage(
	record []byte, v pageVersion, from link.From, out string, r *result,
) (id [sha256.Size]byte, ok bool) {
	rest, ok := v.begins(record)
	if !ok {
		return id, false
	}
	in := &recordReader{in: rest}
	if !k.unchanged(in, from, nil) {
		return id, false
	}
	id, r.words.key = in.sum(), in.sum()
	html, htmlSize, twin, twinSize := in.sum(), in.number(), in.sum(), in.number()
	r.entry.lead = in.text()
	fed, drawn := false, false
	if in.flags(&r.entry.moreAnchors, &fed, &drawn); drawn {
		r.card.Packed = &output.Packed{SHA256: in.sum(), Size: int64(in.number())}
	}
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
