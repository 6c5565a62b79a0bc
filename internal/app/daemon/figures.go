package daemon

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/backup"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// The metrics are read together, so they share the result of one query for figureLife. A failed query is remembered for
// longer, so that a scrape does not wait for each metric in turn.
const (
	figureLife  = 20 * time.Millisecond
	silenceLife = 5 * time.Second
)

// queueFigures runs one query for all metrics of the queue.
type queueFigures struct {
	core *core
	mu   sync.Mutex
	at   time.Time
	last store.Waiting
	err  error
}

func (q *queueFigures) figure(pick func(store.Waiting) float64) func() float64 {
	return func() float64 {
		q.mu.Lock()
		defer q.mu.Unlock()
		life := figureLife
		if q.err != nil {
			life = silenceLife
		}
		if q.core.Now().Sub(q.at).Abs() > life {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			q.last, q.err = q.core.Store.Waiting(ctx)
			cancel()
			q.at = q.core.Now()
		}
		if q.err != nil {
			return -1 // -1 means unknown, to distinguish it from zero
		}
		return pick(q.last)
	}
}

// countQueue adds metrics for the queue and for the data folder.
func (c *core) countQueue() {
	q := &queueFigures{core: c}
	c.metrics.Gauge("lectern_tasks_queued", "Tasks waiting for a worker.",
		q.figure(func(w store.Waiting) float64 { return float64(w.Queued) }))
	c.metrics.Gauge("lectern_tasks_running", "Tasks assigned to a worker.",
		q.figure(func(w store.Waiting) float64 { return float64(w.Running) }))
	c.metrics.Gauge("lectern_tasks_lapsed", "Tasks with an expired lease.",
		q.figure(func(w store.Waiting) float64 { return float64(w.Lapsed) }))
	c.metrics.Gauge("lectern_tasks_postponed", "Tasks waiting until storage or another dependency is available again.",
		q.figure(func(w store.Waiting) float64 { return float64(w.Postponed) }))
	c.metrics.Gauge("lectern_task_oldest_seconds", "Waiting time of the oldest waiting task.",
		q.figure(func(w store.Waiting) float64 { return w.Oldest.Seconds() }))
	c.metrics.Gauge("lectern_data_free_bytes", "Free space on the disk of the data folder.", func() float64 {
		var s syscall.Statfs_t
		if err := syscall.Statfs(c.Config.Data, &s); err != nil {
			return -1
		}
		return float64(s.Bavail) * float64(s.Bsize)
	})
	if embedded(c.Options) == nil {
		c.metrics.Gauge("lectern_last_backup_timestamp_seconds",
			"When lectern backup last created a backup; 0 if never.", func() float64 {
				at, made, err := backup.Last(c.Config.Data)
				if err != nil || !made {
					return 0
				}
				return float64(at.Unix())
			})
	}
}

// countReadiness adds a metric for the readiness of the process.
func (c *core) countReadiness(ready func(context.Context) error) {
	c.metrics.Gauge("lectern_ready", "Whether /readyz reports ready: 1 or 0.", func() float64 {
		if ready(context.Background()) != nil {
			return 0
		}
		return 1
	})
}

// watchedBlob counts calls of a blob store by result.
type watchedBlob struct {
	blob.Store
	count func(values ...string) // operation, outcome
}

// watchBlob starts counting operations of the blob store.
func (c *core) watchBlob() {
	c.blob = watchedBlob{c.blob, c.metrics.Counts("lectern_blob_calls_total",
		"Blob store calls, by operation and result.", "operation", "outcome")}
}

func (w watchedBlob) done(operation string, err error) {
	outcome := "ok"
	switch {
	case err == nil:
	case fault.HasCode(err, "blob_not_found"):
		outcome = "missing"
	case errors.Is(err, context.Canceled):
		outcome = "canceled"
	default:
		outcome = "error"
	}
	w.count(operation, outcome)
}
