package queue

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// lane runs as many tasks at the same time as it has slots.
//
// A wake-up means that tasks may be waiting, not how many: PostgreSQL merges equal notifications from one transaction,
// and every process receives them. A woken lane therefore takes tasks until it finds none. This handles all wake-ups
// that arrived before the last query. For a backlog, each process runs one query per task that it takes, and one more.
type lane struct {
	name   task.Lane
	places chan struct{} // contains one value for each running task
	woken  chan struct{} // buffered, with room for one value
	failed bool          // the last query failed; used only by the lane's goroutine
}

func newLane(name task.Lane, places int) *lane {
	return &lane{name: name, places: make(chan struct{}, places), woken: make(chan struct{}, 1)}
}

// wake makes the lane look for tasks. It never blocks.
func (l *lane) wake() {
	select {
	case l.woken <- struct{}{}:
	default: // the lane is already going to look
	}
}

// serve runs a lane until the queue stops receiving.
func (q *Queue) serve(l *lane) {
	for {
		select {
		case <-q.receiving.Done():
			return
		case <-l.woken:
		}
		for more := true; more; {
			more = q.takeOne(l)
		}
	}
}

// takeOne waits for a free slot and starts the next task. It returns false if no task is waiting.
func (q *Queue) takeOne(l *lane) bool {
	select {
	case <-q.receiving.Done():
		return false
	case l.places <- struct{}{}:
	}
	if q.receiving.Err() != nil { // a slot became free at the same time
		<-l.places
		return false
	}
	select {
	case <-l.woken: // the query below handles this wake-up
	default:
	}
	// Stop does not interrupt a query that has started. Otherwise a task might be taken but not run, and would then
	// wait until its lease expires.
	var (
		run func(context.Context)
		ok  bool
	)
	err := guard(func() (err error) {
		run, ok, err = q.Take(q.working, l.name)
		return err
	})
	q.logLook(l, err)
	if err != nil || !ok {
		<-l.places
		return false
	}
	q.all.Go(func() {
		defer func() { <-l.places }()
		if err := guard(func() error { run(q.working); return nil }); err != nil {
			q.Logger.Error("task crashed", "lane", string(l.name), "error", err)
		}
	})
	return true
}

// logLook logs only the first of several consecutive failures. While a database is unavailable, lanes keep looking
// every few seconds.
func (q *Queue) logLook(l *lane, err error) {
	if err != nil && !l.failed && q.working.Err() == nil {
		q.Logger.Error("failed to look for tasks", "lane", string(l.name), "error", err)
	}
	l.failed = err != nil
}
