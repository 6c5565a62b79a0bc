package bundlecheck

import (
	"hash/maphash"
	"slices"
	"sync"
)

// targets holds the files and anchors that exist, and the files and anchors that references need. It stores hashes, so
// that a site of 100,000 pages fits into memory. The seed of the hashes is random, so that an attacker cannot construct
// a collision. It is safe for concurrent use.
type targets struct {
	seed maphash.Seed

	mu    sync.Mutex
	files map[uint64]bool     // existing files
	ids   map[uint64][]uint64 // by page: its anchors, sorted
	wait  map[uint64][]uint64 // for each file that has not been seen or read yet, the anchors that references need
	lost  bool                // a page that was read lacks an anchor that a reference needs
	count int                 // number of all anchors
	held  int                 // number of all pending anchors
}

// Limits for bundles that are designed to exhaust memory.
const (
	maxHeld    = 10_000_000
	maxAnchors = 30_000_000
)

func newTargets() *targets {
	return &targets{seed: maphash.MakeSeed(), files: map[uint64]bool{}, ids: map[uint64][]uint64{},
		wait: map[uint64][]uint64{}}
}

func (t *targets) hash(name string) uint64 { return maphash.String(t.seed, name) }

// over reports whether a limit was exceeded. In that case the data is incomplete.
func (t *targets) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count > maxAnchors || t.held > maxHeld
}

// file records that a file exists. read says that the file will be read, so its anchors are checked then. Files that
// are not read are assumed to have all anchors.
func (t *targets) file(path string, read bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := t.hash(path)
	t.files[key] = true
	if !read {
		t.settle(key, nil)
	}
}

// page records the anchors of a page. It takes ownership of ids and returns them sorted.
func (t *targets) page(path string, ids []uint64) []uint64 {
	slices.Sort(ids)
	ids = slices.Clone(slices.Compact(ids)) // allocate the exact size
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count += len(ids); t.count <= maxAnchors {
		key := t.hash(path)
		t.ids[key] = ids
		t.settle(key, ids)
	}
	return ids
}

// settle removes pending anchors that a file has.
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

// want records a reference to a file, or to an anchor in it ("" for none).
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
		// most duplicates are adjacent; others do no harm
		if id := t.hash(anchor); !slices.Contains(list[max(0, len(list)-16):], id) {
			list = append(list, id)
			t.held++
		}
	}
	t.wait[key] = list
}

// complete reports whether everything that is referred to exists.
func (t *targets) complete() bool { return !t.lost && len(t.wait) == 0 }

// has reports whether a file exists.
func (t *targets) has(file string) bool { return t.files[t.hash(file)] }

// lacks reports whether a page does not have an anchor. It returns false for files that are not read, such as PDF.
func (t *targets) lacks(file, anchor string) bool {
	ids, read := t.ids[t.hash(file)]
	if !read {
		return false
	}
	_, ok := slices.BinarySearch(ids, t.hash(anchor))
	return !ok
}
