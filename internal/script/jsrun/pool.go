package jsrun

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

const (
	startTime = 30 * time.Second // a process that is not ready by then never will be
	maxPages  = 64               // per process; the limit on its processor time is above this many times a page's limit
)

var errPool = errors.New("the engine is closed")

// errStart means that no process could be started. The cause is logged where processes are started, for the operator.
func errStart() error {
	return &Error{Message: "JavaScript cannot run on this server",
		Hint: "its process does not start; the reason is in the server's log"}
}

// pool is the processes of one engine. They are started when a page needs one and none is idle.
type pool struct {
	start func() (Process, error)
	slots chan struct{} // one per busy process

	mu     sync.Mutex
	idle   []*child
	all    map[*child]bool
	closed bool
}

func newPool(start func() (Process, error), size int) *pool {
	return &pool{start: start, slots: make(chan struct{}, size), all: map[*child]bool{}}
}

// child is one process. It belongs to one page at a time.
type child struct {
	Process
	pages int         // it has served
	late  atomic.Bool // it was killed because it took too long
}

// within arms a time limit; the function it returns disarms it and reports whether it was met.
func (c *child) within(limit time.Duration) (kept func() bool) {
	timer := time.AfterFunc(limit, func() {
		c.late.Store(true)
		c.Kill()
	})
	return timer.Stop
}

// enter opens a page in a process. It replaces a process that died while idle: no code of the page has run in it.
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

// take returns an idle process, or a new one.
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

// give returns a process to the pool for the next page.
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

// drop kills a process.
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
