package jsrun

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// Limits of one page. Zero fields mean the defaults.
type Limits struct {
	Memory int64         // bytes; 64 MB
	Time   time.Duration // of all calls together; 5 s
	Stack  int           // the engine's stack slots, about one per JavaScript call; 0 leaves its own default
	Output int           // characters of one answer; 2 million
}

// Host says where author code runs. The zero value runs it inside this process.
type Host struct {
	Start func() (Process, error) // opens a process that runs Serve; nil: inside this one
	Off   bool                    // author code is not to be run at all; whoever would call it must ask
}

// Process is a running Serve: its input and output. It is trusted with nothing.
type Process interface {
	io.Reader
	io.Writer
	// Kill ends the process at once and returns when it is gone; Read and Write then fail. It may be called again, and by any goroutine.
	Kill()
}

// Options of a site.
type Options struct {
	Limits    Limits
	Now       time.Time // what new Date() is; the zero time means 1970
	Host      Host
	Processes int // at once, with Host.Start; 0 means 1
}

// Engine makes machines for the pages of one site. It is safe for concurrent use. Close it.
type Engine struct {
	maker
	pool  *pool        // nil: machines stand in this process
	stray atomic.Int32 // machines of this process that were left behind
}

// New makes an engine. Nothing is compiled or started before the first page needs it.
func New(o Options) *Engine {
	e := &Engine{maker: newMaker(o.Limits, o.Now)}
	if o.Host.Start != nil {
		e.pool = newPool(o.Host.Start, max(1, o.Processes))
	}
	return e
}

// Close ends the engine's processes, also those at work: their calls fail.
func (e *Engine) Close() {
	if e.pool != nil {
		e.pool.close()
	}
}

// Open starts a page. seed is what its random numbers follow from: the same seed gives the same page. When ctx ends, the
// call at work ends and later ones fail. The caller closes it.
func (e *Engine) Open(ctx context.Context, seed string) *Page {
	return &Page{ctx: ctx, engine: e, seed: seed, left: e.limits.Time}
}

// enter opens the place where a page's machine stands.
func (e *Engine) enter(ctx context.Context, seed string) (place, error) {
	if e.pool == nil {
		return &inside{engine: e, seed: seed}, nil
	}
	return e.pool.enter(ctx, e.limits, opening{Seed: seed, Now: e.now.UnixMilli(), Memory: e.limits.Memory, Stack: e.limits.Stack, Output: e.limits.Output})
}

// place is where the machine of one page stands.
type place interface {
	// run does a job within the time left of the page's. After an error the place is of no use but to be left.
	run(ctx context.Context, j job, left time.Duration) (string, error)
	// leave gives the place up; whole means that no limit was met.
	leave(whole bool)
}
