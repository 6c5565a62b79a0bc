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

// Handler does one kind of task.
type Handler interface {
	// Run does the task and ends it in the store. It returns early when ctx ends. A fault means the task can never
	// succeed; any other error means it may succeed when tried again.
	Run(ctx context.Context, h task.Hold) error
	// Fail ends the task in the store, with a sentence for its owner.
	Fail(ctx context.Context, h task.Hold, why task.Failure) error
}

// Tasks is what a worker needs of the store.
type Tasks interface {
	TakeTask(ctx context.Context, owner string, lease time.Duration, express bool, kinds ...task.Kind) (task.Task, bool,
		error)
	Beat(ctx context.Context, h task.Hold, lease time.Duration) (cancelAsked bool, err error)
	ReleaseTask(ctx context.Context, h task.Hold, outage *task.Outage) error
	RequeueLapsed(ctx context.Context) ([]string, error)
	RewakeStale(ctx context.Context, since time.Time, lane task.Lane, limit int, kinds ...task.Kind) (int, error)
}

// Observer hears of each task's start and, by the function it returns, of its end, for metrics and traces. The context
// it returns is the one the task runs with. outcome is done, failed, canceled, lost, released, waiting or retry.
type Observer func(ctx context.Context, kind, taskID string) (run context.Context,
	ended func(outcome string, err error))

// Pool runs tasks in this process.
type Pool struct {
	Tasks     Tasks
	Handlers  map[task.Kind]Handler
	Owner     string        // names this process
	Lease     time.Duration // how long a silent worker keeps a task
	Heartbeat time.Duration // how often the lease is renewed and the cancel flag read
	Longest   time.Duration // how long all attempts at a task may take together; 0 = for ever
	Outage    time.Duration // how long a task may wait for a part of the server that does not answer
	// asked after an attempt that ran out of disk space: an error = the disk is still full; nil = it always is
	Room   func() error
	Timed  []task.Kind // kinds whose handlers keep a limit of their own instead
	Slots  int         // tasks at once, without agents
	Agents int         // agent tasks at once, beside these: they wait for models more than they work
	Mails  int         // mails at once, beside these; 0 = this process sends none
	// deliveries to webhook endpoints at once, beside these
	Deliveries int
	// of kinds that wait otherwise than Outage says
	Outages  map[task.Kind]task.Outage
	Now      func() time.Time
	Random   func() float64 // 0 to 1, spreads tasks that wait; nil = none
	Logger   *slog.Logger
	Observer Observer

	// held while a worker takes a task: whether the express lane is needed is known when no other worker is about to
	// take one
	taking  sync.Mutex
	busy    atomic.Int64 // places of the ordinary lane that are taken by a task
	express atomic.Int64 // and of the express lane
	agents  atomic.Int64 // and of that of agents
	mails   atomic.Int64 // and of that of mails
	posts   atomic.Int64 // and of that of deliveries
}

// takeLimit bounds a look for a task: a database that says nothing at all must not hold up all lanes for as long as TCP
// would. A task that it has given nonetheless is requeued when its lease ends.
const takeLimit = time.Minute

// errTooLong is why a handler's context ended although its worker goes on; task.ErrCanceled and task.Lost are the
// others.
var errTooLong = errors.New("time limit exceeded")

// Work takes the task of the lane that should run next and runs it. No waiting task is no error.
func (p *Pool) Work(ctx context.Context, lane task.Lane) error {
	run, ok, err := p.Take(ctx, lane)
	if err == nil && ok {
		run(ctx)
	}
	return err
}

// Take takes the task of the lane that should run next and returns the function that runs it, which the caller must call;
// ok = false: none waits. The queue lets no more tasks of a lane run at once than the lane has places.
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

// run runs a task and logs how it ended.
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

// take takes the next task of a lane, if there is one, and counts its place as taken.
func (p *Pool) take(ctx context.Context, lane task.Lane) (t task.Task, ok bool, err error) {
	kinds := p.kinds(lane)
	if len(kinds) == 0 {
		return t, false, nil
	}
	p.taking.Lock()
	defer p.taking.Unlock()
	// A free slot on the ordinary lane serves tasks that the express lane would. The latter stays free for the next
	// organization.
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

// kinds are those of the lane's tasks that this process can do.
func (p *Pool) kinds(lane task.Lane) []task.Kind {
	if lane == task.Express {
		lane = task.Ordinary
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(p.Handlers)), func(k task.Kind) bool { return k.Lane() != lane })
}

