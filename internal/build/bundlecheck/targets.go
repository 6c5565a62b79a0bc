package bundlecheck

import (
	"hash/maphash"
	"slices"
	"sync"
)

// targets are the places that are there, and those that references still look for. Hashes stand for both, so that a
// site of 100,000 pages fits into memory; their seed is new each time, so that an attacker cannot construct a
// collision. Safe for concurrent use.
type targets struct {
	seed maphash.Seed

	mu    sync.Mutex
	files map[uint64]bool     // files that are there
	ids   map[uint64][]uint64 // by page: its anchors, ordered
	wait  map[uint64][]uint64 // by file that was not seen yet, or is not read yet: the anchors that something leads to
	lost  bool                // a page was read that has not what something leads to
	count int                 // of all anchors
	held  int                 // of all that is waited for
}

// Bounds for bundles that are made to fill memory.
const (
	maxHeld    = 10_000_000
	maxAnchors = 30_000_000
)

func newTargets() *targets {
	return &targets{seed: maphash.MakeSeed(), files: map[uint64]bool{}, ids: map[uint64][]uint64{},
		wait: map[uint64][]uint64{}}
}

func (t *targets) hash(name string) uint64 { return maphash.String(t.seed, name) }

// over reports whether a bound was reached, and that not everything was kept.
func (t *targets) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count > maxAnchors || t.held > maxHeld
}

// file says that a file is there. Anchors in it are looked for when it was read; whatever is not read has them all.
func (t *targets) file(path string, read bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := t.hash(path)
	t.files[key] = true
	if !read {
		t.settle(key, nil)
	}
}

// page says which anchors a page has. It takes ids over and returns them in order.
func (t *targets) page(path string, ids []uint64) []uint64 {
	slices.Sort(ids)
	ids = slices.Clone(slices.Compact(ids)) // as large as it needs to be
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count += len(ids); t.count <= maxAnchors {
		key := t.hash(path)
		t.ids[key] = ids
		t.settle(key, ids)
	}
	return ids
}

// settle compares what was waited for with a file that came.
func (t *targets) settle(key uint64, ids []uint64) {
	list, waited := t.wait[key]
	if !waited {
		return
	}
	delete(t.wait, key)
	t.held -= 1 + len(list)
	for _, id := range list {
		_, ok := slices.BinarySearch(ids, id)
		t.lost = t.lost || !ok
	}
}

// want says that something leads to a file, or to an anchor in it ("" for none).
func (t *targets) want(file, anchor string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := t.hash(file)
	ids, read := t.ids[key]
	switch {
	case read:
		if anchor != "" {
			_, ok := slices.BinarySearch(ids, t.hash(anchor))
			t.lost = t.lost || !ok
		}
		return
	case t.held > maxHeld, anchor == "" && t.files[key]:
		return
	}
	list, waited := t.wait[key]
	if !waited {
		t.held++
	}
	if anchor != "" {
		// most repeat at once; the rest does no harm
		if id := t.hash(anchor); !slices.Contains(list[max(0, len(list)-16):], id) {
			list = append(list, id)
			t.held++
		}
	}
	t.wait[key] = list
}

// complete reports whether everything that is wanted is there.
func (t *targets) complete() bool { return !t.lost && len(t.wait) == 0 }

// has reports whether a file is there.
func (t *targets) has(file string) bool { return t.files[t.hash(file)] }

// lacks reports whether a page has no such anchor. Files that are not read, such as PDF, lack none.
func (t *targets) lacks(file, anchor string) bool {
	ids, read := t.ids[t.hash(file)]
	if !read {
		return false
	}
	_, ok := slices.BinarySearch(ids, t.hash(anchor))
	return !ok
}
