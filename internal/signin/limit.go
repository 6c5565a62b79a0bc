package signin

import (
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/fault"
)

const (
	tryWindow     = 15 * time.Minute
	triesByPlace  = 30 // wrong passwords from one address
	triesByEmail  = 10 // wrong passwords for one address of e-mail
	triesByPerson = 10 // wrong codes, or wrong passwords inside a session
	triesByHalf   = 5  // wrong codes after one password
	maxCounted    = 20_000
)

// limit counts failures under a key, in this process's memory: after so many there is a pause. It is safe for concurrent use.
type limit struct {
	most   int
	window time.Duration // from the first failure
	now    func() time.Time

	mu     sync.Mutex
	counts map[string]tally
}

type tally struct {
	failures int
	until    time.Time
}

func newLimit(most int, window time.Duration, now func() time.Time) *limit {
	return &limit{most: most, window: window, now: now, counts: map[string]tally{}}
}

// take counts a failure in advance, so that many attempts at once are no way around the limit, and returns 0; or it returns how long to wait
// and counts nothing. What turns out well is given back or forgotten.
func (l *limit) take(key string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	t, ok := l.counts[key]
	if !ok || !now.Before(t.until) {
		l.makeRoom(now)
		t = tally{until: now.Add(l.window)}
	}
	if t.failures >= l.most {
		return t.until.Sub(now)
	}
	t.failures++
	l.counts[key] = t
	return 0
}

// makeRoom keeps the table bounded: what is over goes first, then whoever has failed least, so that a flood of new keys does not wipe out
// the count of one under attack.
func (l *limit) makeRoom(now time.Time) {
	if len(l.counts) < maxCounted {
		return
	}
	least, at := "", 1<<30
	for key, t := range l.counts {
		if !now.Before(t.until) {
			delete(l.counts, key)
		} else if t.failures < at {
			least, at = key, t.failures
		}
	}
	if len(l.counts) >= maxCounted {
		delete(l.counts, least)
	}
}

func (l *limit) giveBack(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t, ok := l.counts[key]; ok && t.failures > 0 {
		t.failures--
		l.counts[key] = t
	}
}

func (l *limit) forget(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.counts, key)
}

// place is what an address is counted under: whoever has one address of IPv6 has the 2^64 beside it too.
func place(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || !a.Is6() {
		return address
	}
	p, err := a.Prefix(64)
	if err != nil {
		return address
	}
	return p.String()
}

func tooMany(wait time.Duration) error {
	minutes := int((wait + time.Minute - 1) / time.Minute)
	unit := "minutes"
	if minutes == 1 {
		unit = "minute"
	}
	return fault.New(fault.RateLimited, "too_many_attempts", "There were too many wrong attempts.").
		WithHint(fmt.Sprintf("Try again in %d %s.", minutes, unit)).WithRetryAfter(wait)
}
