package githost

import (
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Maximum number of concurrent clones: each is a git process that packs objects.
const (
	maxAtOnce          = 8
	maxPerOrganization = 3
)

// slots limits concurrent work, in total and per organization. It is safe for concurrent use.
type slots struct {
	mu        sync.Mutex
	all, each int
	busy      int            // guarded by mu
	of        map[string]int // guarded by mu; by organization
}

func newSlots(all, each int) *slots { return &slots{all: all, each: each, of: map[string]int{}} }

// enter takes a slot, or fails immediately: a waiting client would occupy a connection.
func (s *slots) enter(organizationID string) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy >= s.all || s.of[organizationID] >= s.each {
		return nil, fault.New(fault.Unavailable, "too_many_clones",
			"Too many repositories are being read at the moment.").WithHint("Try again in a moment.")
	}
	s.busy++
	s.of[organizationID]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy--
		if s.of[organizationID]--; s.of[organizationID] == 0 {
			delete(s.of, organizationID)
		}
	}), nil
}
