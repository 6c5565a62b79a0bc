package queue_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/queue"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
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
			test(t, openStore(t, url(t)))
		})
	}
}

// openStore opens a database with all tables.
func openStore(t *testing.T, url string) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), store.Options{URL: url, Now: time.Now, IDs: id.Source{Rand: rand.Reader}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	if _, err := st.Migrate(t.Context(), func(ctx context.Context) error {
		return queue.Migrate(ctx, db(st), slog.New(slog.DiscardHandler))
	}); err != nil {
		t.Fatal(err)
	}
	return st
}

func db(st *store.Store) queue.DB {
	return queue.DB{SQLite: st.SQLite(), Reads: st.SQLiteReads(), Postgres: st.Postgres()}
}

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

// wakeOnce queues one task through the store, as request handlers do, and sends its wake-up down the given lane.
func wakeOnce(t *testing.T, st *store.Store, q *queue.Queue, express bool, end error) error {
	t.Helper()
	lane := task.Ordinary
	if express {
		lane = task.Either
	}
	st.SetWake(func(ctx context.Context, tx any, _ task.Lane) error { return q.Wake(ctx, tx, lane) })
	return st.Tx(t.Context(), func(tx *store.Tx) error {
		return errors.Join(wakeOf(t, tx), end)
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
func TestWakeUpCommitsWithItsTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		got := make(chan bool, 10)
		q := open(t, st, queue.Options{Slots: 1, Grace: time.Second,
			Work: func(_ context.Context, lane task.Lane) error { got <- lane == task.Express; return nil }})
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
		if first, second := await(t, "wake-up", got), await(t, "second wake-up", got); first == second {
			t.Fatalf("an express wake-up came twice on one lane (express %v)", first)
		}
	})
}

// J7: a full work lane does not hold up the express lane.
func TestExpressLaneRunsWhileWorkLaneIsFull(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		busy, release, express := make(chan struct{}, 10), make(chan struct{}), make(chan struct{}, 10)
		q := open(t, st, queue.Options{Slots: 1, Grace: time.Second,
			Work: func(ctx context.Context, lane task.Lane) error {
				if lane == task.Express {
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
		q := open(t, st, queue.Options{Slots: 1, Grace: 100 * time.Millisecond,
			Work: func(ctx context.Context, _ task.Lane) error {
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

func TestOneProcessRunsChores(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		done := make(chan struct{}, 100)
		work := func(context.Context, task.Lane) error { return nil }
		chores := []queue.Chore{{Name: "tidy", Every: time.Hour,
			Do: func(context.Context) error { done <- struct{}{}; return nil }}}
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

func TestQueueWithoutWorkOnlyEnqueuesWakeUps(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		inserter := open(t, st, queue.Options{})
		if err := wakeOnce(t, st, inserter, false, nil); err != nil {
			t.Fatal(err)
		}
		if err := inserter.Start(t.Context()); err == nil {
			t.Fatal("it started")
		}
		got := make(chan bool, 1)
		open(t, st, queue.Options{Slots: 1, Grace: time.Second,
			Work: func(_ context.Context, lane task.Lane) error { got <- lane == task.Express; return nil }})
		await(t, "wake-up left by another process", got)
	})
}

// J7: a long job on the express lane does not hold up other organizations while the work lane is idle.
func TestWorkLaneRunsWhileExpressLaneIsBusy(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		// The first two calls are the first task's and stay; with the work lane's two slots one more can come.
		called, release := make(chan bool, 10), make(chan struct{})
		q := open(t, st, queue.Options{Slots: 2, Grace: time.Second,
			Work: func(_ context.Context, lane task.Lane) error {
				called <- lane == task.Express
				<-release
				return nil
			}})
		defer close(release)
		for _, want := range []int{2, 1} {
			if err := wakeOnce(t, st, q, true, nil); err != nil {
				t.Fatal(err)
			}
			for range want {
				await(t, "wake-up", called)
			}
		}
	})
}

// A chore that is slower than its interval is not followed by all the runs it missed.
func TestSlowChoreLeavesNoBacklog(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		started, resume := make(chan struct{}, 100), make(chan struct{})
		open(t, st, queue.Options{Slots: 1, Grace: time.Second,
			Work: func(context.Context, task.Lane) error { return nil },
			Chores: []queue.Chore{{Name: "slow", Every: time.Second, Do: func(context.Context) error {
				started <- struct{}{}
				<-resume
				return nil
			}}}})
		await(t, "chore", started)
		until(t, "a backlog", func() bool { return waitingChores(t, st) >= 3 })
		close(resume)
		await(t, "next run", started)
		if left := waitingChores(t, st); left > 1 {
			t.Errorf("%d runs still wait", left)
		}
		if extra := len(started); extra > 1 {
			t.Errorf("%d runs followed at once", extra+1)
		}
	})
}

// until polls the database, which sends no notifications, until a condition holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(patience); !holds(); {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%s never came", what)
		}
	}
}

