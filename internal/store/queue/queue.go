package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// DB is the database that the queue shares with the store. Exactly one field is set.
type DB struct {
	SQLite   *sql.DB // has a single connection, which makes all changes by this process
	Postgres *pgxpool.Pool
}

// Options configures the queue. Without Take, the queue only sends wake-ups.
type Options struct {
	DB     DB
	Slots  int // number of concurrent tasks on the work lane
	Agents int // on the agents lane
	Mails  int // on the emails lane; 0 = this process sends none
	// on the deliveries lane; 0 = this process makes none
	Deliveries int
	// Take takes the task of a lane that should run next, and returns a function that runs it. ok is false if no task
	// is waiting.
	Take      func(ctx context.Context, lane task.Lane) (run func(context.Context), ok bool, err error)
	Chores    []Chore
	Claims    Claims        // needed for Chores
	ProcessID string        // identifies this process in claims of chores
	Grace     time.Duration // how long Stop waits for running work before it cancels that work
	Logger    *slog.Logger
}

// Queue sends wake-ups and, once started, receives them. It is safe for concurrent use.
type Queue struct {
	Options
	lanes map[task.Lane]*lane
	local *announcer // nil on PostgreSQL

	receiving context.Context // ends when Stop is called
	working   context.Context // ends when the grace period is over
	stopWork  context.CancelFunc
	stop      context.CancelFunc // nil = not started
	all       sync.WaitGroup     // all goroutines that were started
	done      chan struct{}      // closed when all goroutines have ended
}

// How often lanes look for tasks without a wake-up. This is necessary because a connection for notifications can break
// unnoticed.
const (
	postgresPoll = 5 * time.Second
	sqlitePoll   = 30 * time.Second
)

// Open returns a queue. It receives wake-ups only after Start.
func Open(opt Options) *Queue {
	q := &Queue{Options: opt, lanes: map[task.Lane]*lane{}}
	if opt.DB.Postgres == nil {
		q.local = newAnnouncer()
	}
	for name, places := range map[task.Lane]int{task.Ordinary: max(1, opt.Slots), task.Express: 1,
		task.Agents: max(1, opt.Agents), task.Mails: opt.Mails, task.Deliveries: opt.Deliveries} {
		if places > 0 {
			q.lanes[name] = newLane(name, places)
		}
	}
	return q
}

// Wake sends a wake-up with the caller's transaction (*sql.Tx or pgx.Tx, depending on the database). task.Either wakes
// both the work lane and the express lane, and the lane that is free first runs the task.
func (q *Queue) Wake(ctx context.Context, engineTx any, name task.Lane) error {
	lanes := []task.Lane{name}
	if name == task.Either {
		lanes = []task.Lane{task.Ordinary, task.Express}
	}
	switch tx := engineTx.(type) {
	case pgx.Tx:
		return notify(ctx, tx, lanes)
	case *sql.Tx:
		if q.local != nil {
			q.local.announce(lanes)
			return nil
		}
	}
	return fmt.Errorf("wake worker: %T is not a transaction of this queue", engineTx)
}

// Start starts to receive wake-ups and returns immediately. Only Stop ends this; the end of ctx does not.
func (q *Queue) Start(ctx context.Context) error {
	if q.Take == nil {
		return errors.New("start queue: opened without a function that takes tasks")
	}
	q.working, q.stopWork = context.WithCancel(context.WithoutCancel(ctx))
	q.receiving, q.stop = context.WithCancel(q.working)
	q.done = make(chan struct{})
	for _, l := range q.lanes {
		q.all.Go(func() { q.serve(l) })
	}
	for _, c := range q.Chores {
		q.all.Go(func() { q.repeat(c) })
	}
	if q.local != nil {
		q.all.Go(q.watchFile)
	} else {
		q.all.Go(q.listen)
	}
	q.wakeAll() // tasks may already be waiting
	go func() {
		q.all.Wait()
		close(q.done)
	}()
	return nil
}

// Stop stops receiving wake-ups and waits for running work until the grace period is over. Then it cancels the context
// of running work and waits again. An error means that ctx ended first.
func (q *Queue) Stop(ctx context.Context) error {
	if q.stop == nil {
		return nil
	}
	q.stop()
	grace, cancel := context.WithTimeout(ctx, q.Grace)
	defer cancel()
	select {
	case <-q.done:
	case <-grace.Done():
	}
	q.stopWork()
	select {
	case <-q.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stop queue: %w", ctx.Err())
	}
}

// wake makes lanes look for tasks. It ignores lanes that this process does not serve.
func (q *Queue) wake(lanes ...task.Lane) {
	for _, name := range lanes {
		if l := q.lanes[name]; l != nil {
			l.wake()
		}
	}
}

func (q *Queue) wakeAll() {
	for _, l := range q.lanes {
		l.wake()
	}
}

// guard calls do and converts a panic to an error, so that the panic does not end the process.
func guard(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return do()
}

// pause waits for d. It returns false if ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	return ctx.Err() == nil
}
