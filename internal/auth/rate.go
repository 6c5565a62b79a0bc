package auth

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/problem"
)

// Rate counts requests by caller, a key or a member, in windows of a minute or an hour. Counts are this process's own: with several replicas each allows
// the limit. It is safe for concurrent use.
type Rate struct {
	limit  int           // requests a window; 0 = no limit
	window time.Duration // how long a count lasts
	says   string        // what the caller is told beyond the limit
	now    func() time.Time

	mu     sync.Mutex
	start  time.Time      // of the current window
	counts map[string]int // by id; dropped with its window, so it cannot grow for ever
}

// NewRate makes a counter that allows limit requests a minute; 0 means any number.
func NewRate(limit int, now func() time.Time) *Rate {
	return &Rate{limit: limit, window: time.Minute, now: now, counts: map[string]int{}, says: fmt.Sprintf("One caller may make %d requests a minute.", limit)}
}

// NewHourly makes a counter that allows limit requests an hour. who is what a sentence calls those who are counted.
func NewHourly(limit int, who string, now func() time.Time) *Rate {
	return &Rate{limit: limit, window: time.Hour, now: now, counts: map[string]int{}, says: fmt.Sprintf("%s may make %d requests an hour.", who, limit)}
}

// maxCounted bounds the memory of one window: with more callers than that, all begin anew.
const maxCounted = 100_000

// Take counts one request of the caller, says in the answer's headers how many are left (A5), and refuses one too many.
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
	return fault.New(fault.RateLimited, "rate_limited", l.says).
		WithRetryAfter(left).WithHint("Wait as long as Retry-After says.")
}

// count returns the key's requests in this window, this one included, and how long the window lasts still.
func (l *Rate) count(keyID string) (used int, left time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if start := now.Truncate(l.window); !start.Equal(l.start) || len(l.counts) >= maxCounted {
		l.start = start
		clear(l.counts)
	}
	l.counts[keyID]++
	return l.counts[keyID], l.start.Add(l.window).Sub(now)
}
