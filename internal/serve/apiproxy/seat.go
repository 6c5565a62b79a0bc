package apiproxy

import "sync"

// seats bound what is under way at one time: of everybody, of one visitor, of one site.
type seats struct {
	all, visitor, site int // how many
	mu                 sync.Mutex
	taken              int
	visitors, sites    map[string]int // guarded by mu; those that have none are not kept
}

func newSeats(l Limits) *seats {
	return &seats{all: l.Open, visitor: l.OpenVisitor, site: l.OpenSite, visitors: map[string]int{},
		sites: map[string]int{}}
}

// take finds a seat; ok is false when there is none. leave gives it back.
func (s *seats) take(visitor, site string) (leave func(), ok bool) {
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
