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
)

// errAway is the error that a handler returns while the object storage does not respond.
var errAway = fault.New(fault.Unavailable, "blob_unavailable", "The object storage does not respond.").
	WithCause(fault.ErrUnavailable)

// again advances the clock past a waiting task's pause and runs the task again.
func (s *scene) again(t *testing.T) export.Job {
	t.Helper()
	s.clock.add(2 * task.LongestPause)
	return s.work(t, t.Context())
}

// J2: an outage of the object storage, a full disk or a lack of file descriptors is not the task's fault. The task is
// retried after pauses, more often than MaxAttempts, and completes once the cause is gone.
func TestTaskWaitsWhileDependencyIsUnavailable(t *testing.T) {
	for name, cause := range map[string]error{"storage": errAway, "disk": fmt.Errorf("write x: %w", syscall.ENOSPC),
		"descriptors": fmt.Errorf("open x: %w", syscall.EMFILE)} {
		t.Run(name, func(t *testing.T) {
			away := 3 * task.MaxAttempts
			s := newScene(t, func(context.Context, task.Hold) error {
				if away--; away >= 0 {
					return cause
				}
				return nil
			})
			s.pool.Outage = 12 * time.Hour
			if j := s.work(t, t.Context()); j.Status != export.Running {
				t.Fatalf("%+v", j)
			}
			if s.work(t, t.Context()); away != 3*task.MaxAttempts-1 {
				t.Fatal("the task was retried without a pause")
			}
			for tries := 0; away > 0; tries++ {
				if j := s.again(t); j.Status != export.Running || tries > 3*task.MaxAttempts {
					t.Fatalf("after %d more attempts, %d were left: %+v", tries, away, j)
				}
			}
			if j := s.again(t); j.Status != export.Completed {
				t.Fatalf("%+v", j)
			}
		})
	}
}

// J6: a task that has waited for as long as the operator allows fails with the outage's message.
func TestTaskThatWaitsTooLongFails(t *testing.T) {
	s := newScene(t, func(context.Context, task.Hold) error { return errAway })
	s.pool.Outage = time.Hour
	j := s.work(t, t.Context())
	for tries := 0; !j.Status.Ended(); tries++ {
		if j = s.again(t); tries > 6 {
			t.Fatal("the task waits forever")
		}
	}
	if j.Status != export.Failed || j.Error != "The object storage does not respond. Retried for 1h0m0s." {
		t.Fatalf("%+v", j)
	}
}
