package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Handler processes one kind of task.
type Handler interface {
	// Run processes the task and completes it in the store. It returns early if ctx ends. A fault means that the task
	// can never succeed; after any other error a retry may succeed.
	Run(ctx context.Context, h task.Hold) error
	// Fail marks the task as failed in the store, with a message for its owner.
	Fail(ctx context.Context, h task.Hold, why task.Failure) error
}

// Tasks is the part of the store used by a worker.
type Tasks interface {
	TakeTask(ctx context.Context, owner string, lease time.Duration, express bool, kinds ...task.Kind) (task.Task, bool,
		error)
	Beat(ctx context.Context, h task.Hold, lease time.Duration) (cancelAsked bool, err error)
	ReleaseTask(ctx context.Context, h task.Hold, outage *task.Outage) error
	RequeueLapsed(ctx context.Context) ([]string, error)
	RewakeStale(ctx context.Context, since time.Time, lane task.Lane, limit int, kinds ...task.Kind) (int, error)
}

// Observer is called at each task's start, for metrics and traces; the function it returns is called at the task's
// end. The task runs with the returned context. outcome is done, failed, canceled, lost, released, waiting or retry.
type Observer func(ctx context.Context, kind, taskID string) (run context.Context,
	ended func(outcome string, err error))

// Pool runs tasks in this process.
type Pool struct {
	Tasks     Tasks
	Handlers  map[task.Kind]Handler
	Owner     string        // identifies this process
	Lease     time.Duration // how long a worker keeps a task without renewing its lease
	Heartbeat time.Duration // interval at which the lease is renewed and the cancel flag read
	Longest   time.Duration // time limit for all attempts at a task together; 0 = none
	Outage    time.Duration // how long a task may wait for an unavailable part of the server
	// called after an attempt that ran out of disk space. An error means that the disk is still full; nil = assume that
	// it always is
	Room   func() error
	Timed  []task.Kind // kinds whose handlers enforce their own limit instead
	Slots  int         // maximum number of concurrent tasks, without agents
	Agents int         // concurrent agent tasks, in addition to Slots: they mostly wait for models
	Mails  int         // concurrent emails, in addition to Slots; 0 = this process sends none
	// concurrent deliveries to webhook endpoints, in addition to Slots
	Deliveries int
	// overrides Outage for some kinds
	Outages  map[task.Kind]task.Outage
	Now      func() time.Time
	Random   func() float64 // returns 0 to 1; spreads the retries of waiting tasks; nil = no spreading
	Logger   *slog.Logger
	Observer Observer

	// held while a worker takes a task: whether the express lane is needed is known only while no other worker is
	// taking one
	taking  sync.Mutex
	busy    atomic.Int64 // slots in use in the ordinary lane
	express atomic.Int64 // in the express lane
	agents  atomic.Int64 // in the agent lane
	mails   atomic.Int64 // in the mail lane
	posts   atomic.Int64 // in the delivery lane
}

// takeLimit is the timeout for taking a task: an unresponsive database must not block all lanes for as long as TCP
// would. If the database did assign a task, the task is requeued when its lease expires.
const takeLimit = time.Minute

// errTooLong is the cause if a handler's context ends because of its time limit. The other causes are
// task.ErrCanceled and task.Lost.
var errTooLong = errors.New("time limit exceeded")

// Work takes the lane's next task and runs it. It returns nil if no task is waiting.
func (p *Pool) Work(ctx context.Context, lane task.Lane) error {
	run, ok, err := p.Take(ctx, lane)
	if err == nil && ok {
		run(ctx)
	}
	return err
}

// Take takes the lane's next task and returns a function that runs it, which the caller must call. ok is false if no
// task is waiting. The queue ensures that no lane runs more tasks at once than it has slots.
func (p *Pool) Take(ctx context.Context, lane task.Lane) (run func(context.Context), ok bool, err error) {
	t, ok, err := p.take(ctx, lane)
	if err != nil || !ok {
		return nil, false, err
	}
	return func(ctx context.Context) {
		defer p.under(lane).Add(-1)
		p.run(ctx, t)
	}, true, nil
}

// run runs a task and logs its result.
func (p *Pool) run(ctx context.Context, t task.Task) {
	start := p.Now()
	log := p.Logger.With("task", t.ID, "kind", string(t.Kind), "organization", t.OrganizationID, "attempt", t.Attempts)
	log.Info("task started")
	observed, ended := p.Observer(ctx, string(t.Kind), t.ID)
	outcome, err := p.runTask(observed, t)
	ended(outcome, err)
	took := p.Now().Sub(start).Round(time.Millisecond)
	if err != nil {
		log.Error("task stopped", "outcome", outcome, "took", took.String(), "error", err)
		return
	}
	log.Info("task ended", "outcome", outcome, "took", took.String())
}

