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
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
)

// patience bounds every wait; reaching it means the event never came.
const patience = 30 * time.Second

var server *postgres.Server

func TestMain(m *testing.M) { postgres.Main(m, &server) }

// onBoth runs a test on SQLite and on PostgreSQL, with the URL of a database without rows.
func onBoth(t *testing.T, test func(t *testing.T, url string)) {
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return storetest.SQLite(t, filepath.Join(t.TempDir(), "q.db")) },
		"postgres": func(t *testing.T) string { return server.Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, url(t))
		})
	}
}

// process is a process with a queue on a database: a store of its own, with connections of its own.
type process struct {
	t     *testing.T
	st    *store.Store
	q     *queue.Queue
	looks chan task.Lane // each look for a task
	runs  chan running   // each task that begins
}

type running struct {
	lane task.Lane
	id   string
	ctx  context.Context
	end  func() // lets it end

	ended chan error // why its context ended before it did, or nil
}

// open starts a process. opt says how many places lanes have, and which chores there are; start = false: it only sends.
func open(t *testing.T, url string, start bool, opt queue.Options) *process {
	t.Helper()
	p := &process{t: t, looks: make(chan task.Lane, 100_000), runs: make(chan running, 1000)}
	p.st = openStore(t, url, time.Now)
	opt.DB = queue.DB{SQLite: p.st.SQLite(), Postgres: p.st.Postgres()}
	opt.ProcessID = id.Source{Rand: rand.Reader}.New("proc_")
	if opt.Claims == nil {
		opt.Claims = p.st
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if start && opt.Take == nil {
		opt.Take = p.take
	}
	p.q = queue.Open(opt)
	p.st.SetWake(p.q.Wake)
	if start {
		if err := p.q.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.stop() })
	}
	return p
}

func openStore(t *testing.T, url string, now func() time.Time) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), store.Options{URL: url, Now: now, IDs: id.Source{Rand: rand.Reader}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	if _, err := st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return st
}

func (p *process) stop() {
	p.t.Helper()
	if err := p.q.Stop(context.Background()); err != nil {
		p.t.Error(err)
	}
}

// take takes tasks as workers do, by the store; each runs until the test ends it or its context ends.
func (p *process) take(ctx context.Context, lane task.Lane) (func(context.Context), bool, error) {
	p.looks <- lane
	kinds := lane.Kinds()
	if lane == task.Express {
		kinds = task.Ordinary.Kinds()
	}
	t, ok, err := p.st.TakeTask(ctx, "me", time.Minute, lane == task.Express, kinds...)
	if err != nil || !ok {
		return nil, false, err
	}
	return func(ctx context.Context) {
		done, ended := make(chan struct{}), make(chan error, 1)
		p.runs <- running{lane: lane, id: t.ID, ctx: ctx, end: func() { close(done) }, ended: ended}
		select {
		case <-done:
			ended <- nil
		case <-ctx.Done():
			ended <- ctx.Err()
		}
	}, true, nil
}

// export queues exports, each of an organization of its own, in one transaction that ends with end.
func (p *process) export(n int, end error) error {
	return p.st.Tx(p.t.Context(), func(tx *store.Tx) error {
		for range n {
			o, err := tx.CreateOrganization(p.t.Context(), "o", account.PlanPro)
			if err != nil {
				return err
			}
			if _, err := tx.CreateExport(p.t.Context(),
				export.Job{OrganizationID: o.ID, ProjectID: "prj_x", Domain: "docs.example.com"}); err != nil {
				return err
			}
		}
		return end
	})
}

func (p *process) mustExport(n int) {
	p.t.Helper()
	if err := p.export(n, nil); err != nil {
		p.t.Fatal(err)
	}
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

// J1: a task is run once its transaction has committed, and only then.
func TestWakeUpCommitsWithItsTransaction(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		p := open(t, url, true, queue.Options{Slots: 2})
		rolledBack := errors.New("rolled back")
		if err := p.export(1, rolledBack); !errors.Is(err, rolledBack) {
			t.Fatal(err)
		}
		p.mustExport(1)
		await(t, "the task", p.runs).end()
		p.stop()
		if len(p.runs) > 0 {
			t.Error("the task that was rolled back was run")
		}
	})
}

// A transaction that queues several tasks fills the lane, although PostgreSQL merges its notifications; the lane runs no
// more at once than it has places, and takes the rest as places become free.
func TestLaneRunsAsManyTasksAsItHasPlaces(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		p := open(t, url, true, queue.Options{Slots: 3})
		p.mustExport(7)
		at, express := map[string]running{}, 0
		for range 4 { // one on the express lane
			r := await(t, "a task", p.runs)
			at[r.id] = r
			if r.lane == task.Express {
				express++
			}
		}
		if _, now, err := p.st.CountTasks(t.Context()); now != 4 || express != 1 || len(at) != 4 || err != nil {
			t.Errorf("%d run, %d of them express (error %v)", now, express, err)
		}
		for range 3 {
			for id, r := range at { // any
				delete(at, id)
				r.end()
				break
			}
			r := await(t, "the next task", p.runs)
			at[r.id] = r
		}
	})
}

