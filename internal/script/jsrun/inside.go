package jsrun

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// errTime means that a page has used up its time.
var errTime = errors.New("out of time")

// grace is how long a call in this process may overrun its time limit, inside a built-in function, before it is
// abandoned.
const grace = time.Second

// maxStray is the number of abandoned machines at which an engine refuses to run code.
const maxStray = 2

// inside runs a page's machine in this process.
type inside struct {
	engine *Engine
	seed   string
	m      *machine // nil before the first job, while a job runs, and after a failure
}

// outcome is the result of a job. It carries the machine, so that the machine has exactly one owner at any time.
type outcome struct {
	m      *machine
	answer string
	err    error
}

// run abandons a job that is still running when the grace period after its time limit is over. From then on, the job
// owns the machine, and closes it when the engine returns; p no longer has a machine.
func (p *inside) run(ctx context.Context, j job, left time.Duration) (string, error) {
	if p.engine.stray.Load() >= maxStray {
		return "", &Error{Message: "JavaScript is disabled because earlier code did not stop",
			Hint: "fix the pages that run out of time"}
	}
	done := make(chan outcome)
	gone := make(chan struct{})
	m := p.m
	p.m = nil
	go p.work(m, j, left, done, gone)
	timer := time.NewTimer(left + grace)
	defer timer.Stop()
	select {
	case o := <-done:
		p.m = o.m
		return o.answer, o.err
	case <-timer.C:
		p.engine.stray.Add(1)
		close(gone)
		return "", errTime
	}
}

// work runs a job and sends the outcome to done, or closes the machine if the caller no longer waits.
func (p *inside) work(m *machine, j job, left time.Duration, done chan<- outcome, gone <-chan struct{}) {
	o := p.engine.attempt(m, p.seed, j, left)
	select {
	case done <- o:
	case <-gone:
		if o.m != nil {
			o.m.close()
		}
		p.engine.stray.Add(-1)
	}
}

func (p *inside) leave(bool) {
	if p.m != nil {
		p.m.close()
		p.m = nil
	}
}

// attempt runs a job, on a new machine if m is nil. A panic means that the engine has a bug; the machine must not be
// used again.
func (k *maker) attempt(m *machine, seed string, j job, left time.Duration) (o outcome) {
	defer func() {
		if r := recover(); r != nil {
			o = outcome{err: fmt.Errorf("engine panicked: %v", r)}
		}
	}()
	if m == nil {
		var err error
		if m, err = k.open(seed); err != nil {
			return outcome{err: err}
		}
	}
	answer, err := m.run(j, left, k.limits.Output)
	return outcome{m, answer, err}
}
