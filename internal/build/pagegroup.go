package build

import (
	"crypto/sha256"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/site"
)

// pageGroup is a run of consecutive pages. Their records are one value in the cache, because thousands of separate
// look-ups would take most of the time of a build in which little has changed.
type pageGroup struct {
	pages []*site.Page
	kept  [][]byte // for each page, its record from an earlier build, possibly stale; nil if missing
}

// groupsOf divides the pages of a site into groups. Adding a page only changes the group that contains it.
func groupsOf(pages []*site.Page) (groups [][]*site.Page) {
	from := 0
	for i, p := range pages {
		if searchindex.Ends(p.Path, i+1-from) {
			groups, from = append(groups, pages[from:i+1]), i+1
		}
	}
	if from < len(pages) {
		groups = append(groups, pages[from:])
	}
	return groups
}

// groupKey returns the cache key of the records of a group. It covers everything that the pages of a site share.
func (k *pageCache) groupKey(pages []*site.Page) [sha256.Size]byte {
	w := &recordWriter{}
	for _, p := range pages {
		w.text(p.Path)
	}
	return fingerprint.Of("page group", k.frame, w.out)
}

// loadGroup returns a group with the records that an earlier build stored.
func (k *pageCache) loadGroup(pages []*site.Page) pageGroup {
	g := pageGroup{pages: pages, kept: make([][]byte, len(pages))}
	if k.cache == nil {
		return g
	}
	data, ok := k.cache.Get(k.groupKey(pages))
	if !ok {
		return g
	}
	in := &recordReader{in: data}
	kept := make([][]byte, len(pages))
	for i := range kept {
		kept[i] = in.bytes()
	}
	if in.end() {
		g.kept = kept
	}
	return g
}

// storeGroup stores the records of a group. made contains the new record of each page. If it is nil, the page's earlier
// record is kept.
func (k *pageCache) storeGroup(g pageGroup, made [][]byte) {
	w := &recordWriter{}
	for i, record := range made {
		if record == nil {
			record = g.kept[i]
		}
		w.bytes(record)
	}
	k.cache.Put(k.groupKey(g.pages), w.out)
}
