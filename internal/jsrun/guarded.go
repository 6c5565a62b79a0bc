package jsrun

import (
	"errors"
	"fmt"
	"time"
)

// errTime says that the time of a page is used up.
var errTime = errors.New("out of time")

// outcome is what a job came to. The machine goes with it, so that it has one owner at any time.
type outcome struct {
	m      *machine
	answer string
	err    error
}

// guarded runs a job on the page's machine and gives up on it a grace after the time limit. The job then owns the machine and closes it
// when the engine lets it go; the page has none any more.
func (p *Page) guarded(j job) (string, error) {
	if p.left <= 0 {
		return "", errTime
	}
	if p.engine.stray.Load() >= maxStray {
		return "", &Error{Message: "JavaScript is switched off: earlier code did not stop", Hint: "correct the pages that run out of time"}
	}
	done := make(chan outcome)
	gone := make(chan struct{})
	m := p.m
	p.m = nil
	go p.engine.work(m, p.seed, j, p.left, done, gone)
	timer := time.NewTimer(p.left + grace)
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

// work does a job and hands the outcome to done, or clears up when nobody waits any more.
func (e *Engine) work(m *machine, seed string, j job, left time.Duration, done chan<- outcome, gone <-chan struct{}) {
	o := e.attempt(m, seed, j, left)
	select {
	case done <- o:
	case <-gone:
		if o.m != nil {
			o.m.close()
		}
		e.stray.Add(-1)
	}
}

// attempt runs a job. A panic is a fault of the engine; its machine must not be touched again.
func (e *Engine) attempt(m *machine, seed string, j job, left time.Duration) (o outcome) {
	defer func() {
		if r := recover(); r != nil {
			o = outcome{err: fmt.Errorf("the engine failed: %v", r)}
		}
	}()
	if m == nil {
		var err error
		if m, err = e.open(seed); err != nil {
			return outcome{err: err}
		}
	}
	answer, err := m.run(j, left, e.limits.Output)
	return outcome{m, answer, err}
}
