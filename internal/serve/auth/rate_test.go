package auth_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

// A5: exactly as many requests as the limit are admitted, the headers are correct, and the end of the window resets
// the count.
func TestLimitIsExactAndResetsWithWindow(t *testing.T) {
	clock := now // five seconds into a minute
	l := auth.NewRate(3, nil, func() time.Time { return clock })
	for want := 2; want >= 0; want-- {
		h := http.Header{}
		if err := l.Take(t.Context(), "key_a", h); err != nil || h.Get("RateLimit-Remaining") != strconv.Itoa(want) ||
			h.Get("RateLimit-Limit") != "3" || h.Get("RateLimit-Reset") != "55" {
			t.Fatalf("%v %v", h, err)
		}
	}
	h := http.Header{}
	f, ok := fault.As(l.Take(t.Context(), "key_a", h))
	if !ok || f.Kind != fault.RateLimited || f.RetryAfter != 55*time.Second || h.Get("RateLimit-Remaining") != "0" {
		t.Fatalf("fourth: %+v %v", f, h)
	}
	if err := l.Take(t.Context(), "key_b", http.Header{}); err != nil {
		t.Errorf("another key: %v", err)
	}
	clock = clock.Add(f.RetryAfter)
	if err := l.Take(t.Context(), "key_a", http.Header{}); err != nil {
		t.Errorf("after Retry-After: %v", err)
	}
}

// shelf is a counter shared by several processes, with the number of queries.
type shelf struct {
	mu    sync.Mutex
	n     map[string]int
	asked int
	err   error
}

func (s *shelf) CountUp(_ context.Context, kind, key string, n int, window time.Duration) (store.Count, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.err != nil {
		return store.Count{}, s.err
	}
	s.n[kind+key] += n
	return store.Count{N: s.n[kind+key], Left: window}, nil
}

// A5: processes that share a count enforce one limit together, however callers are spread over them, and query it for
// only a few of the requests.
func TestProcessesShareLimit(t *testing.T) {
	for _, limit := range []int{1, 7, 30, 600, 6000} {
		common := &shelf{n: map[string]int{}}
		var processes []*auth.Rate
		for range 3 {
			processes = append(processes, auth.NewRate(limit, common, func() time.Time { return now }))
		}
		allowed := 0
		for i := range 3 * limit {
			if processes[i%3].Take(t.Context(), "key_a", http.Header{}) == nil {
				allowed++
			}
		}
		if allowed != limit {
			t.Errorf("limit %d, %d were allowed", limit, allowed)
		}
		if limit == 6000 && common.asked > 1000 {
			t.Errorf("the shared count got %d queries for %d requests", common.asked, 3*limit)
		}
	}
}

func TestConcurrentRequestsDoNotBypassLimit(t *testing.T) {
	const limit = 100
	common := &shelf{n: map[string]int{}}
	var processes []*auth.Rate
	for range 4 {
		processes = append(processes, auth.NewRate(limit, common, func() time.Time { return now }))
	}
	var allowed atomic.Int64
	var wait sync.WaitGroup
	for i := range 1000 {
		wait.Go(func() {
			if processes[i%4].Take(t.Context(), "key_a", http.Header{}) == nil {
				allowed.Add(1)
			}
		})
	}
	wait.Wait()
	if n := allowed.Load(); n != limit {
		t.Errorf("%d were allowed", n)
	}
}

func TestProcessCountsAloneIfSharedCountFails(t *testing.T) {
	l := auth.NewRate(20, &shelf{err: errors.New("gone")}, func() time.Time { return now })
	allowed := 0
	for range 50 {
		if l.Take(t.Context(), "key_a", http.Header{}) == nil {
			allowed++
		}
	}
	if allowed != 20 {
		t.Errorf("%d were allowed", allowed)
	}
}