func waitingChores(t *testing.T, st *store.Store) int {
	t.Helper()
	return count(t, st, `SELECT count(*) FROM river_job WHERE queue = 'chores' AND state = 'available'`)
}

func count(t *testing.T, st *store.Store, query string) (n int) {
	t.Helper()
	var err error
	if pg := st.Postgres(); pg != nil {
		err = pg.QueryRow(t.Context(), query).Scan(&n)
	} else {
		err = st.SQLite().QueryRowContext(t.Context(), query).Scan(&n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The rows that killed processes leave in the queue's table are ended after a while, and removed like any others.
func TestRowsOfDeadProcessesAreEnded(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		if err := wakeOnce(t, st, open(t, st, queue.Options{}), false, nil); err != nil {
			t.Fatal(err)
		}
		const dead = `UPDATE river_job SET state = 'running', attempt = 1, attempted_at = '2026-01-02 03:04:05'`
		var err error
		if pg := st.Postgres(); pg != nil {
			_, err = pg.Exec(t.Context(), dead)
		} else {
			_, err = st.SQLite().ExecContext(t.Context(), dead)
		}
		if err != nil {
			t.Fatal(err)
		}
		open(t, st, queue.Options{Slots: 1, Grace: time.Second,
			Work: func(context.Context, task.Lane) error { return nil }})
		until(t, "the row's end",
			func() bool { return count(t, st, `SELECT count(*) FROM river_job WHERE state = 'running'`) == 0 })
	})
}

// J10: what is inserted is due at once, whatever the inserting machine's clock says.
func TestWakeUpsAndChoresRunDespiteWrongClock(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		done := make(chan struct{}, 10)
		q := open(t, st, queue.Options{Slots: 1, Grace: time.Second,
			Work: func(context.Context, task.Lane) error { return nil },
			Chores: []queue.Chore{{Name: "tidy", Every: time.Hour,
				Do: func(context.Context) error { done <- struct{}{}; return nil }}}})
		if err := wakeOnce(t, st, q, true, nil); err != nil {
			t.Fatal(err)
		}
		await(t, "chore", done)
		all := count(t, st, `SELECT count(*) FROM river_job`)
		if late := count(t, st, `SELECT count(*) FROM river_job WHERE scheduled_at > '1971-01-01 00:00:00'`); all < 3 ||
			late > 0 {
			t.Errorf("%d of %d depend on a clock", late, all)
		}
	})
}

// J7: agents, however many wait, keep no place from other work, and other work none from them; neither lane does more
// at once than it may.
func TestAgentsHaveTheirOwnLane(t *testing.T) {
	onBoth(t, func(t *testing.T, st *store.Store) {
		started, release := make(chan task.Lane, 20), make(chan struct{})
		q := open(t, st, queue.Options{Slots: 1, Agents: 2, Grace: time.Second,
			Work: func(_ context.Context, lane task.Lane) error {
				started <- lane
				<-release
				return nil
			}})
		for _, lane := range []task.Lane{task.Agents, task.Agents, task.Agents, task.Agents, task.Ordinary,
			task.Ordinary, task.Ordinary} {
			st.SetWake(func(ctx context.Context, tx any, _ task.Lane) error { return q.Wake(ctx, tx, lane) })
			if err := st.Tx(t.Context(), func(tx *store.Tx) error { return wakeOf(t, tx) }); err != nil {
				t.Fatal(err)
			}
		}
		seen := map[task.Lane]int{}
		for range 3 {
			seen[await(t, "work", started)]++
		}
		if seen[task.Agents] != 2 || seen[task.Ordinary] != 1 || len(started) != 0 {
			t.Errorf("at once: %v and %d more", seen, len(started))
		}
		close(release)
		for range 4 {
			seen[await(t, "the rest", started)]++
		}
		if seen[task.Agents] != 4 || seen[task.Ordinary] != 3 {
			t.Errorf("in all: %v", seen)
		}
	})
}

// wakeOf makes a task of an organization of its own.
func wakeOf(t *testing.T, tx *store.Tx) error {
	o, err := tx.CreateOrganization(t.Context(), "o", account.PlanPro)
	if err != nil {
		return err
	}
	_, err = tx.CreateExport(t.Context(),
		export.Job{OrganizationID: o.ID, ProjectID: "prj_x", Domain: "docs.example.com"})
	return err
}
