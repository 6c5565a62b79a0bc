package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store/queue"
)

// J1: a task runs only after its transaction has committed.
func TestWakeUpCommitsWithItsTransaction(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		p := open(t, url, true, queue.Options{Slots: 2})
		rolledBack := errors.New("rolled back")
		if err := p.export(1, rolledBack); !errors.Is(err, rolledBack) {
			t.Fatal(err)
		}
		p.mustExport(1)
		await(t, "the task", p.runs).end()
		p.stop()
		if len(p.runs) > 0 {
			t.Error("the task that was rolled back was run")
		}
	})
}

// A transaction that queues several tasks fills the lane, although PostgreSQL merges the notifications. The lane never
// runs more tasks than it has slots, and takes the remaining tasks as slots become free.
func TestLaneRunsOneTaskPerSlot(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		p := open(t, url, true, queue.Options{Slots: 3})
		p.mustExport(7)
		at, express := map[string]running{}, 0
		for range 4 { // one of them runs on the express lane
			r := await(t, "a task", p.runs)
			at[r.id] = r
			if r.lane == task.Express {
				express++
			}
		}
		if _, now, err := p.st.CountTasks(t.Context()); now != 4 || express != 1 || len(at) != 4 || err != nil {
			t.Errorf("%d run, %d of them express (error %v)", now, express, err)
		}
		for range 3 {
			for id, r := range at { // any of them
				delete(at, id)
				r.end()
				break
			}
			r := await(t, "the next task", p.runs)
			at[r.id] = r
		}
	})
}

// J7: a full work lane does not delay the express lane, and a long task on the express lane does not delay the work
// lane. Whichever lane runs the first task, the other lane runs the second one.
func TestExpressAndWorkLanesRunConcurrently(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		p := open(t, url, true, queue.Options{Slots: 1})
		p.mustExport(1)
		first := await(t, "the first task", p.runs)
		p.mustExport(1)
		if second := await(t, "the second task", p.runs); first.lane == second.lane {
			t.Errorf("both ran on the lane %s", first.lane)
		}
	})
}

// J7: tasks on one lane do not use the slots of another lane.
func TestLanesDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		started, release := make(chan task.Lane, 20), make(chan struct{})
		left := map[task.Lane]chan struct{}{task.Ordinary: make(chan struct{}, 10), task.Agents: make(chan struct{}, 10)}
		p := open(t, url, true, queue.Options{Slots: 1, Agents: 2,
			Take: func(_ context.Context, lane task.Lane) (func(context.Context), bool, error) {
				select {
				case <-left[lane]:
					return func(context.Context) { started <- lane; <-release }, true, nil
				default:
					return nil, false, nil
				}
			}})
		for _, lane := range []task.Lane{task.Agents, task.Agents, task.Agents, task.Agents, task.Ordinary,
			task.Ordinary, task.Ordinary} {
			left[lane] <- struct{}{}
			p.st.SetWake(func(ctx context.Context, tx any, _ task.Lane) error { return p.q.Wake(ctx, tx, lane) })
			p.mustExport(1)
		}
		seen := map[task.Lane]int{}
		for range 3 {
			seen[await(t, "work", started)]++
		}
		if seen[task.Agents] != 2 || seen[task.Ordinary] != 1 || len(started) != 0 {
			t.Errorf("at the same time: %v and %d more", seen, len(started))
		}
		close(release)
		for range 4 {
			seen[await(t, "the rest", started)]++
		}
		if seen[task.Agents] != 4 || seen[task.Ordinary] != 3 {
			t.Errorf("in all: %v", seen)
		}
	})
}

func TestStopLetsWorkFinishThenCancelsIt(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		p := open(t, url, true, queue.Options{Slots: 1, Grace: 100 * time.Millisecond})
		p.mustExport(1)
		r := await(t, "the task", p.runs)
		p.stop()
		if r.ctx.Err() == nil {
			t.Error("the work was not cancelled")
		}
		gentle := open(t, url, true, queue.Options{Slots: 1, Grace: time.Hour})
		gentle.mustExport(1)
		r = await(t, "the second task", gentle.runs)
		stopped := make(chan struct{})
		go func() { defer close(stopped); gentle.stop() }()
		r.end()
		if err := await(t, "the end of the task", r.ended); err != nil {
			t.Errorf("the work was cancelled: %v", err)
		}
		await(t, "the stop", stopped)
		gentle.mustExport(1)
		if queued, _, err := gentle.st.CountTasks(t.Context()); queued != 1 || len(gentle.runs) > 0 || err != nil {
			t.Errorf("%d tasks are queued after Stop (error %v)", queued, err)
		}
	})
}

// Stop returns when its context ends, even if the work does not.
func TestStopReturnsWhenContextEnds(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		begun, never := make(chan struct{}, 100), make(chan struct{})
		var once bool
		p := open(t, url, true, queue.Options{Slots: 1,
			Take: func(_ context.Context, lane task.Lane) (func(context.Context), bool, error) {
				if lane != task.Ordinary || once {
					return nil, false, nil
				}
				once = true
				return func(context.Context) { begun <- struct{}{}; <-never }, true, nil
			}})
		await(t, "the task", begun)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.q.Stop(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped with %v", err)
		}
		close(never)
	})
}

// A panic outside a handler ends neither the process nor the lane, and frees its slot.
func TestPanicFreesItsSlot(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		calls := make(chan int, 100)
		n := 0
		open(t, url, true, queue.Options{Slots: 1,
			Take: func(_ context.Context, lane task.Lane) (func(context.Context), bool, error) {
				if lane != task.Ordinary || n == 3 {
					return nil, false, nil
				}
				n++
				return func(context.Context) {
					calls <- n
					panic("boom")
				}, true, nil
			}})
		for want := 1; want <= 3; want++ {
			if got := await(t, "the task", calls); got != want {
				t.Errorf("task %d, want %d", got, want)
			}
		}
	})
}

func TestQueueWithoutTakeOnlySendsWakeUps(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		sender := open(t, url, false, queue.Options{})
		sender.mustExport(1)
		if err := sender.q.Start(t.Context()); err == nil {
			t.Fatal("the queue started")
		}
		if err := sender.q.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		if err := sender.q.Wake(t.Context(), "no transaction", task.Ordinary); err == nil {
			t.Error("Wake accepted a string as a transaction")
		}
		await(t, "a task from before the start", open(t, url, true, queue.Options{Slots: 1}).runs).end()
	})
}

// A task that one process queues is run by another process, which is woken by a notification or by a change to the
// file. The time limit for all tasks is shorter than the time that polling alone would take.
func TestProcessesWakeEachOther(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		sender := open(t, url, false, queue.Options{})
		worker := open(t, url, true, queue.Options{Slots: 1})
		tasks := 5 // 30 s each
		if sender.st.Postgres() != nil {
			tasks = 30 // 5 s each
		}
		limit := time.After(2 * patience)
		for i := range tasks {
			sender.mustExport(1)
			select {
			case r := <-worker.runs:
				r.end()
			case <-limit:
				t.Fatalf("only %d of %d tasks were begun", i, tasks)
			}
		}
	})
}

// On both engines, a process wakes itself for tasks that it queued.
func TestProcessWakesItself(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		p := open(t, url, true, queue.Options{Slots: 1})
		limit := time.After(2 * patience)
		for i := range 30 {
			p.mustExport(1)
			select {
			case r := <-p.runs:
				r.end()
			case <-limit:
				t.Fatalf("only %d tasks were begun", i)
			}
		}
	})
}