// take takes the next task of a lane, if there is one, and marks a slot as used.
func (p *Pool) take(ctx context.Context, lane task.Lane) (t task.Task, ok bool, err error) {
	kinds := p.kinds(lane)
	if len(kinds) == 0 {
		return t, false, nil
	}
	p.taking.Lock()
	defer p.taking.Unlock()
	// While the ordinary lane has a free slot, it also serves the tasks that the express lane could take, so that the
	// express lane stays free for the next organization.
	if lane == task.Express && int(p.busy.Load()) < p.Slots {
		return t, false, nil
	}
	limited, cancel := context.WithTimeout(ctx, takeLimit)
	defer cancel()
	t, ok, err = p.Tasks.TakeTask(limited, p.Owner, p.Lease, lane == task.Express, kinds...)
	if err == nil && ok {
		p.under(lane).Add(1)
	}
	return t, ok, err
}

// kinds returns the kinds of the lane's tasks that this process can handle.
func (p *Pool) kinds(lane task.Lane) []task.Kind {
	if lane == task.Express {
		lane = task.Ordinary
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(p.Handlers)), func(k task.Kind) bool { return k.Lane() != lane })
}

// under returns the counter of the slots used in a lane.
func (p *Pool) under(lane task.Lane) *atomic.Int64 {
	switch lane {
	case task.Agents:
		return &p.agents
	case task.Mails:
		return &p.mails
	case task.Deliveries:
		return &p.posts
	case task.Express:
		return &p.express
	}
	return &p.busy
}

// runTask runs a task and handles the result.
func (p *Pool) runTask(ctx context.Context, t task.Task) (outcome string, err error) {
	h := task.Hold{TaskID: t.ID, Fence: t.Fence}
	handler := p.Handlers[t.Kind] // take returns only tasks that have a handler
	fail := func(sentence string, transient bool) error {
		last, cancel := p.resultContext(ctx)
		defer cancel()
		return handler.Fail(last, h, task.Failure{Sentence: sentence, Transient: transient})
	}
	left := p.Longest - t.Ran
	timed := p.Longest <= 0 || slices.Contains(p.Timed, t.Kind)
	switch {
	case t.Attempts > task.MaxAttempts:
		return "failed", fail(fmt.Sprintf("Gave up after %d attempts that did not finish.", task.MaxAttempts), false)
	case !timed && left <= 0:
		return "failed", fail(p.tooLong(), false)
	case timed:
		left = 0
	}
	err = p.runHeld(ctx, handler, h, left)
	switch {
	case !fault.IsOutage(err) || ctx.Err() != nil || outranksOutage(err):
		return p.conclude(ctx, t, err, fail)
	case p.filled(err):
		return retry(t, err, func() error { return fail("The job needs more disk space than the server has.", false) })
	default: // the task itself did not fail
		return p.wait(ctx, t, err, fail)
	}
}

// filled reports whether the attempt itself used up the disk space: its files have been removed, and space is free
// again. A full database is always an outage, since it may be on another disk.
func (p *Pool) filled(err error) bool {
	return (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)) && p.Room != nil && p.Room() == nil
}

// retry leaves a task for another attempt, or calls giveUp after the last one. The time left on the lease is the
// pause before the next attempt.
func retry(t task.Task, cause error, giveUp func() error) (outcome string, err error) {
	if t.Attempts < task.MaxAttempts {
		return "retry", cause
	}
	return "failed", errors.Join(cause, giveUp())
}

// outranksOutage reports whether an attempt ended for a reason that takes precedence over an outage.
func outranksOutage(err error) bool {
	var lost task.Lost
	return errors.As(err, &lost) || errors.Is(err, task.ErrCanceled) || errors.Is(err, errTooLong)
}

// conclude completes a task after an attempt, or leaves it for a retry. err is the attempt's result.
func (p *Pool) conclude(ctx context.Context, t task.Task, err error, fail func(string, bool) error) (outcome string,
	_ error) {
	h := task.Hold{TaskID: t.ID, Fence: t.Fence}
	var lost task.Lost
	f, isFault := fault.As(err)
	switch {
	case err == nil:
		return "done", nil
	case errors.Is(err, task.ErrPostponed):
		return "waiting", nil
	case errors.As(err, &lost):
		return "lost", err
	case errors.Is(err, task.ErrCanceled):
		return "canceled", fail(t.Kind.Canceled(), false)
	case errors.Is(err, errTooLong):
		return "failed", errors.Join(err, fail(p.tooLong(), false))
	case ctx.Err() != nil: // the process is stopping
		return "released", p.release(ctx, h)
	case isFault && f.Kind != fault.Internal:
		return "failed", errors.Join(err, fail(f.Sentence(), false))
	default:
		return retry(t, err, func() error {
			return fail("An internal error occurred. The server's log has the details.", true)
		})
	}
}

