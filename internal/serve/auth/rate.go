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

// Counter keeps counts that all processes share.
type Counter interface {
	CountUp(ctx context.Context, kind, key string, n int, window time.Duration) (store.Count, error)
}

// Rate counts requests by caller, in windows of a minute or an hour, over all processes (A5). It is safe for concurrent
// use.
//
// Where much is allowed, asking the database at each request would cost as much as the requests. A process then answers
// some by itself and reports them later: never more than an eighth of what was left when it last asked, none of the
// last eighth, and for a fifth of a second at most. Small limits are counted one by one, so that they hold exactly,
// also for a burst over all processes.
type Rate struct {
	kind   string        // what is counted, to separate users of one Counter
	limit  int           // requests a window; 0 = no limit
	window time.Duration // how long a count lasts
	says   string        // the message beyond the limit
	shared Counter       // nil = this process is the only one
	now    func() time.Time

	mu     sync.Mutex
	swept  time.Time         // when counts that have ended were dropped
	counts map[string]*tally // by id
}

// tally is what a process knows of one caller.
type tally struct {
	known int       // counted by all processes, when last asked
	own   int       // counted here since, and not reported yet
	sent  int       // being reported at the moment
	grant int       // how many more may be answered without asking
	asked time.Time // when it was last asked
	end   time.Time // of the caller's window, by this process's clock
}

func (t *tally) used() int { return t.known + t.own + t.sent }

const (
	ownShare = 8    // a process keeps one part in so many of what is left to itself
	ownFrom  = 1000 // limits below this are counted one by one
	ownFor   = 200 * time.Millisecond
	askLife  = 5 * time.Second // how long a request waits for the shared count before this process counts alone
)

// NewRate makes a counter that allows limit requests a minute; 0 means any number. shared is nil where there is one
// process.
func NewRate(limit int, shared Counter, now func() time.Time) *Rate {
	return &Rate{kind: "minute", limit: limit, window: time.Minute, shared: shared, now: now,
		counts: map[string]*tally{},
		says:   fmt.Sprintf("Too many requests: the limit is %d per minute for each caller.", limit)}
}

// NewHourly makes a counter that allows limit requests an hour. who names the counted callers in messages.
func NewHourly(limit int, who string, shared Counter, now func() time.Time) *Rate {
	return &Rate{kind: "hour " + who, limit: limit, window: time.Hour, shared: shared, now: now,
		counts: map[string]*tally{},
		says:   fmt.Sprintf("Too many requests: the limit is %[2]d per hour for %[1]s.", who, limit)}
}

// maxCounted bounds the memory of one window. With more callers than that, those that have used less than half of their
// limit start over: a flood of new callers must not free one that has used it up.
const maxCounted = 100_000

// Take counts one request of the caller, says in the answer's headers how many are left (A5), and refuses one too many.
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

// count returns the caller's requests in this window, this one included, and how long the window lasts still.
func (l *Rate) count(ctx context.Context, id string) (used int, left time.Duration) {
	t, n, used, left := l.begin(id)
	if n == 0 {
		return used, left
	}
	c, err := store.Count{}, errors.New("the shared count panicked")
	// also when asking panics: what was sent is settled, and the lock free
	defer func() { used, left = l.end(t, n, c, err, left) }()
	c, err = l.ask(ctx, id, n)
	return used, left
}

// begin counts a request in this process. n is how many requests must be added to the shared count first; 0 = none, the
// result is known.
func (l *Rate) begin(id string) (t *tally, n, used int, left time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	t = l.tally(id, now)
	left = t.end.Sub(now)
	if t.known > l.limit { // a caller beyond the limit costs the database nothing
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

// end takes the shared count's answer to n requests, or counts alone when there is none.
func (l *Rate) end(t *tally, n int, c store.Count, err error, left time.Duration) (int, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t.sent -= n
	if err != nil { // the request itself will fail the same way, or does not need the database
		t.known += n
		t.grant = l.share(t)
		return t.used(), left
	}
	t.known, t.end = max(t.known, c.N), l.now().Add(c.Left)
	t.grant = l.share(t)
	return c.N, c.Left
}

// share returns how many requests of a caller this process may answer before it asks again, less what it has not
// reported yet.
func (l *Rate) share(t *tally) int {
	if l.limit < ownFrom {
		return 0
	}
	return max(0, (l.limit-l.limit/ownShare-t.used())/ownShare-t.own)
}

// ask adds n requests to the shared count. They were made, so a canceled caller does not undo them.
func (l *Rate) ask(ctx context.Context, id string, n int) (store.Count, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askLife)
	defer cancel()
	return l.shared.CountUp(ctx, l.kind, id, n, l.window)
}

// tally finds what is known of a caller. A window lasts until the next whole minute or hour where a process counts
// alone, and otherwise as long as the shared count says.
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
