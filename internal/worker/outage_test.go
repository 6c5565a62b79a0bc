package worker_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lectern-docs/lectern/internal/export"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/task"
	"github.com/lectern-docs/lectern/internal/worker"
)

// restarting is a database that refuses to take tasks back a few times after each attempt.
type restarting struct {
	worker.Tasks
	refusals, left int
}

func (r *restarting) ReleaseTask(ctx context.Context, h task.Hold, outage *task.Outage) error {
	if r.left--; r.left >= 0 {
		return fmt.Errorf("%w: it starts up", fault.ErrUnavailable)
	}
	r.left = r.refusals
	return r.Tasks.ReleaseTask(ctx, h, outage)
}

// J2: a database that is back before the lease ends costs a task no attempt, however often that happens.
func TestARestartOfTheDatabaseCostsNoAttempt(t *testing.T) {
	away := 2 * task.MaxAttempts
	s := newScene(t, func(context.Context, task.Hold) error {
		if away--; away >= 0 {
			return fault.ErrUnavailable
		}
		return nil
	})
	s.pool.Tasks, s.pool.Outage = &restarting{Tasks: s.st, refusals: 3, left: 3}, 12*time.Hour
	for away > 0 {
		s.again(t)
		if k, err := s.st.FindTask(t.Context(), s.job.ID); err != nil || k.State != task.Queued || k.Attempts != 0 {
			t.Fatalf("%+v %v", k, err)
		}
	}
	if j := s.again(t); j.Status != export.Completed {
		t.Fatalf("%+v", j)
	}
}

// refusing is a database that gives out one task and is away from then on.
type refusing struct {
	silent
	tries int
}

func (r *refusing) Beat(context.Context, task.Hold, time.Duration) (bool, error) {
	return false, fault.ErrUnavailable
}

func (r *refusing) ReleaseTask(context.Context, task.Hold, *task.Outage) error {
	r.tries++
	return fault.ErrUnavailable
}

// stopped is a handler that the database stops.
type stopped struct{ blind }

func (stopped) Run(context.Context, task.Hold) error { return fault.ErrUnavailable }

// A database that stays away does not hold up a worker that wants to give a task back for longer than the lease, nor after it is told to stop.
func TestGivingBackATaskEndsWithTheLease(t *testing.T) {
	for name, c := range map[string]struct{ stopAfter, most time.Duration }{"lease": {time.Hour, 11 * time.Second}, "stop": {2 * time.Second, 3 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tasks := &refusing{}
				p := &worker.Pool{Tasks: tasks, Handlers: map[task.Kind]worker.Handler{task.Export: stopped{}}, Lease: 10 * time.Second, Heartbeat: time.Second,
					Slots: 1, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
					Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
						return ctx, func(string, error) {}
					}}
				ctx, cancel := context.WithTimeout(t.Context(), c.stopAfter)
				defer cancel()
				began := time.Now()
				if err := p.Work(ctx, task.Ordinary); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took > c.most || tasks.tries < 2 {
					t.Fatalf("%d tries in %s", tasks.tries, took)
				}
			})
		})
	}
}
