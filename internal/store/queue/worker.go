package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// wakeUp says only that a task may be waiting.
type wakeUp struct{}

func (wakeUp) Kind() string { return "wake_up" }

type wakeUpWorker struct {
	river.WorkerDefaults[wakeUp]
	work func(ctx context.Context, lane task.Lane) error
}

func (w *wakeUpWorker) Work(ctx context.Context, job *river.Job[wakeUp]) error {
	return w.work(ctx, task.Lane(job.Queue))
}

// choreRun names a chore that is due.
type choreRun struct {
	Name string `json:"name"`
}

func (choreRun) Kind() string { return "chore" }

type choreWorker struct {
	river.WorkerDefaults[choreRun]
	chores []Chore
	// asks the library what waits
	list func(ctx context.Context, params *river.JobListParams) (*river.JobListResult, error)
}

// Timeout replaces the long one that work has.
func (w *choreWorker) Timeout(*river.Job[choreRun]) time.Duration { return choreLife }

func (w *choreWorker) Work(ctx context.Context, job *river.Job[choreRun]) error {
	for _, c := range w.chores {
		if c.Name == job.Args.Name {
			// A chore slower than its interval leaves a row of runs behind; only the newest is worth doing.
			if newer, err := w.newer(ctx, job); newer || err != nil {
				return err
			}
			if err := c.Do(ctx); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			return nil
		}
	}
	return nil // an older or newer process of the cluster knows it; this one has nothing to do
}

// newer reports whether a later run of the same chore waits already. The order is that of ids: clocks differ.
func (w *choreWorker) newer(ctx context.Context, job *river.Job[choreRun]) (bool, error) {
	waiting, err := w.list(ctx, river.NewJobListParams().Queues(choreLane).States(rivertype.JobStateAvailable).
		OrderBy(river.JobListOrderByID, river.SortOrderDesc).First(100))
	if err != nil {
		return false, fmt.Errorf("look for later runs: %w", err)
	}
	for _, one := range waiting.Jobs {
		var args choreRun
		if err := json.Unmarshal(one.EncodedArgs, &args); err == nil && args == job.Args && one.ID > job.ID {
			return true, nil
		}
	}
	return false, nil
}

// atInsert sees each job before it is inserted, inside the transaction.
type atInsert struct {
	river.HookDefaults
	notify func(lanes ...string) // may be nil
}

// InsertBegin makes what is inserted due whatever the clock of the machine that inserts it says. The library writes that
// machine's time and compares it with the database's: from a server an hour ahead, wake-ups would lie for an hour
// (J10).
func (h *atInsert) InsertBegin(_ context.Context, job *rivertype.JobInsertParams) error {
	longAgo := time.Unix(0, 0).UTC()
	job.ScheduledAt = &longAgo
	if h.notify != nil {
		h.notify(job.Queue)
	}
	return nil
}

func periodic(chores []Chore) []*river.PeriodicJob {
	var out []*river.PeriodicJob
	for _, c := range chores {
		out = append(out, river.NewPeriodicJob(river.PeriodicInterval(c.Every),
			func() (river.JobArgs, *river.InsertOpts) {
				return choreRun{Name: c.Name}, &river.InsertOpts{Queue: choreLane}
			}, &river.PeriodicJobOpts{ID: c.Name, RunOnStart: true}))
	}
	return out
}
