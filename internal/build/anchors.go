package build

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// pageAnchors holds the ids on a page that other pages may link to, and the page's own links to ids. They are spooled
// to disk until all pages are rendered, because a large site may have a million of them.
type pageAnchors struct {
	ids  []uint64 // hashes of heading ids
	refs []anchorRef
}

// anchorRef is a link to an id on a page. It is checked after all pages are rendered.
type anchorRef struct {
	page string
	id   string
	pos  diag.Pos
}

var errAnchorSpool = errors.New("check anchors: temporary file is damaged")

// anchorSpool keeps the anchors of each page in a temporary file. pageWriter fills it; check reads it.
type anchorSpool struct{ spool *output.Spool }

func openAnchorSpool(scratch string) (*anchorSpool, error) {
	spool, err := output.OpenSpool(scratch)
	if err != nil {
		return nil, err
	}
	return &anchorSpool{spool}, nil
}

// add writes a page's anchors to the spool.
func (s *anchorSpool) add(m pageAnchors) (output.Piece, error) {
	w := &recordWriter{}
	writeAnchors(w, m.ids, m.refs)
	return s.spool.Add(w.out)
}

func (s *anchorSpool) read(e *entry) (m pageAnchors, err error) {
	data, err := s.spool.Read(e.anchors)
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

// check reports links to ids that do not exist. All pages must have been written.
func (s *anchorSpool) check(pages entries, report func(diag.List)) error {
	if err := s.spool.Flush(); err != nil {
		return err
	}
	for i := range pages {
		if !pages[i].hasRefs {
			continue
		}
		from, err := s.read(&pages[i])
		if err != nil {
			return err
		}
		var list diag.List
		for _, r := range from.refs {
			to := pages.find(r.page)
			if to == nil || to.moreAnchors {
				continue
			}
			there, err := s.read(to)
			if err != nil {
				return err
			}
			if !slices.Contains(there.ids, hashID(r.id)) {
				list.Warnf(r.pos, "broken-anchor", "The page %q has no heading with the id %q.", r.page, r.id)
				list.Hint(anchorHint(there.ids, r.id))
			}
		}
		report(list)
	}
	return nil
}

// anchorHint suggests the id that was probably meant. Only hashes of ids are stored, so it can only try variations of
// the id.
func anchorHint(ids []uint64, id string) string {
	lower := strings.ToLower(id)
	for _, other := range []string{
		lower, slug.Heading(id), strings.ReplaceAll(lower, "_", "-"), strings.ReplaceAll(lower, "-", ""),
		strings.ReplaceAll(lower, "--", "-"), strings.Trim(lower, "-"),
	} {
		if slices.Contains(ids, hashID(other)) {
			return fmt.Sprintf("Did you mean %q?", "#"+other)
		}
	}
	return "Ids are generated from the text of headings: copy the heading's link on that page."
}

// close removes the file. It may be called on nil.
func (s *anchorSpool) close() {
	if s != nil {
		s.spool.Close()
	}
}

// hashID returns the hash of a heading id.
func hashID(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // writing to a hash never fails
	return h.Sum64()
}
