package shell

import "sync"

// mostStreams is the number of live pages that a person may have open on one server: each renders its page
// repeatedly.
const mostStreams = 20

// streams counts the open streams of each person. It is safe for concurrent use.
type streams struct {
	most int

	mu   sync.Mutex
	open map[string]int // by person
}

func newStreams(most int) *streams { return &streams{most: most, open: map[string]int{}} }

// enter counts a stream, unless the person has reached the limit.
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
