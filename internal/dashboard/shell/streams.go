package shell

import "sync"

// mostStreams is the maximum number of live pages that a user may have open on one server, because the server renders
// each of them repeatedly.
const mostStreams = 20

// streams counts the open streams of each user. It is safe for concurrent use.
type streams struct {
	most int

	mu   sync.Mutex
	open map[string]int // by user
}

func newStreams(most int) *streams { return &streams{most: most, open: map[string]int{}} }

// enter counts a stream, unless the user has reached the limit.
func (s *streams) enter(personID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[personID] >= s.most {
		return false
	}
	s.open[personID]++
	return true
}

func (s *streams) leave(personID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[personID]--; s.open[personID] <= 0 {
		delete(s.open, personID)
	}
}
