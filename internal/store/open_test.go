package store_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/store"
)

// TestPostgresRetriesDeadlockedTransaction makes two transactions change two rows in opposite order. The server aborts
// one of them, but its caller must not notice that. SQLite has only one writer, so it has no deadlocks.
func TestPostgresRetriesDeadlockedTransaction(t *testing.T) {
	s, ctx := open(t, postgresDatabase(t)), t.Context()
	if _, err := s.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	var names [2]string
	if err := s.Tx(ctx, func(tx *store.Tx) error {
		for i := range names {
			o, err := tx.CreateOrganization(ctx, "a", account.PlanFree)
			if err != nil {
				return err
			}
			names[i] = o.ID
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var both, done sync.WaitGroup
	both.Add(2)
	var runs atomic.Int64
	ended := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	for i := range 2 {
		var first sync.Once
		again := false
		done.Go(func() {
			defer close(ended[i])
			err := s.Tx(ctx, func(tx *store.Tx) error {
				runs.Add(1)
				if again {
					// Otherwise this transaction could lock its row again before the other one wakes up, which would be
					// another deadlock.
					<-ended[1-i]
				}
				again = true
				if err := tx.SetPlan(ctx, names[i], account.PlanPro); err != nil {
					return err
				}
				first.Do(func() { both.Done(); both.Wait() }) // each holds one row before either requests the other
				return tx.SetPlan(ctx, names[1-i], account.PlanPro)
			})
			if err != nil {
				t.Errorf("transaction %d: %v", i, err)
			}
		})
	}
	done.Wait()
	if runs.Load() != 3 {
		t.Errorf("two transactions were run %d times, want 3", runs.Load())
	}
}

func TestOpenErrorsHidePassword(t *testing.T) {
	good, err := url.Parse(postgresDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func(*url.URL)) string {
		u := *good
		u.User = url.UserPassword("lectern", "s3cr3t")
		change(&u)
		return u.String()
	}
	for name, address := range map[string]string{
		"wrong password": with(func(*url.URL) {}),
		"no such port":   with(func(u *url.URL) { u.Host = "127.0.0.1:99999" }),
		"nobody listens": with(func(u *url.URL) { u.Host = "127.0.0.1:1" }),
		"bad option":     with(func(u *url.URL) { u.RawQuery = "sslmode=s3cr3t" }),
		"bad escape":     "postgres://lectern:s3cr3t%zz@127.0.0.1/x",
	} {
		s, err := store.Open(t.Context(), store.Options{URL: address, Now: time.Now})
		if err == nil {
			t.Errorf("%s: opened", name)
			_ = s.Close()
		} else if strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: the error reveals the password: %v", name, err)
		}
	}
}

func TestOpenFailsInMissingFolder(t *testing.T) {
	s, err := store.Open(t.Context(), store.Options{URL: filepath.Join(t.TempDir(), "missing", "a.db"), Now: time.Now})
	if err == nil {
		_ = s.Close()
		t.Error("a database was opened in a folder that does not exist")
	}
}
