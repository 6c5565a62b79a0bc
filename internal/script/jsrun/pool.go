package jsrun

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

const (
	startTime = 30 * time.Second // a process that is not ready by then is considered broken
	maxPages  = 64               // pages per process, because its processor time is limited
)

var errPool = errors.New("the engine is closed")

// errStart returns the error of a page whose process could not be started. The starter logs the cause for the
// operator.
func errStart() error {
	return &Error{Message: "JavaScript cannot run on this server",
		Hint: "its process does not start; the reason is in the server's log"}
}

// pool holds the processes of one engine. A process is started when a page needs one and none is idle.
type pool struct {
	start func() (Process, error)
	slots chan struct{} // holds one element per busy process

	mu     sync.Mutex
	idle   []*child
	all    map[*child]bool
	closed bool
}

func newPool(start func() (Process, error), size int) *pool {
	return &pool{start: start, slots: make(chan struct{}, size), all: map[*child]bool{}}
}

// child is one process. It serves one page at a time.
type child struct {
	Process
	pages int         // number of pages it has served
	late  atomic.Bool // it was killed because it took too long
}

// within starts a timer that kills the process after limit. The returned function stops the timer and reports whether
// it did so before the timer fired.
func (c *child) within(limit time.Duration) (kept func() bool) {
	timer := time.AfterFunc(limit, func() {
		c.late.Store(true)
		c.Kill()
	})
	return timer.Stop
}

// enter opens a page in a process. If an idle process turns out to be dead, it tries another one. It may do so because
// no code of the page has run in the dead process.
func (p *pool) enter(ctx context.Context, l Limits, o opening) (place, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, errStopped()
	}
	for {
		c, err := p.take()
		if err != nil {
			<-p.slots
			return nil, err
		}
		used := c.pages > 0
		c.pages++
		page, err := openOutside(p, c, l, o)
		if err == nil {
			return page, nil
		}
		p.drop(c)
		if !used {
			<-p.slots
			return nil, err
		}
	}
}

// take returns an idle process, or starts one.
func (p *pool) take() (*child, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errPool
	}
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	return p.begin()
}

func (p *pool) begin() (*child, error) {
	process, err := p.start()
	if err != nil {
		return nil, errStart()
	}
	c := &child{Process: process}
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.all[c] = true
	}
	p.mu.Unlock()
	if closed {
		c.Kill()
		return nil, errPool
	}
	kept := c.within(startTime)
	kind, text, err := readFrame(c, len(protocol))
	if !kept() || err != nil || kind != ready || string(text) != protocol {
		p.drop(c)
		return nil, errStart()
	}
	return c, nil
}

// give returns a process to the pool.
func (p *pool) give(c *child) {
	p.mu.Lock()
	keep := !p.closed && c.pages < maxPages
	if keep {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if !keep {
		p.drop(c)
	}
}

// drop kills a process and removes it from the pool.
func (p *pool) drop(c *child) {
	c.Kill()
	p.mu.Lock()
	delete(p.all, c)
	p.mu.Unlock()
}

func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	all := p.all
	p.all, p.idle = map[*child]bool{}, nil
	p.mu.Unlock()
	for c := range all {
		c.Kill()
	}
}
