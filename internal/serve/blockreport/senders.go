package blockreport

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/blocked"
)

// Limits for reports from one network.
const (
	perNetwork = 40      // different sources per project and day: more than the pages of a real site use
	maxSenders = 100_000 // entries in memory; beyond that the day starts over
)

// senders remembers, for a day and only in memory, which network reported which source, as keyed digests. As a
// result, a source counts once a day for each network, and a network adds few rows: one sender cannot make a forged
// source look as if many readers had reported it. It is safe for concurrent use.
type senders struct {
	now func() time.Time

	mu      sync.Mutex
	day     time.Time
	seed    maphash.Seed
	seen    map[uint64]struct{} // network, project, kind and source
	sources map[uint64]int      // by network and project
}

func newSenders(now func() time.Time) *senders { return &senders{now: now} }

// add records that a network reported an entry. first is true for its first report today; ok is false if the network
// has reported too many sources of the project.
func (s *senders) add(network string, e blocked.Entry) (first, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if day := s.now().UTC().Truncate(24 * time.Hour); !day.Equal(s.day) || len(s.seen) >= maxSenders {
		s.day, s.seed = day, maphash.MakeSeed()
		s.seen, s.sources = map[uint64]struct{}{}, map[uint64]int{}
	}
	type project struct{ network, id string }
	type source struct {
		project
		kind, source string
	}
	from := project{network, e.ProjectID}
	key := maphash.Comparable(s.seed, source{from, e.Kind, e.Source})
	if _, had := s.seen[key]; had {
		return false, true
	}
	n := maphash.Comparable(s.seed, from)
	if s.sources[n] >= perNetwork {
		return false, false
	}
	s.seen[key] = struct{}{}
	s.sources[n]++
	return true, true
}
