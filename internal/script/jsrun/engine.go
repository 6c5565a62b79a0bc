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
	Time   time.Duration // total of all calls; 5 s
	Stack  int           // the engine's stack slots, about one per JavaScript call; 0 keeps the engine's default
	Output int           // characters of one answer; 2 million
}

// Host configures where author code runs. The zero value runs it inside this process.
type Host struct {
	Start func() (Process, error) // starts a process that runs Serve; nil: run in this process
	Off   bool                    // author code must not run at all; callers check this before a call
}

// Process is a running Serve: its input and output. It is not trusted.
type Process interface {
	io.Reader
	io.Writer
	// Kill ends the process at once and returns when the process is gone; Read and Write then fail. It may be called
	// more than once, and from any goroutine.
	Kill()
}

// Options holds the settings of a site.
type Options struct {
	Limits    Limits
	Now       time.Time // the value of new Date(); the zero time means 1970
	Host      Host
	Processes int // number of concurrent processes if Host.Start is set; 0 means 1
}

// Engine creates virtual machines for the pages of one site. It is safe for concurrent use. The caller must close
// it.
type Engine struct {
	maker
	pool  *pool        // nil: machines run in this process
	stray atomic.Int32 // abandoned machines in this process
}

// New returns an Engine. Nothing is compiled or started before the first page needs it.
func New(o Options) *Engine {
	e := &Engine{maker: newMaker(o.Limits, o.Now)}
	if o.Host.Start != nil {
		e.pool = newPool(o.Host.Start, max(1, o.Processes))
	}
	return e
}

// Close kills the engine's processes, including busy ones, whose calls then fail.
func (e *Engine) Close() {
	if e.pool != nil {
		e.pool.close()
	}
}

// Open starts a page. The same seed produces the same random numbers, and therefore the same page. When ctx is
// cancelled, the running call stops and later ones fail. The caller must close the page.
func (e *Engine) Open(ctx context.Context, seed string) *Page {
	return &Page{ctx: ctx, engine: e, seed: seed, left: e.limits.Time}
}

// enter opens the place where the machine of a page will run.
func (e *Engine) enter(ctx context.Context, seed string) (place, error) {
	if e.pool == nil {
		return &inside{engine: e, seed: seed}, nil
	}
	return e.pool.enter(ctx, e.limits, opening{Seed: seed, Now: e.now.UnixMilli(), Memory: e.limits.Memory,
		Stack: e.limits.Stack, Output: e.limits.Output})
}

// place is where the machine of one page runs: inside this process or in another.
type place interface {
	// run executes a job within the page's remaining time. After an error, the caller must call leave.
	run(ctx context.Context, j job, left time.Duration) (string, error)
	// leave releases the place. whole means that no limit was exceeded, so that the process can be reused.
	leave(whole bool)
}
