package buildcache

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"slices"
	"sync"
	"sync/atomic"
)

// Session is the cache from the point of view of one build: the values that existed when it began, and those that
// it stored. It is safe for concurrent use.
type Session struct {
	store   *Store
	program [32]byte
	ending  sync.Mutex // one Flush or Close at a time

	mu    sync.RWMutex // held for reading by Get and Put, for writing while packs and own change
	packs []*held      // those that are not endangered come first, the newest of them first
	own   *writer      // nil once closed
	err   error        // first error, of this and earlier writers
}

// held is a pack in a session.
type held struct {
	*pack
	endangered bool
	used       atomic.Bool // Get found a record in it, and did not have to copy the record
}

// Begin starts a session, which must be closed. It returns nil if the Store is nil, or if the digest of this
// program is unknown; a nil session must not be used as a cache.
func (s *Store) Begin() *Session {
	if s == nil {
		return nil
	}
	n := &Session{store: s}
	n.packs, n.own = n.load(), n.newWriter()
	var err error
	if n.program, err = n.thisProgram(); err != nil {
		if n.Close(); s.opt.OnError != nil {
			s.opt.OnError(err)
		}
		return nil
	}
	return n
}

func (n *Session) newWriter() *writer {
	return newWriter(func() (*os.File, string, error) { return createTemp(n.store.root, n.store.opt.Now()) })
}

// load opens the packs in the folder. It removes damaged ones and skips those that cannot be read.
func (n *Session) load() (packs []*held) {
	files, err := listFiles(n.store.root)
	if err != nil {
		return nil
	}
	risk := endangered(files, n.store.opt.MaxBytes)
	for _, f := range files {
		if !f.isPack() {
			continue
		}
		p, err := n.store.acquire(f.name)
		switch {
		case err == nil:
			packs = append(packs, &held{pack: p, endangered: risk[f.name]})
		case errors.Is(err, errDamaged):
			_ = n.store.root.Remove(f.name)
		}
	}
	slices.SortFunc(packs, func(a, b *held) int {
		if a.endangered != b.endangered {
			return map[bool]int{false: -1, true: 1}[a.endangered]
		}
		return cmp.Compare(b.name, a.name)
	})
	return packs
}

// Get returns the value of a key. The caller owns it.
func (n *Session) Get(key [32]byte) (value []byte, ok bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if value, ok = n.find(key); !ok {
		n.store.misses.Add(1)
		return nil, false
	}
	n.store.hits.Add(1)
	n.store.read.Add(int64(len(value)))
	return value, true
}

// find finds the newest value of a key. A value in the session's own pack takes precedence over those in other packs.
func (n *Session) find(key [32]byte) (value []byte, ok bool) {
	if n.own != nil {
		if value, ok = n.own.get(key); ok {
			return value, true
		}
	}
	for _, h := range n.packs {
		if value, ok = n.take(h, key); ok {
			return value, true
		}
	}
	return nil, false
}

// take reads a record from a pack. It copies a record of an endangered pack to the session's own pack; the endangered
// pack then does not count as used.
func (n *Session) take(h *held, key [32]byte) (value []byte, ok bool) {
	at, ok := h.find(prefix(key))
	if !ok {
		return nil, false
	}
	if value, ok = h.read(at, key); !ok {
		return nil, false
	}
	if h.endangered || h.damaged.Load() {
		if n.own.add(key, value, at.sum, n.store.opt.MaxBytes/2) {
			return value, true
		}
	}
	if !h.used.Load() {
		h.used.Store(true)
	}
	return value, true
}

// Put stores a value and replaces an older one with that key, unless it is too large or the session is full. It
// does not keep a reference to the value.
func (n *Session) Put(key [32]byte, value []byte) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if n.own == nil || len(value) > maxValue {
		return
	}
	sum := checksum(key[:], value)
	// Different values may have the same checksum, such as values that end with their own checksum.
	if at, ok := n.newest(prefix(key)); ok && at.sum == sum && int(at.length) == len(value) {
		if old, ok := n.find(key); ok && bytes.Equal(old, value) {
			return
		}
	}
	if n.own.replace(key, value, sum, n.store.opt.MaxBytes/2) {
		n.store.stored.Add(1)
		n.store.written.Add(int64(len(value)))
	}
}

// newest returns the position of the record that Get finds for a prefix. It ignores damaged packs.
func (n *Session) newest(prefix uint64) (at place, ok bool) {
	if at, ok = n.own.find(prefix); ok {
		return at, true
	}
	for _, h := range n.packs {
		if h.damaged.Load() {
			continue
		}
		if at, ok = h.find(prefix); ok {
			return at, true
		}
	}
	return at, false
}

// Program returns the digest of this program, for the keys of a build; see Store.Program.
func (n *Session) Program() [32]byte { return n.program }

// Err returns the reason why a value could not be stored, or nil.
func (n *Session) Err() error {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.firstErr()
}

func (n *Session) firstErr() error {
	if n.err != nil || n.own == nil {
		return n.err
	}
	n.own.mu.Lock()
	defer n.own.mu.Unlock()
	return n.own.err
}
