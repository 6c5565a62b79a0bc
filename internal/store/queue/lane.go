package queue

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// lane runs tasks, as many at once as it has places.
//
// A wake-up says that tasks may wait, not how many: PostgreSQL merges equal notifications of a transaction, and every process
// receives them. So a lane that was woken takes tasks until it finds none. All wake-ups from before that look are answered by
// it, and a backlog costs each process one look for each task that it takes, and one more.
type lane struct {
	name   task.Lane
	places chan struct{} // holds a value for each task that runs
	woken  chan struct{} // of size one
	failed bool          // the last look failed; used by the lane's goroutine only
}

func newLane(name task.Lane, places int) *lane {
	return &lane{name: name, places: make(chan struct{}, places), woken: make(chan struct{}, 1)}
}

// wake makes the lane look once more. It never blocks.
func (l *lane) wake() {
	select {
	case l.woken <- struct{}{}:
	default: // it will look anyway
	}
}

// serve runs a lane until the queue receives nothing more.
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

// takeOne waits for a free place and starts the next task there. It returns false when none waits.
func (q *Queue) takeOne(l *lane) bool {
	select {
	case <-q.receiving.Done():
		return false
	case l.places <- struct{}{}:
	}
	if q.receiving.Err() != nil { // a place became free at the same moment
		<-l.places
		return false
	}
	select {
	case <-l.woken: // this look answers it
	default:
	}
	// A look that has begun is not interrupted by Stop: the task might be taken, and nobody would run it until its lease ends.
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

// logLook logs the first of several failures in a row: lanes look again every few seconds while a database is away.
func (q *Queue) logLook(l *lane, err error) {
	if err != nil && !l.failed && q.working.Err() == nil {
		q.Logger.Error("look for tasks failed", "lane", string(l.name), "error", err)
	}
	l.failed = err != nil
}
