package queue

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// lane runs tasks, as many at once as it has slots.
//
// A wake-up means that tasks may be waiting, not how many: PostgreSQL merges equal notifications of a transaction, and
// every process receives them. So a woken lane takes tasks until it finds none. This handles all wake-ups from before
// that query. A backlog costs each process one query per task it takes, and one more.
type lane struct {
	name   task.Lane
	places chan struct{} // contains a value for each running task
	woken  chan struct{} // has size one
	failed bool          // the last query failed; used only by the lane's goroutine
}

func newLane(name task.Lane, places int) *lane {
	return &lane{name: name, places: make(chan struct{}, places), woken: make(chan struct{}, 1)}
}

// wake makes the lane look for tasks. It never blocks.
func (l *lane) wake() {
	select {
	case l.woken <- struct{}{}:
	default: // it is already going to look
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
	if q.receiving.Err() != nil { // a slot became free at the same moment
		<-l.places
		return false
	}
	select {
	case <-l.woken: // the query below handles it
	default:
	}
	// Stop does not interrupt a query that has started: otherwise the task might be taken without being run until
	// its lease expires.
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

// logLook logs the first of several failures in a row, because lanes look every few seconds while a database is
// unavailable.
func (q *Queue) logLook(l *lane, err error) {
	if err != nil && !l.failed && q.working.Err() == nil {
		q.Logger.Error("look for tasks failed", "lane", string(l.name), "error", err)
	}
	l.failed = err != nil
}
