package auth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
	"github.com/lectern-docs/lectern/internal/store"
)

// Counter stores counts shared by all processes.
type Counter interface {
	CountUp(ctx context.Context, kind, key string, n int, window time.Duration) (store.Count, error)
}

// Rate counts requests by caller, in windows of a minute or an hour, across all processes (A5). It is safe for
// concurrent use.
//
// With a high limit, querying the database on each request would cost as much as the requests themselves. A process
// therefore admits some requests on its own and reports them later: at most an eighth of the requests that were left
// at its last query, none of the final eighth of the limit, and for at most a fifth of a second. Low limits are
// counted one by one, so that they are exact, even for a burst across all processes.
type Rate struct {
	kind   string        // what is counted; separates the users of one Counter
	limit  int           // requests per window; 0 = no limit
	window time.Duration // length of a window
	says   string        // message when the limit is exceeded
	shared Counter       // nil = this process is the only one
	now    func() time.Time

	mu     sync.Mutex
	swept  time.Time         // when expired counts were last removed
	counts map[string]*tally // by caller id
}

// tally is a process's state for one caller.
type tally struct {
	known int       // requests counted by all processes at the last query
	own   int       // requests counted here since then and not reported yet
	sent  int       // requests being reported now
	grant int       // further requests to admit without a query
	asked time.Time // time of the last query
	end   time.Time // end of the caller's window, by this process's clock
}

func (t *tally) used() int { return t.known + t.own + t.sent }

const (
	ownShare = 8    // a process may take 1/ownShare of the remaining requests at a time
	ownFrom  = 1000 // lower limits are counted one by one
	ownFor   = 200 * time.Millisecond
	askLife  = 5 * time.Second // how long a request waits for the shared count before this process counts alone
)

// NewRate returns a Rate that allows limit requests per minute; 0 means unlimited. shared is nil if there is only one
// process.
func NewRate(limit int, shared Counter, now func() time.Time) *Rate {
	return &Rate{kind: "minute", limit: limit, window: time.Minute, shared: shared, now: now,
		counts: map[string]*tally{},
		says:   fmt.Sprintf("Too many requests: the limit is %d per minute for each caller.", limit)}
}

// NewHourly returns a Rate that allows limit requests per hour. who describes the callers in messages.
func NewHourly(limit int, who string, shared Counter, now func() time.Time) *Rate {
	return &Rate{kind: "hour " + who, limit: limit, window: time.Hour, shared: shared, now: now,
		counts: map[string]*tally{},
		says:   fmt.Sprintf("Too many requests: the limit is %[2]d per hour for %[1]s.", who, limit)}
}

// maxCounted limits the memory for one window. With more callers, those that have used less than half of their limit
// start over: a flood of new callers must not reset a caller that has used up its limit.
const maxCounted = 100_000

// Take counts a request from the caller, sets the response headers with the remaining requests (A5), and returns an
// error if the limit is exceeded.
func (l *Rate) Take(ctx context.Context, id string, h http.Header) error {
	if l.limit <= 0 {
		return nil
	}
	used, left := l.count(ctx, id)
	h.Set("RateLimit-Limit", strconv.Itoa(l.limit))
	h.Set("RateLimit-Remaining", strconv.Itoa(max(0, l.limit-used)))
	h.Set("RateLimit-Reset", strconv.Itoa(apierror.Seconds(left)))
	if used <= l.limit {
		return nil
	}
	return fault.New(fault.RateLimited, "rate_limited", l.says).
		WithRetryAfter(left).WithHint("Wait for the time in Retry-After.")
}

// count returns the number of the caller's requests in this window, including this one, and the time until the window
// ends.
func (l *Rate) count(ctx context.Context, id string) (used int, left time.Duration) {
	t, n, used, left := l.begin(id)
	if n == 0 {
		return used, left
	}
	c, err := store.Count{}, errors.New("the shared count panicked")
	// Deferred so that the requests are accounted for even if ask panics.
	defer func() { used, left = l.end(t, n, c, err, left) }()
	c, err = l.ask(ctx, id, n)
	return used, left
}

// begin counts a request in this process. n is the number of requests that must be added to the shared count first;
// if it is 0, the result is already known.
func (l *Rate) begin(id string) (t *tally, n, used int, left time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	t = l.tally(id, now)
	left = t.end.Sub(now)
	if t.known > l.limit { // a caller over the limit causes no database load
		return t, 0, t.known, left
	}
	t.own++
	if l.shared == nil {
		return t, 0, t.used(), left
	}
	if t.grant > 0 && now.Sub(t.asked) < ownFor {
		t.grant--
		return t, 0, t.used(), left
	}
	n = t.own
	t.own, t.sent, t.asked = 0, t.sent+n, now
	return t, n, 0, left
}

// end processes the shared count's result for n requests, or counts them locally after an error.
func (l *Rate) end(t *tally, n int, c store.Count, err error, left time.Duration) (int, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t.sent -= n
	if err != nil { // not returned: the request itself will fail the same way, or does not need the database
		t.known += n
		t.grant = l.share(t)
		return t.used(), left
	}
	t.known, t.end = max(t.known, c.N), l.now().Add(c.Left)
	t.grant = l.share(t)
	return c.N, c.Left
}

// share returns how many of a caller's requests this process may admit before the next query, less those not reported
// yet.
func (l *Rate) share(t *tally) int {
	if l.limit < ownFrom {
		return 0
	}
	return max(0, (l.limit-l.limit/ownShare-t.used())/ownShare-t.own)
}

// ask adds n requests to the shared count, even if the caller disconnects.
func (l *Rate) ask(ctx context.Context, id string, n int) (store.Count, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askLife)
	defer cancel()
	return l.shared.CountUp(ctx, l.kind, id, n, l.window)
}

// tally returns a caller's state. If a process counts alone, windows end at whole minutes or hours; otherwise the
// shared count determines their end.
func (l *Rate) tally(id string, now time.Time) *tally {
	if now.Sub(l.swept) >= l.window || len(l.counts) >= maxCounted {
		maps.DeleteFunc(l.counts, func(_ string, t *tally) bool { return !now.Before(t.end) })
		if len(l.counts) >= maxCounted {
			maps.DeleteFunc(l.counts, func(_ string, t *tally) bool { return 2*t.used() < l.limit })
		}
		if len(l.counts) >= maxCounted {
			clear(l.counts)
		}
		l.swept = now
	}
	t := l.counts[id]
	if t == nil || !now.Before(t.end) {
		t = &tally{end: now.Truncate(l.window).Add(l.window)}
		l.counts[id] = t
	}
	return t
}
