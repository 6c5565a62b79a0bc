package worker_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
)

// clock is advanced by the test, so that leases expire when the test wants them to.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.t }

func (c *clock) add(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.t = c.t.Add(d) }

// scene is a store with one queued export and a pool with the test's handler.
type scene struct {
	st    *store.Store
	clock *clock
	job   export.Job
	woken int
	pool  *worker.Pool
}

// handler completes tasks in the real store; only the work itself is the test's.
type handler struct {
	st  *store.Store
	run func(ctx context.Context, h task.Hold) error
}

func (h handler) Run(ctx context.Context, hold task.Hold) error {
	if _, err := h.st.StartExport(ctx, hold, time.Minute); err != nil {
		return err
	}
	if err := h.run(ctx, hold); err != nil {
		return err
	}
	return h.st.CompleteExport(ctx, hold, 1, []export.Bundle{{Format: export.TarGz, Key: "k", Size: 1, SHA256: "s"}})
}

func (h handler) Fail(ctx context.Context, hold task.Hold, why task.Failure) error {
	return h.st.FailExport(ctx, hold, why.Sentence)
}

func newScene(t *testing.T, run func(ctx context.Context, h task.Hold) error) *scene {
	t.Helper()
	s := &scene{clock: &clock{t: time.Now()}}
	var err error
	s.st, err = store.Open(t.Context(),
		store.Options{URL: storetest.SQLite(t, filepath.Join(t.TempDir(), "w.db")), Now: s.clock.now, IDs: id.Source{Rand: rand.Reader},
			Wake: func(context.Context, any, task.Lane) error { s.woken++; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.st.Close() })
	if _, err := s.st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = s.st.Tx(t.Context(), func(tx *store.Tx) error {
		o, err := tx.CreateOrganization(t.Context(), "o", account.PlanEnterprise)
		if err != nil {
			return err
		}
		s.job, err = tx.CreateExport(t.Context(),
			export.Job{OrganizationID: o.ID, ProjectID: "prj_x", Domain: "docs.example.com"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.pool = s.newPool(run)
	return s
}

func (s *scene) newPool(run func(ctx context.Context, h task.Hold) error) *worker.Pool {
	return &worker.Pool{Tasks: s.st, Handlers: map[task.Kind]worker.Handler{task.Export: handler{st: s.st, run: run}},
		Owner: "me",
		Lease: time.Minute, Heartbeat: 5 * time.Millisecond, Slots: 1, Now: s.clock.now,
		Logger: slog.New(slog.DiscardHandler),
		Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
			return ctx, func(string, error) {}
		}}
}

func (s *scene) work(t *testing.T, ctx context.Context) export.Job {
	t.Helper()
	if err := s.pool.Work(ctx, task.Ordinary); err != nil {
		t.Fatal(err)
	}
	return s.find(t)
}

func (s *scene) find(t *testing.T) export.Job {
	t.Helper()
	j, err := s.st.FindExportByID(context.Background(), s.job.ID)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestSuccessfulTaskIsDone(t *testing.T) {
	s := newScene(t, func(context.Context, task.Hold) error { return nil })
	if j := s.work(t, t.Context()); j.Status != export.Completed {
		t.Fatalf("%+v", j)
	}
	if _, ok, err := s.st.TakeTask(t.Context(), "x", time.Minute, false); ok || err != nil {
		t.Fatalf("a task is left in the queue: %v %v", ok, err)
	}
}

// J6: a failure has a message for its owner, without internals.
func TestFaultFailsTaskWithItsMessage(t *testing.T) {
	s := newScene(t, func(context.Context, task.Hold) error {
		return fault.New(fault.Invalid, "x", "The page is broken.").WithHint("Mend it.").
			WithCause(errors.New("open /secret"))
	})
	if j := s.work(t, t.Context()); j.Status != export.Failed || j.Error != "The page is broken. Mend it." {
		t.Fatalf("%+v", j)
	}
}

// J7: an unexpected error, including a panic, is retried after the lease expires; after MaxAttempts the task fails.
func TestUnexpectedErrorIsRetriedThenFails(t *testing.T) {
	runs := 0
	s := newScene(t, func(context.Context, task.Hold) error {
		if runs++; runs%2 == 0 {
			panic("boom")
		}
		return errors.New("disk /var/secret is on fire")
	})
	for i := 1; i <= task.MaxAttempts; i++ {
		j := s.work(t, t.Context())
		if i < task.MaxAttempts && j.Status != export.Running {
			t.Fatalf("attempt %d: %+v", i, j)
		}
		s.clock.add(2 * time.Minute)
		if _, err := s.st.RequeueLapsed(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if j := s.find(t); j.Status != export.Failed || j.Error == "" || strings.Contains(j.Error, "secret") {
		t.Fatalf("%+v", j)
	}
	if runs != task.MaxAttempts {
		t.Fatalf("ran %d times", runs)
	}
}

// A task whose worker is killed repeatedly gets no more time than others: all its attempts share one limit.
func TestAttemptsShareTheTimeLimit(t *testing.T) {
	s := newScene(t, func(context.Context, task.Hold) error { t.Error("the task ran beyond its time limit"); return nil })
	s.pool.Longest = time.Minute
	if _, ok, err := s.st.TakeTask(t.Context(), "dead", time.Minute, false); !ok || err != nil {
		t.Fatalf("%v %v", ok, err)
	}
	s.clock.add(2 * time.Minute)
	if _, err := s.st.RequeueLapsed(t.Context()); err != nil {
		t.Fatal(err)
	}
	if j := s.work(t, t.Context()); j.Status != export.Failed || !strings.Contains(j.Error, "longer than 1m0s") {
		t.Fatalf("%+v", j)
	}
}

// J2, J7: a task that has killed its worker on every attempt fails without another run.
func TestTaskThatKillsWorkersFails(t *testing.T) {
	s := newScene(t, func(context.Context, task.Hold) error { t.Error("the task was run again"); return nil })
	for range task.MaxAttempts {
		if _, ok, err := s.st.TakeTask(t.Context(), "dead", time.Minute, false); !ok || err != nil {
			t.Fatalf("%v %v", ok, err)
		}
		s.clock.add(2 * time.Minute)
		if _, err := s.st.RequeueLapsed(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if j := s.work(t, t.Context()); j.Status != export.Failed || j.Error == "" {
		t.Fatalf("%+v", j)
	}
}

// J8: a cancellation stops running work at its next heartbeat.
func TestCancelStopsARunningTask(t *testing.T) {
	var s *scene
	s = newScene(t, func(ctx context.Context, _ task.Hold) error {
		err := s.st.Tx(ctx, func(tx *store.Tx) error {
			_, err := tx.CancelExport(ctx, s.job.OrganizationID, s.job.ID, "")
			return err
		})
		if err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	})
	if j := s.work(t, t.Context()); j.Status != export.Failed || j.Error != task.Export.Canceled() {
		t.Fatalf("%+v", j)
	}
}

// J9: a stopping process releases its task without counting the attempt, and another process runs the task.
func TestStoppingWorkerRequeuesItsTask(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	s := newScene(t, func(ctx context.Context, _ task.Hold) error { stop(); <-ctx.Done(); return ctx.Err() })
	woken := s.woken
	s.work(t, ctx)
	got, ok, err := s.st.TakeTask(t.Context(), "other", time.Minute, false)
	if err != nil || !ok || got.Attempts != 1 || s.woken != woken+1 {
		t.Fatalf("%+v ok=%v err=%v woken=%d", got, ok, err, s.woken-woken)
	}
}

// J3: a worker that was frozen until its lease expired cannot overwrite the result of the worker that took over.
func TestWorkerWithExpiredLeaseWritesNothing(t *testing.T) {
	var s *scene
	s = newScene(t, func(ctx context.Context, _ task.Hold) error {
		s.clock.add(2 * time.Minute) // frozen meanwhile
		if _, err := s.st.RequeueLapsed(ctx); err != nil {
			return err
		}
		quick := s.newPool(func(context.Context, task.Hold) error { return nil })
		if err := quick.Work(context.WithoutCancel(ctx), task.Ordinary); err != nil {
			return err
		}
		return fault.New(fault.Invalid, "late", "A late and wrong verdict.")
	})
	s.pool.Heartbeat = time.Hour // a frozen worker does not renew its lease
	if j := s.work(t, t.Context()); j.Status != export.Completed || j.Error != "" {
		t.Fatalf("%+v", j)
	}
}

// Watch repeats a wake-up that was lost when a process died, and requeues tasks with expired leases.
func TestWatchRepeatsLostWakeUps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := &watched{}
		p := &worker.Pool{Tasks: calls, Handlers: map[task.Kind]worker.Handler{task.Export: idle{}, task.Agent: idle{}},
			Lease: 4 * time.Second,
			Slots: 3, Agents: 2, Now: time.Now, Logger: slog.New(slog.DiscardHandler)}
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		p.Watch(ctx)
		if calls.requeued < 9 || calls.rewoken < 18 || calls.asked[0] != "work 3 [export]" ||
			calls.asked[1] != "agents 2 [agent]" {
			t.Fatalf("in ten seconds: %+v", calls)
		}
	})
}

type watched struct {
	worker.Tasks
	requeued, rewoken int
	asked             []string // limit and kinds of each repeated wake-up
}

func (w *watched) RequeueLapsed(context.Context) ([]string, error) { w.requeued++; return nil, nil }

func (w *watched) RewakeStale(_ context.Context, _ time.Time, lane task.Lane, limit int, kinds ...task.Kind) (int,
	error) {
	w.rewoken++
	w.asked = append(w.asked, fmt.Sprintf("%s %d %v", lane, limit, kinds))
	return 0, nil
}

// A task that never ends is stopped, and its owner sees the reason.
func TestTaskThatExceedsItsTimeLimitFails(t *testing.T) {
	s := newScene(t, func(ctx context.Context, _ task.Hold) error { <-ctx.Done(); return ctx.Err() })
	s.pool.Longest = 20 * time.Millisecond
	if j := s.work(t, t.Context()); j.Status != export.Failed || !strings.Contains(j.Error, "longer than") {
		t.Fatalf("%+v", j)
	}
}

// The pool's time limit does not stop tasks of a kind whose handler enforces its own limit.
func TestKindWithOwnLimitIsNotStopped(t *testing.T) {
	var s *scene
	s = newScene(t, func(ctx context.Context, _ task.Hold) error {
		if _, limited := ctx.Deadline(); limited || s.pool.Longest != time.Nanosecond {
			return errors.New("it is limited")
		}
		return ctx.Err()
	})
	s.pool.Longest, s.pool.Timed = time.Nanosecond, []task.Kind{task.Export}
	if j := s.work(t, t.Context()); j.Status != export.Completed {
		t.Fatalf("%+v", j)
	}
}

// If every slot is busy, repeated wake-ups would only accumulate, so only the express lane, which has a free slot, is
// woken (J7).
func TestBusyPoolDoesNotRepeatWakeUps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := &watched{Tasks: silent{}}
		p := &worker.Pool{Tasks: calls, Handlers: map[task.Kind]worker.Handler{task.Export: blind{}},
			Lease: 4 * time.Second, Heartbeat: time.Hour,
			Slots: 1, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
			Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
				return ctx, func(string, error) {}
			}}
		busy, rest := context.WithTimeout(t.Context(), time.Minute)
		defer rest()
		ended := make(chan error)
		go func() { ended <- p.Work(busy, task.Ordinary) }()
		synctest.Wait()
		watch, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		p.Watch(watch)
		if slices.ContainsFunc(calls.asked, func(one string) bool { return one != "express 1 [export]" }) ||
			calls.requeued < 29 || calls.rewoken < 29 {
			t.Errorf("while the pool was busy: %+v", calls)
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}
