package build

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

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