// The shared count determines the window, whatever the local clock says.
func TestSharedCountDeterminesWindow(t *testing.T) {
	clock, db := now, now.Add(-time.Hour) // this process's clock is an hour ahead
	st, err := store.Open(t.Context(), store.Options{URL: filepath.Join(t.TempDir(), "l.db"),
		Now: func() time.Time { return db }, IDs: id.Source{Rand: rand.Reader}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	if _, err := st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, behind := range []time.Duration{time.Hour, -5 * time.Second, -2 * time.Hour} {
		db = clock.Add(-behind)
		l := auth.NewRate(3, st, func() time.Time { return clock })
		who := "key_" + behind.String()
		allowed := func() (n int) {
			for range 10 {
				if l.Take(t.Context(), who, http.Header{}) == nil {
					n++
				}
			}
			return n
		}
		if n := allowed(); n != 3 {
			t.Errorf("%s behind: %d were allowed", behind, n)
		}
		clock, db = clock.Add(40*time.Second), db.Add(40*time.Second)
		if n := allowed(); n != 0 {
			t.Errorf("%s behind: %d more before the end of the minute", behind, n)
		}
		clock, db = clock.Add(20*time.Second), db.Add(20*time.Second)
		if n := allowed(); n != 3 {
			t.Errorf("%s behind: %d in the next minute", behind, n)
		}
	}
}

func TestNoHeadersWithoutLimit(t *testing.T) {
	l, h := auth.NewRate(0, nil, time.Now), http.Header{}
	for range 1000 {
		if err := l.Take(t.Context(), "key_a", h); err != nil {
			t.Fatal(err)
		}
	}
	if len(h) != 0 {
		t.Errorf("headers %v", h)
	}
}

// touches holds the stored times of use, by key.
type touches struct {
	mu sync.Mutex
	at map[string][]time.Time
}

func (s *touches) touch(_ context.Context, keyID string, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at[keyID] = append(s.at[keyID], at)
	return nil
}

func TestKeyUseIsStoredAtMostOncePerMinute(t *testing.T) {
	s := &touches{at: map[string][]time.Time{}}
	u := auth.OpenUses(s.touch, slog.New(slog.DiscardHandler))
	for i := range 180 {
		u.Note(account.Key{ID: "key_a"}, now.Add(time.Duration(i)*time.Second))
	}
	recent := now.Add(-30 * time.Second)
	u.Note(account.Key{ID: "key_b", LastUsedAt: &recent}, now)
	u.Note(account.Key{ID: "key_c"}, now.Add(time.Hour))
	u.Close()
	u.Note(account.Key{ID: "key_d"}, now)
	u.Close()
	if n := len(s.at["key_a"]); n < 1 || n > 3 {
		t.Errorf("key_a was stored %d times in three minutes", n)
	}
	for i := 1; i < len(s.at["key_a"]); i++ {
		if gap := s.at["key_a"][i].Sub(s.at["key_a"][i-1]); gap < time.Minute {
			t.Errorf("two uses stored %s apart", gap)
		}
	}
	if len(s.at["key_b"]) != 0 || len(s.at["key_c"]) != 1 || len(s.at["key_d"]) != 0 {
		t.Errorf("stored: %v", s.at)
	}
}

// broken is a shared count that panics.
type broken struct{}

func (broken) CountUp(context.Context, string, string, int, time.Duration) (store.Count, error) {
	panic("the count is broken")
}

// A5: a panic in the shared count reaches the caller's handler, and the limit still works afterwards. A second unlock
// would end the process instead, since nothing can recover from it.
func TestLimitSurvivesPanicInSharedCount(t *testing.T) {
	l := auth.NewRate(2, broken{}, func() time.Time { return now })
	take := func() (reason any) {
		defer func() { reason = recover() }()
		return l.Take(t.Context(), "key_a", http.Header{})
	}
	for range 3 {
		if got := take(); got != "the count is broken" {
			t.Fatalf("recovered %v", got)
		}
	}
	if f, ok := fault.As(l.Take(t.Context(), "key_a", http.Header{})); !ok || f.Kind != fault.RateLimited {
		t.Errorf("the requests that panicked were not counted: %v", f)
	}
}
