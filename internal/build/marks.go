package build

import (
	"context"
	"errors"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// marks are the places of a page that others may refer to, and the references that it has itself. They wait on disk until all pages are
// known: a large site has a million.
type marks struct {
	ids  []uint64 // hashes of heading ids
	refs []anchorRef
}

// anchorRef is a reference to a place on a page, to be checked when all pages are known.
type anchorRef struct {
	page string
	id   string
	pos  diag.Pos
}

var errMarks = errors.New("check anchors: what was put aside has changed")

// openMarks makes room for the marks of the pages.
func (b *builder) openMarks(context.Context) (err error) {
	b.marks, err = output.OpenSpool(b.opt.Scratch)
	return err
}

func (b *builder) closeMarks() {
	b.marks.Close()
	b.marks = nil
}

// keepMarks puts a page's marks aside, in a whole build.
func (b *builder) keepMarks(r *result) (err error) {
	if b.marks == nil {
		return nil
	}
	w := &recordWriter{}
	writePlaces(w, r.marks.ids, r.marks.refs)
	r.sum.refers = len(r.marks.refs) > 0
	r.sum.marks, err = b.marks.Add(w.out)
	return err
}

func (b *builder) readMarks(e *entry) (m marks, err error) {
	data, err := b.marks.Read(e.marks)
	if err != nil {
		return m, err
	}
	in := &recordReader{in: data}
	m.ids, m.refs = readPlaces(in)
	if !in.end() {
		return m, errMarks
	}
	return m, nil
}

// anchors checks references to places on pages, now that all pages are known.
func (b *builder) anchors() error {
	if err := b.marks.Flush(); err != nil {
		return err
	}
	for i := range b.entries {
		if !b.entries[i].refers {
			continue
		}
		from, err := b.readMarks(&b.entries[i])
		if err != nil {
			return err
		}
		var list diag.List
		for _, r := range from.refs {
			to := b.entryOf(r.page)
			if to == nil || to.open {
				continue
			}
			there, err := b.readMarks(to)
			if err != nil {
				return err
			}
			if !slices.Contains(there.ids, hash(r.id)) {
				list.Warnf(r.pos, "broken-anchor", "The page %q has no heading with the id %q.", r.page, r.id)
			}
		}
		b.note(list)
	}
	return nil
}
