package build

import (
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// entry is what is kept of a page after its HTML is written. It must stay small: there is one for each page of the
// site.
type entry struct {
	page *site.Page
	lead string // at most 300 characters; "" for a written page that has a description

	anchors     output.Piece // spooled ids and links
	hasRefs     bool         // the page links to ids
	moreAnchors bool         // client components may add ids that are not listed

	twin     spooledTwin // spooled Markdown form, for the lists
	modified int64       // in seconds since 1970; 0 = unknown
}

// when returns modified as a time; zero = unknown.
func (e *entry) when() time.Time {
	if e.modified == 0 {
		return time.Time{}
	}
	return time.Unix(e.modified, 0).UTC()
}

// unixSeconds converts a time for an entry; zero stays 0.
func unixSeconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// entryOf returns the entry of a written page; nil when there is none.
func (b *builder) entryOf(path string) *entry {
	if i, ok := b.entryAt(path); ok {
		return &b.entries[i]
	}
	return nil
}

func (b *builder) entryAt(path string) (i int, ok bool) {
	return slices.BinarySearchFunc(b.entries, path, func(e entry, p string) int { return strings.Compare(e.page.Path, p) })
}

// listedPages returns the pages that may be listed, by variant: in the order of navigation, then the rest.
func (b *builder) listedPages() map[variant][]*entry {
	out, done := map[variant][]*entry{}, make([]bool, len(b.entries))
	take := func(path string) {
		i, ok := b.entryAt(path)
		if !ok || done[i] || !b.nav.listed(b.entries[i].page) {
			return
		}
		done[i] = true
		v := b.nav.variant(b.nav.trail(path))
		out[v] = append(out[v], &b.entries[i])
	}
	site.Walk(b.src.site.Nav, func(n *site.Node) bool {
		if n.Page != "" {
			take(n.Page)
		}
		return true
	})
	for i := range b.entries {
		take(b.entries[i].page.Path)
	}
	return out
}
