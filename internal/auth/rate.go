package auth

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/problem"
)

// window is how long a count lasts.
const window = time.Minute

// Rate counts requests by key in windows of a minute. Counts are this process's own: with several replicas each allows
// the limit. It is safe for concurrent use.
type Rate struct {
	limit int // requests a window; 0 = no limit
	now   func() time.Time

	mu     sync.Mutex
	start  time.Time      // of the current window
	counts map[string]int // by key id; dropped with its window, so it cannot grow for ever
}

// NewRate makes a counter that allows limit requests a minute; 0 means any number.
func NewRate(limit int, now func() time.Time) *Rate {
	return &Rate{limit: limit, now: now, counts: map[string]int{}}
}

// Take counts one request of the key, says in the answer's headers how many are left (A5), and refuses one too many.
func (l *Rate) Take(keyID string, h http.Header) error {
	if l.limit <= 0 {
		return nil
	}
	used, left := l.count(keyID)
	h.Set("RateLimit-Limit", strconv.Itoa(l.limit))
	h.Set("RateLimit-Remaining", strconv.Itoa(max(0, l.limit-used)))
	h.Set("RateLimit-Reset", strconv.Itoa(problem.Seconds(left)))
	if used <= l.limit {
		return nil
	}
	return fault.Newf(fault.RateLimited, "rate_limited", "This key may make %d requests a minute.", l.limit).
		WithRetryAfter(left).WithHint("Wait as long as Retry-After says.")
}

// count returns the key's requests in this window, this one included, and how long the window lasts still.
func (l *Rate) count(keyID string) (used int, left time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if start := now.Truncate(window); !start.Equal(l.start) {
		l.start = start
		clear(l.counts)
	}
	l.counts[keyID]++
	return l.counts[keyID], l.start.Add(window).Sub(now)
}
