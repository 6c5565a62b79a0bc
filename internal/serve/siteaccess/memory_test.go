package siteaccess_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
)

func newMemory(now *time.Time) *siteaccess.Memory {
	return siteaccess.NewMemory(access.Settings{Mode: access.Password},
		account.SessionLimits{Idle: time.Hour, Absolute: 8 * time.Hour}, func() time.Time { return *now })
}

// Sessions in memory behave like those in a database: they are found only for their site, and until they end.
func TestMemoryKeepsSessions(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	m, ctx := newMemory(&now), t.Context()
	found := func(hash, project, host string) bool {
		t.Helper()
		_, err := m.FindReaderSession(ctx, hash, project, host)
		if err != nil && !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
		return err == nil
	}
	open := func(hash, old string) {
		t.Helper()
		if err := m.OpenReaderSession(ctx, access.Session{Hash: hash, ProjectID: "p", Host: "h"}, old); err != nil {
			t.Fatal(err)
		}
	}
	open("one", "")
	if !found("one", "p", "h") || found("one", "other", "h") || found("one", "p", "other") || found("two", "p", "h") {
		t.Error("a session was found for another site")
	}
	open("two", "one")
	if found("one", "p", "h") || !found("two", "p", "h") {
		t.Error("the new session did not end the old one")
	}
	later := now.Add(time.Minute)
	for _, at := range []time.Time{later, now} {
		if err := m.TouchReaderSession(ctx, "two", at); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := m.FindReaderSession(ctx, "two", "p", "h"); err != nil || !s.SeenAt.Equal(later) || !s.CreatedAt.Equal(now) {
		t.Errorf("%+v (error %v)", s, err)
	}
	if err := m.EndReaderSession(ctx, "two", "p", "other"); err != nil || !found("two", "p", "h") {
		t.Errorf("another host ended the session (error %v)", err)
	}
	if err := m.EndReaderSession(ctx, "two", "p", "h"); err != nil || found("two", "p", "h") {
		t.Errorf("the session did not end (error %v)", err)
	}
}

// Strangers cannot fill the memory, and expired entries are removed.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	m, ctx := newMemory(&now), t.Context()
	const most = 100_000
	open := func(i int) error {
		return m.OpenReaderSession(ctx, access.Session{Hash: fmt.Sprint(i), ProjectID: "p", Host: "h"}, "")
	}
	count := func(i int) error { _, err := m.CountUp(ctx, "password", fmt.Sprint(i), 1, time.Hour); return err }
	for name, add := range map[string]func(int) error{"sessions": open, "counts": count} {
		for i := range most {
			if err := add(i); err != nil {
				t.Fatalf("%s: %d: %v", name, i, err)
			}
		}
		if err := add(most); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: beyond the limit: %v", name, err)
		}
	}
	now = now.Add(2 * time.Hour)
	for name, add := range map[string]func(int) error{"sessions": open, "counts": count} {
		if err := add(most); err != nil {
			t.Errorf("%s: after the others have ended: %v", name, err)
		}
	}
}

// A count restarts after its window, and is reset after a success.
func TestMemoryCountsExpireAndReset(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	m, ctx := newMemory(&now), t.Context()
	want := func(n int, left time.Duration) {
		t.Helper()
		if c, err := m.FindCount(ctx, "password", "net"); err != nil || c.N != n || c.Left != left {
			t.Errorf("%+v (error %v), want %d for %s", c, err, n, left)
		}
	}
	up := func() {
		t.Helper()
		if _, err := m.CountUp(ctx, "password", "net", 1, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	want(0, 0)
	up()
	now = now.Add(10 * time.Minute)
	up()
	want(2, 50*time.Minute)
	if err := m.CountDown(ctx, "password", "net"); err != nil {
		t.Fatal(err)
	}
	want(1, 50*time.Minute)
	now = now.Add(time.Hour)
	want(0, 0)
	up()
	want(1, time.Hour)
	if err := m.CountAnew(ctx, "password", "net"); err != nil {
		t.Fatal(err)
	}
	want(0, 0)
}
