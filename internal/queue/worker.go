package queue

import (
	"context"
	"fmt"

	"github.com/riverqueue/river"
)

// wakeUp says only that a task may be waiting.
type wakeUp struct{}

func (wakeUp) Kind() string { return "wake_up" }

type wakeUpWorker struct {
	river.WorkerDefaults[wakeUp]
	work func(ctx context.Context, express bool) error
}

func (w *wakeUpWorker) Work(ctx context.Context, job *river.Job[wakeUp]) error {
	return w.work(ctx, job.Queue == expressLane)
}

// choreRun names a chore that is due.
type choreRun struct {
	Name string `json:"name"`
}

func (choreRun) Kind() string { return "chore" }

type choreWorker struct {
	river.WorkerDefaults[choreRun]
	chores []Chore
}

func (w *choreWorker) Work(ctx context.Context, job *river.Job[choreRun]) error {
	for _, c := range w.chores {
		if c.Name == job.Args.Name {
			if err := c.Do(ctx); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			return nil
		}
	}
	return nil // an older or newer process of the cluster knows it; this one has nothing to do
}

func newWorkers(opt Options) *river.Workers {
	w := river.NewWorkers()
	river.AddWorker(w, &wakeUpWorker{work: opt.Work})
	river.AddWorker(w, &choreWorker{chores: opt.Chores})
	return w
}

func periodic(chores []Chore) []*river.PeriodicJob {
	var out []*river.PeriodicJob
	for _, c := range chores {
		out = append(out, river.NewPeriodicJob(river.PeriodicInterval(c.Every), func() (river.JobArgs, *river.InsertOpts) {
			return choreRun{Name: c.Name}, &river.InsertOpts{Queue: choreLane}
		}, &river.PeriodicJobOpts{ID: c.Name, RunOnStart: true}))
	}
	return out
}