// J7: a full work lane does not hold up the express lane, and a long task on that one does not hold up the work lane: whichever
// has the first task, the other runs the second.
func TestExpressLaneAndWorkLaneRunBesideEachOther(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		p := open(t, url, true, queue.Options{Slots: 1})
		p.mustExport(1)
		first := await(t, "the first task", p.runs)
		p.mustExport(1)
		if second := await(t, "the second task", p.runs); first.lane == second.lane {
			t.Errorf("both ran on the lane %s", first.lane)
		}
	})
}

// J7: tasks of one lane keep no place from those of another.
func TestLanesDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		started, release := make(chan task.Lane, 20), make(chan struct{})
		left := map[task.Lane]chan struct{}{task.Ordinary: make(chan struct{}, 10), task.Agents: make(chan struct{}, 10)}
		p := open(t, url, true, queue.Options{Slots: 1, Agents: 2,
			Take: func(_ context.Context, lane task.Lane) (func(context.Context), bool, error) {
				select {
				case <-left[lane]:
					return func(context.Context) { started <- lane; <-release }, true, nil
				default:
					return nil, false, nil
				}
			}})
		for _, lane := range []task.Lane{task.Agents, task.Agents, task.Agents, task.Agents, task.Ordinary,
			task.Ordinary, task.Ordinary} {
			left[lane] <- struct{}{}
			p.st.SetWake(func(ctx context.Context, tx any, _ task.Lane) error { return p.q.Wake(ctx, tx, lane) })
			p.mustExport(1)
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

func TestStopLetsWorkFinishThenCancelsIt(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		p := open(t, url, true, queue.Options{Slots: 1, Grace: 100 * time.Millisecond})
		p.mustExport(1)
		r := await(t, "the task", p.runs)
		p.stop()
		if r.ctx.Err() == nil {
			t.Error("it was not cancelled")
		}
		gentle := open(t, url, true, queue.Options{Slots: 1, Grace: time.Hour})
		gentle.mustExport(1)
		r = await(t, "the second task", gentle.runs)
		stopped := make(chan struct{})
		go func() { defer close(stopped); gentle.stop() }()
		r.end()
		if err := await(t, "the end of the task", r.ended); err != nil {
			t.Errorf("it was cancelled: %v", err)
		}
		await(t, "the stop", stopped)
		gentle.mustExport(1)
		if queued, _, err := gentle.st.CountTasks(t.Context()); queued != 1 || len(gentle.runs) > 0 || err != nil {
			t.Errorf("%d tasks are queued after Stop (error %v)", queued, err)
		}
	})
}

// A stop has a time limit, whatever the work does.
func TestStopGivesUpWhenItsContextEnds(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		begun, never := make(chan struct{}, 100), make(chan struct{})
		var once bool
		p := open(t, url, true, queue.Options{Slots: 1,
			Take: func(_ context.Context, lane task.Lane) (func(context.Context), bool, error) {
				if lane != task.Ordinary || once {
					return nil, false, nil
				}
				once = true
				return func(context.Context) { begun <- struct{}{}; <-never }, true, nil
			}})
		await(t, "the task", begun)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.q.Stop(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped with %v", err)
		}
		close(never)
	})
}

// A panic outside of a handler ends neither the process nor the lane, and frees its place.
func TestPanicFreesThePlace(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		calls := make(chan int, 100)
		n := 0
		open(t, url, true, queue.Options{Slots: 1,
			Take: func(_ context.Context, lane task.Lane) (func(context.Context), bool, error) {
				if lane != task.Ordinary || n == 3 {
					return nil, false, nil
				}
				n++
				return func(context.Context) {
					calls <- n
					panic("boom")
				}, true, nil
			}})
		for want := 1; want <= 3; want++ {
			if got := await(t, "the task", calls); got != want {
				t.Errorf("task %d, want %d", got, want)
			}
		}
	})
}

func TestQueueWithoutTakeOnlySendsWakeUps(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		sender := open(t, url, false, queue.Options{})
		sender.mustExport(1)
		if err := sender.q.Start(t.Context()); err == nil {
			t.Fatal("it started")
		}
		if err := sender.q.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		if err := sender.q.Wake(t.Context(), "no transaction", task.Ordinary); err == nil {
			t.Error("it took a text for a transaction")
		}
		await(t, "a task from before the start", open(t, url, true, queue.Options{Slots: 1}).runs).end()
	})
}

// A task that one process queues is run by another: by notification, or because the file has changed. All of them together
// have less time than lanes would need that only poll.
func TestProcessesWakeEachOther(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		sender := open(t, url, false, queue.Options{})
		worker := open(t, url, true, queue.Options{Slots: 1})
		tasks := 5 // 30 s each
		if sender.st.Postgres() != nil {
			tasks = 30 // 5 s each
		}
		limit := time.After(2 * patience)
		for i := range tasks {
			sender.mustExport(1)
			select {
			case r := <-worker.runs:
				r.end()
			case <-limit:
				t.Fatalf("only %d of %d tasks were begun", i, tasks)
			}
		}
	})
}

// The same process wakes itself, on both engines, for tasks of its own.
func TestProcessWakesItself(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		p := open(t, url, true, queue.Options{Slots: 1})
		limit := time.After(2 * patience)
		for i := range 30 {
			p.mustExport(1)
			select {
			case r := <-p.runs:
				r.end()
			case <-limit:
				t.Fatalf("only %d tasks were begun", i)
			}
		}
	})
}