// tooLong returns the message for the owner of a task that exceeded its time limit.
func (p *Pool) tooLong() string {
	return fmt.Sprintf(
		"The job was stopped because it took longer than %s in total. The server's operator sets this limit (job.max-time).", p.Longest)
}

// wait releases a task after an outage of a part of the server, to be taken again after a pause. A task that has
// waited too long fails. If the database is unavailable for the rest of the lease, this cannot be stored: then the
// lease expires, which counts as an attempt.
func (p *Pool) wait(ctx context.Context, t task.Task, cause error, fail func(string, bool) error) (outcome string,
	err error) {
	outage, ok := p.Outages[t.Kind]
	if !ok {
		outage.Limit = p.Outage
	}
	if p.Random != nil {
		outage.Random = p.Random()
	}
	switch err := p.postpone(ctx, task.Hold{TaskID: t.ID, Fence: t.Fence}, &outage); {
	case err == nil:
		return "waiting", fmt.Errorf("waiting for an unavailable dependency: %w", cause)
	case errors.Is(err, task.ErrWaitedTooLong):
		return "failed", errors.Join(cause,
			fail(fmt.Sprintf("%s Retried for %s.", fault.OutageSentence(cause), outage.Limit), true))
	default:
		return "retry", errors.Join(cause, err)
	}
}

// postpone releases a task because of an outage. While the database itself is unavailable, it retries until the lease
// expires or the process stops.
func (p *Pool) postpone(ctx context.Context, h task.Hold, outage *task.Outage) error {
	last, cancel := p.resultContext(ctx)
	defer cancel()
	for {
		err := p.Tasks.ReleaseTask(last, h, outage)
		if !fault.IsOutage(err) {
			return err
		}
		select {
		case <-time.After(p.Heartbeat):
		case <-last.Done():
			return err
		case <-ctx.Done():
			return err
		}
	}
}

// resultContext returns the context for storing a task's result. It outlives the stop of a worker, but ends with the
// lease: after that, another worker may hold the task, and an unresponsive database must not block this one.
func (p *Pool) resultContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), p.Lease)
}

func (p *Pool) release(ctx context.Context, h task.Hold) error {
	last, cancel := p.resultContext(ctx)
	defer cancel()
	return p.Tasks.ReleaseTask(last, h, nil)
}

// runHeld runs the handler while a heartbeat renews the lease. The handler's context ends if the lease is lost, the
// owner cancels, limit (0 = none) is exceeded or the process stops; runHeld then returns the cause.
func (p *Pool) runHeld(ctx context.Context, handler Handler, h task.Hold, limit time.Duration) error {
	run, stop := context.WithCancelCause(ctx)
	if limit > 0 {
		defer time.AfterFunc(limit, func() { stop(errTooLong) }).Stop()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.beat(run, stop, h)
	}()
	err := guarded(run, handler, h)
	stop(nil)
	<-done
	if cause := context.Cause(run); err != nil && cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

// guarded turns a handler's panic into an error, because one hostile page must not crash the process.
func guarded(ctx context.Context, handler Handler, h task.Hold) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return handler.Run(ctx, h)
}

// beat renews the lease until ctx ends. If the database does not respond for the length of a lease, the lease counts
// as lost.
func (p *Pool) beat(ctx context.Context, stop context.CancelCauseFunc, h task.Hold) {
	tick := time.NewTicker(p.Heartbeat)
	defer tick.Stop()
	last := p.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		asked, err := p.renew(ctx, h)
		var lost task.Lost
		switch {
		case err == nil && asked:
			stop(task.ErrCanceled)
			return
		case err == nil:
			last = p.Now()
		case errors.As(err, &lost) || p.Now().Sub(last) > p.Lease:
			stop(task.Lost{TaskID: h.TaskID})
			return
		}
	}
}

// renew renews the lease once. It times out after a lease: an unresponsive database is treated like one that reports
// an error.
func (p *Pool) renew(ctx context.Context, h task.Hold) (cancelAsked bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, p.Lease)
	defer cancel()
	return p.Tasks.Beat(ctx, h, p.Lease)
}
