package auth_test

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/account"
	"github.com/lectern-docs/lectern/internal/auth"
	"github.com/lectern-docs/lectern/internal/fault"
)

// A5: exactly the limit passes, headers tell the truth, and the window's end brings a new allowance.
func TestTheLimitIsExactAndTheWindowEnds(t *testing.T) {
	clock := now // five seconds into a minute
	l := auth.NewRate(3, func() time.Time { return clock })
	for want := 2; want >= 0; want-- {
		h := http.Header{}
		if err := l.Take("key_a", h); err != nil || h.Get("RateLimit-Remaining") != strconv.Itoa(want) || h.Get("RateLimit-Limit") != "3" || h.Get("RateLimit-Reset") != "55" {
			t.Fatalf("%v %v", h, err)
		}
	}
	h := http.Header{}
	f, ok := fault.As(l.Take("key_a", h))
	if !ok || f.Kind != fault.RateLimited || f.RetryAfter != 55*time.Second || h.Get("RateLimit-Remaining") != "0" {
		t.Fatalf("fourth: %+v %v", f, h)
	}
	if err := l.Take("key_b", http.Header{}); err != nil {
		t.Errorf("another key: %v", err)
	}
	clock = clock.Add(f.RetryAfter)
	if err := l.Take("key_a", http.Header{}); err != nil {
		t.Errorf("after Retry-After: %v", err)
	}
}

func TestNoLimitHasNoHeaders(t *testing.T) {
	l, h := auth.NewRate(0, time.Now), http.Header{}
	for range 1000 {
		if err := l.Take("key_a", h); err != nil {
			t.Fatal(err)
		}
	}
	if len(h) != 0 {
		t.Errorf("headers %v", h)
	}
}

// touches is what was stored, by key.
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

func TestAKeysUseIsStoredAtMostOnceAMinuteAndFlushedOnClose(t *testing.T) {
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
