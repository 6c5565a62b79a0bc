package worker_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
)

// noting is a handler that records why its task failed.
type noting struct {
	worker.Handler
	why task.Failure
}

func (n *noting) Fail(ctx context.Context, h task.Hold, why task.Failure) error {
	n.why = why
	return n.Handler.Fail(ctx, h, why)
}

// J7: if a task itself fills the disk, so that there is space again once it has ended, that is not an outage: the
// task fails after five attempts and is not retried.
func TestTaskThatFillsTheDiskFails(t *testing.T) {
	full := fmt.Errorf("write x: %w", syscall.ENOSPC)
	for name, cause := range map[string]error{
		"disk":  full,
		"quota": fmt.Errorf("write x: %w", syscall.EDQUOT),
		"fault": fault.New(fault.Unavailable, "storage_full", "The storage is full.").WithCause(full),
	} {
		t.Run(name, func(t *testing.T) {
			runs := 0
			s := newScene(t, func(context.Context, task.Hold) error { runs++; return cause })
			s.pool.Outage, s.pool.Room = 12*time.Hour, func() error { return nil }
			failed := &noting{Handler: s.pool.Handlers[task.Export]}
			s.pool.Handlers[task.Export] = failed
			for range 2 * task.MaxAttempts {
				s.again(t)
				s.clock.add(2 * time.Minute)
				if _, err := s.st.RequeueLapsed(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			want := task.Failure{Sentence: "The job needs more disk space than the server has."}
			if j := s.find(t); j.Status != export.Failed || failed.why != want || runs != task.MaxAttempts {
				t.Fatalf("%d runs, %+v: %+v", runs, failed.why, j)
			}
		})
	}
}

// J2: if the disk is still full after the task has ended, something else filled it, and the task waits.
func TestTaskWaitsWhileTheDiskIsFull(t *testing.T) {
	full := true
	s := newScene(t, func(context.Context, task.Hold) error {
		if full {
			return syscall.ENOSPC
		}
		return nil
	})
	s.pool.Outage, s.pool.Room = 12*time.Hour, func() error { return syscall.ENOSPC }
	for range 2 * task.MaxAttempts {
		if j := s.again(t); j.Status != export.Running {
			t.Fatalf("%+v", j)
		}
	}
	full = false
	if j := s.again(t); j.Status != export.Completed {
		t.Fatalf("%+v", j)
	}
}
