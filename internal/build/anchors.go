package build

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// pageAnchors holds the ids of a page that others may link to, and the page's own links to ids. They are spooled to
// disk until all pages are rendered: a large site has a million.
type pageAnchors struct {
	ids  []uint64 // hashes of heading ids
	refs []anchorRef
}

// anchorRef is a link to an id on a page. It is checked when all pages are rendered.
type anchorRef struct {
	page string
	id   string
	pos  diag.Pos
}

var errAnchorSpool = errors.New("check anchors: temporary file is damaged")

// openAnchorSpool opens a temporary file for the anchors of the pages.
func (b *builder) openAnchorSpool(context.Context) (err error) {
	b.anchorSpool, err = output.OpenSpool(b.opt.Scratch)
	return err
}

func (b *builder) closeAnchorSpool() {
	b.anchorSpool.Close()
	b.anchorSpool = nil
}

// spoolAnchors writes a page's anchors to the spool, in a whole build.
func (b *builder) spoolAnchors(r *result) (err error) {
	if b.anchorSpool == nil {
		return nil
	}
	w := &recordWriter{}
	writeAnchors(w, r.anchors.ids, r.anchors.refs)
	r.entry.hasRefs = len(r.anchors.refs) > 0
	r.entry.anchors, err = b.anchorSpool.Add(w.out)
	return err
}

func (b *builder) readAnchors(e *entry) (m pageAnchors, err error) {
	data, err := b.anchorSpool.Read(e.anchors)
	if err != nil {
		return m, err
	}
	in := &recordReader{in: data}
	m.ids, m.refs = readAnchorRecord(in)
	if !in.end() {
		return m, errAnchorSpool
	}
	return m, nil
}

// checkAnchors reports links to ids that do not exist. All pages must be rendered.
func (b *builder) checkAnchors() error {
	if err := b.anchorSpool.Flush(); err != nil {
		return err
	}
	for i := range b.entries {
		if !b.entries[i].hasRefs {
			continue
		}
		from, err := b.readAnchors(&b.entries[i])
		if err != nil {
			return err
		}
		var list diag.List
		for _, r := range from.refs {
			to := b.entryOf(r.page)
			if to == nil || to.moreAnchors {
				continue
			}
			there, err := b.readAnchors(to)
			if err != nil {
				return err
			}
			if !slices.Contains(there.ids, hashID(r.id)) {
				list.Warnf(r.pos, "broken-anchor", "The page %q has no heading with the id %q.", r.page, r.id)
			}
		}
		b.w.addFindings(list)
	}
	return nil
}

// hashID returns the hash of a heading id.
func hashID(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // a hash never fails
	return h.Sum64()
}
