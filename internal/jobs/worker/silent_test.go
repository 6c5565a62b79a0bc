package worker_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
)

// silent is a database that accepts requests and never responds.
type silent struct{ worker.Tasks }

func (silent) TakeTask(context.Context, string, time.Duration, bool, ...task.Kind) (task.Task, bool, error) {
	return task.Task{ID: "se_1", Kind: task.Export, Attempts: 1, Fence: 1}, true, nil
}

func (silent) Beat(ctx context.Context, _ task.Hold, _ time.Duration) (bool, error) {
	<-ctx.Done()
	return false, ctx.Err()
}

func (silent) ReleaseTask(ctx context.Context, _ task.Hold, _ *task.Outage) error {
	<-ctx.Done()
	return ctx.Err()
}

func (silent) RequeueLapsed(ctx context.Context) ([]string, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// blind is a handler that runs until its context ends.
type blind struct{}

func (blind) Run(ctx context.Context, _ task.Hold) error { <-ctx.Done(); return ctx.Err() }
func (blind) Fail(ctx context.Context, _ task.Hold, _ task.Failure) error {
	<-ctx.Done()
	return ctx.Err()
}

// An unresponsive database delays running work, its end and a stop by at most two leases.
func TestUnresponsiveDatabaseDoesNotBlockTasks(t *testing.T) {
	for name, stopAfter := range map[string]time.Duration{"lost lease": time.Hour, "stop": time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &worker.Pool{Tasks: silent{}, Handlers: map[task.Kind]worker.Handler{task.Export: blind{}},
					Lease: 10 * time.Second, Heartbeat: time.Second,
					Slots: 1, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
					Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
						return ctx, func(string, error) {}
					}}
				ctx, stop := context.WithTimeout(t.Context(), stopAfter)
				defer stop()
				began := time.Now()
				if err := p.Work(ctx, task.Ordinary); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took > 2*p.Lease+2*p.Heartbeat {
					t.Fatalf("Work took %s", took)
				}
			})
		})
	}
}
