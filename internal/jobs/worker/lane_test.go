package worker_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
)

// J7: agents that wait for their models occupy neither the slots of publishing tasks nor the express lane.
func TestEachLaneTakesOnlyItsOwnKinds(t *testing.T) {
	var asked []string
	tasks := &kindTasks{take: func(express bool, kinds []task.Kind) (task.Task, bool) {
		asked = append(asked, fmt.Sprint(express, kinds))
		return task.Task{}, false
	}}
	h := idle{}
	p := &worker.Pool{Tasks: tasks,
		Handlers: map[task.Kind]worker.Handler{task.Agent: h, task.Deploy: h, task.Export: h},
		Lease:    time.Minute, Agents: 1, Now: time.Now} // no ordinary slot, so that the express lane is needed
	for _, lane := range []task.Lane{task.Ordinary, task.Express, task.Agents} {
		if err := p.Work(t.Context(), lane); err != nil {
			t.Error(err)
		}
	}
	if want := []string{"false [deploy export]", "true [deploy export]", "false [agent]"}; !slices.Equal(asked, want) {
		t.Errorf("queries: %q", asked)
	}
	delete(p.Handlers, task.Agent)
	if err := p.Work(t.Context(), task.Agents); err != nil || len(asked) != 3 {
		t.Errorf("queries of a process without agents: %q, %v", asked, err)
	}
}

// J7: while the ordinary lane's worker is still looking for a task, its slot may turn out to stay free. The express
// lane waits until that is known. Otherwise, it would take a task of the organization that is about to occupy every
// ordinary slot.
func TestExpressLaneWaitsForOrdinaryLane(t *testing.T) {
	var p *worker.Pool
	asked := make(chan struct{}, 1)
	express := make(chan error, 1)
	tasks := &kindTasks{take: func(isExpress bool, _ []task.Kind) (task.Task, bool) {
		if isExpress {
			asked <- struct{}{}
			return task.Task{}, false
		}
		go func() { express <- p.Work(t.Context(), task.Express) }()
		select {
		case <-asked:
			t.Error("the express lane looked for a task before the ordinary one was done")
		case <-time.After(20 * time.Millisecond): // time for the mistake to happen, not a limit
		}
		return task.Task{}, false
	}}
	p = &worker.Pool{Tasks: tasks, Handlers: map[task.Kind]worker.Handler{task.Export: idle{}}, Lease: time.Minute,
		Slots: 1, Now: time.Now}
	if err := p.Work(t.Context(), task.Ordinary); err != nil {
		t.Error(err)
	}
	if err := <-express; err != nil {
		t.Error(err)
	}
	if len(asked) > 0 {
		t.Error("the express lane looked for a task although the ordinary one is free")
	}
}

// kindTasks hands out the tasks that a test provides.
type kindTasks struct {
	worker.Tasks
	take func(express bool, kinds []task.Kind) (task.Task, bool)
}

func (k *kindTasks) TakeTask(_ context.Context, _ string, _ time.Duration, express bool, kinds ...task.Kind) (task.Task,
	bool, error) {
	got, ok := k.take(express, kinds)
	return got, ok, nil
}

// idle is a handler that is never called.
type idle struct{}

func (idle) Run(context.Context, task.Hold) error                { return nil }
func (idle) Fail(context.Context, task.Hold, task.Failure) error { return nil }
