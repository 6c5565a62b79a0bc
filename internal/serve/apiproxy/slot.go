package apiproxy

import "sync"

// slots limits concurrent exchanges: in total, per visitor and per site.
type slots struct {
	all, visitor, site int // limits
	mu                 sync.Mutex
	taken              int
	visitors, sites    map[string]int // guarded by mu; contains no zero counts
}

func newSlots(l Limits) *slots {
	return &slots{all: l.Open, visitor: l.OpenVisitor, site: l.OpenSite, visitors: map[string]int{},
		sites: map[string]int{}}
}

// take reserves a slot, which release frees. ok is false if no slot is free.
func (s *slots) take(visitor, site string) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken >= s.all || s.visitors[visitor] >= s.visitor || s.sites[site] >= s.site {
		return nil, false
	}
	s.taken++
	s.visitors[visitor]++
	s.sites[site]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.taken--
		drop(s.visitors, visitor)
		drop(s.sites, site)
	}, true
}

func drop(counts map[string]int, key string) {
	if counts[key]--; counts[key] <= 0 {
		delete(counts, key)
	}
}
