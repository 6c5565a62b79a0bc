package httpfile

import (
	"sync"
	"sync/atomic"
)

// Cache holds values up to a total weight in bytes and evicts those not used recently. It is safe for concurrent use,
// and readers do not block each other.
type Cache[K comparable, V any] struct {
	limit int64

	mu    sync.RWMutex
	used  int64              // guarded by mu
	byKey map[K]*entry[K, V] // guarded by mu
	ring  []*entry[K, V]     // guarded by mu; in insertion order
	hand  int                // guarded by mu; where the search for the next entry to evict starts
}

type entry[K comparable, V any] struct {
	key    K
	value  V
	weight int64
	asked  atomic.Bool // used since the hand last passed
}

// NewCache returns a cache with a limit in bytes.
func NewCache[K comparable, V any](limit int64) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, byKey: map[K]*entry[K, V]{}}
}

// Find returns the value of a key.
func (s *Cache[K, V]) Find(key K) (value V, ok bool) {
	s.mu.RLock()
	p := s.byKey[key]
	s.mu.RUnlock()
	if p == nil {
		return value, false
	}
	if !p.asked.Load() {
		p.asked.Store(true)
	}
	return p.value, true
}

// Keep stores a value, unless it exceeds the limit for the whole cache or the key exists: a key's value never
// changes.
func (s *Cache[K, V]) Keep(key K, value V, weight int64) {
	if weight > s.limit {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byKey[key] != nil {
		return
	}
	for s.used+weight > s.limit {
		s.drop()
	}
	p := &entry[K, V]{key: key, value: value, weight: weight}
	s.byKey[key] = p
	s.ring = append(s.ring, p)
	s.used += weight
}

// drop evicts the first entry that was not used since the hand last passed. There always is one, because the hand
// clears the marks as it passes.
func (s *Cache[K, V]) drop() {
	for {
		if s.hand >= len(s.ring) {
			s.hand = 0
		}
		p := s.ring[s.hand]
		if p.asked.Swap(false) {
			s.hand++
			continue
		}
		last := len(s.ring) - 1
		s.ring[s.hand], s.ring[last] = s.ring[last], nil
		s.ring = s.ring[:last]
		delete(s.byKey, p.key)
		s.used -= p.weight
		return
	}
}
