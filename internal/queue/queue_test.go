package queue_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/account"
	"github.com/lectern-docs/lectern/internal/export"
	"github.com/lectern-docs/lectern/internal/id"
	"github.com/lectern-docs/lectern/internal/queue"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testserver/postgres"
)

// patience bounds every wait; reaching it means the event never came.
const patience = 30 * time.Second

var server *postgres.Server

func TestMain(m *testing.M) { postgres.Main(m, &server) }

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, test func(t *testing.T, st *store.Store)) {
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "q.db") },
		"postgres": func(t *testing.T) string { return server.Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			st, err := store.Open(t.Context(), store.Options{URL: url(t), Now: time.Now, IDs: id.Source{Rand: rand.Reader}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = st.Close() })
			if _, err := st.Migrate(t.Context(), func(ctx context.Context) error {
				return queue.Migrate(ctx, db(st), slog.New(slog.DiscardHandler))
			}); err != nil {
				t.Fatal(err)
			}
			test(t, st)
		})
	}
}

func db(st *store.Store) queue.DB { return queue.DB{SQLite: st.SQLite(), Postgres: st.Postgres()} }

func open(t *testing.T, st *store.Store, opt queue.Options) *queue.Queue {
	t.Helper()
	opt.DB, opt.ProcessID, opt.Logger = db(st), id.Source{Rand: rand.Reader}.New("proc_"), slog.New(slog.DiscardHandler)
	q, err := queue.Open(opt)
	if err != nil {
		t.Fatal(err)
	}
	if opt.Work != nil {
		if err := q.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = q.Stop(context.Background()) })
	}
	return q
}

// wakeOnce queues one task through the store, as the doors do, and sends its wake-up down the given lane.
func wakeOnce(t *testing.T, st *store.Store, q *queue.Queue, express bool, end error) error {
	t.Helper()
	st.SetWake(func(ctx context.Context, tx any, _ bool) error { return q.Wake(ctx, tx, express) })
	return st.Tx(t.Context(), func(tx *store.Tx) error {
		o, err := tx.CreateOrganization(t.Context(), "o", account.PlanPro)
		if err != nil {
			return err
		}
		_, err = tx.CreateExport(t.Context(), export.Job{OrganizationID: o.ID, ProjectID: "prj_x", Domain: "docs.example.com"})
		return errors.Join(err, end)
	})
}

func await[T any](t *testing.T, what string, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatalf("%s never came", what)
		panic("unreachable")
	}
}

// J1: a wake-up is delivered when its transaction commits, and only then.
func TestAWakeUpComesWithItsTransactionOrNotAtAll(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		got := make(chan bool, 10)
		q := open(t, st, queue.Options{Slots: 1, Grace: time.Second, Work: func(_ context.Context, express bool) error { got <- express; return nil }})
		rolledBack := errors.New("rolled back")
		if err := wakeOnce(t, st, q, true, rolledBack); !errors.Is(err, rolledBack) {
			t.Fatal(err)
		}
		if err := wakeOnce(t, st, q, false, nil); err != nil {
			t.Fatal(err)
		}
		if await(t, "wake-up", got) {
			t.Fatal("the wake-up that was rolled back was delivered")
		}
		if err := wakeOnce(t, st, q, true, nil); err != nil {
			t.Fatal(err)
		}
		if !await(t, "express wake-up", got) {
			t.Fatal("the express wake-up came on the wrong lane")
		}
	})
}

// A full work lane does not hold up the express lane (J7).
func TestTheExpressLaneIsFreeWhileTheWorkLaneIsFull(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		busy, release, express := make(chan struct{}, 10), make(chan struct{}), make(chan struct{}, 10)
		q := open(t, st, queue.Options{Slots: 1, Grace: time.Second, Work: func(ctx context.Context, fast bool) error {
			if fast {
				express <- struct{}{}
				return nil
			}
			busy <- struct{}{}
			<-release
			return nil
		}})
		defer close(release)
		if err := wakeOnce(t, st, q, false, nil); err != nil {
			t.Fatal(err)
		}
		await(t, "work", busy)
		if err := wakeOnce(t, st, q, true, nil); err != nil {
			t.Fatal(err)
		}
		await(t, "express work", express)
	})
}

func TestStopLetsWorkFinishThenCancelsIt(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		started, ended := make(chan struct{}, 1), make(chan error, 1)
		q := open(t, st, queue.Options{Slots: 1, Grace: 100 * time.Millisecond, Work: func(ctx context.Context, _ bool) error {
			started <- struct{}{}
			<-ctx.Done()
			ended <- ctx.Err()
			return ctx.Err()
		}})
		if err := wakeOnce(t, st, q, false, nil); err != nil {
			t.Fatal(err)
		}
		await(t, "work", started)
		if err := q.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := await(t, "end of work", ended); !errors.Is(err, context.Canceled) {
			t.Fatalf("work ended with %v", err)
		}
	})
}

func TestChoresAreDoneByOneProcess(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		done := make(chan struct{}, 100)
		work := func(context.Context, bool) error { return nil }
		chores := []queue.Chore{{Name: "tidy", Every: time.Hour, Do: func(context.Context) error { done <- struct{}{}; return nil }}}
		var both []*queue.Queue
		for range 2 {
			both = append(both, open(t, st, queue.Options{Slots: 1, Grace: time.Second, Work: work, Chores: chores}))
		}
		await(t, "chore", done)
		for _, q := range both {
			if err := q.Stop(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if len(done) > 0 {
			t.Fatal("both processes did the chore")
		}
	})
}

func TestAQueueWithoutWorkOnlyPassesWakeUpsOn(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		inserter := open(t, st, queue.Options{})
		if err := wakeOnce(t, st, inserter, false, nil); err != nil {
			t.Fatal(err)
		}
		if err := inserter.Start(t.Context()); err == nil {
			t.Fatal("it started")
		}
		got := make(chan bool, 1)
		open(t, st, queue.Options{Slots: 1, Grace: time.Second, Work: func(_ context.Context, express bool) error { got <- express; return nil }})
		await(t, "wake-up left by another process", got)
	})
}