// under counts the places of a lane that are taken.
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

// runTask runs a task and decides what becomes of it.
func (p *Pool) runTask(ctx context.Context, t task.Task) (outcome string, err error) {
	h := task.Hold{TaskID: t.ID, Fence: t.Fence}
	handler := p.Handlers[t.Kind] // only such tasks are taken
	fail := func(sentence string, transient bool) error {
		last, cancel := p.lastWord(ctx)
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
	default: // nothing is wrong with the task
		return p.wait(ctx, t, err, fail)
	}
}

// filled reports whether an attempt ran out of disk space that it had taken itself: what it wrote is removed by now,
// and there is space again. A database that is full is an outage in any case: it may have a disk of its own.
func (p *Pool) filled(err error) bool {
	return (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)) && p.Room != nil && p.Room() == nil
}

// retry leaves a task to be tried again, or gives it up after its last attempt. The pause is what is left of its lease.
func retry(t task.Task, cause error, giveUp func() error) (outcome string, err error) {
	if t.Attempts < task.MaxAttempts {
		return "retry", cause
	}
	return "failed", errors.Join(cause, giveUp())
}

// outranksOutage reports whether an attempt ended for a reason that counts more than an outage.
func outranksOutage(err error) bool {
	var lost task.Lost
	return errors.As(err, &lost) || errors.Is(err, task.ErrCanceled) || errors.Is(err, errTooLong)
}

// conclude ends a task after an attempt, or leaves it to be tried again. err is how the attempt ended.
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
	case ctx.Err() != nil: // the process stops
		return "released", p.release(ctx, h)
	case isFault && f.Kind != fault.Internal:
		return "failed", errors.Join(err, fail(f.Sentence(), false))
	default:
		return retry(t, err, func() error {
			return fail("An internal error occurred. The server's log has the details.", true)
		})
	}
}

// tooLong informs a task's owner that its time is over.
func (p *Pool) tooLong() string {
	return fmt.Sprintf(
		"The job was stopped because it took longer than %s in total. The server's operator sets this limit (job.max-time).", p.Longest)
}

// wait gives back a task that a part of the server stopped which did not answer; it is taken again after a pause. One
// that has waited for as long as it may fails. A database that is unavailable for the whole lease cannot store that:
// then the lease expires, which counts an attempt.
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

// postpone gives a task back because of an outage. While the database is away itself it tries again, until the lease
// ends or the process stops.
func (p *Pool) postpone(ctx context.Context, h task.Hold, outage *task.Outage) error {
	last, cancel := p.lastWord(ctx)
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

// lastWord returns the context for storing how a task ended. It outlives a worker that is stopped, and ends
// with the lease: after that the word is not ours, and a database that does not answer must not hold up the worker.
func (p *Pool) lastWord(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), p.Lease)
}

func (p *Pool) release(ctx context.Context, h task.Hold) error {
	last, cancel := p.lastWord(ctx)
	defer cancel()
	return p.Tasks.ReleaseTask(last, h, nil)
}

// runHeld runs the handler while a heartbeat keeps the lease. The context it runs with ends when the lease is lost,
// the owner cancels, it takes longer than limit (0 = none) or the process stops; the cause is what it returns then.
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

// guarded turns a handler's panic into an error: one hostile page must not take the process down.
func guarded(ctx context.Context, handler Handler, h task.Hold) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return handler.Run(ctx, h)
}

// beat renews the lease until ctx ends. A database that does not answer for a whole lease counts as a lost lease.
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

// renew gives up after a lease: a database that says nothing at all is as lost as one that refuses.
func (p *Pool) renew(ctx context.Context, h task.Hold) (cancelAsked bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, p.Lease)
	defer cancel()
	return p.Tasks.Beat(ctx, h, p.Lease)
}
