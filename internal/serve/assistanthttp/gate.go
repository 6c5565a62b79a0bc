package assistanthttp

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
)

// Bounds of what is answered at once.
const (
	atOnce          = 64 // by a process
	atOnceByVisitor = 3
)

// GateOptions are what a gate is made with.
type GateOptions struct {
	Counter  auth.Counter // counts over all processes; nil = this is the only one
	Now      func() time.Time
	PerSite  int             // questions an hour; 0 = any number
	AtOnce   int             // answers; 0 = 64
	Stopping <-chan struct{} // closed when the server begins to stop: answers end; nil = never
}

// Gate limits the concurrent answers of a process, over all endpoints. It is safe for concurrent use.
type Gate struct {
	sites    *auth.Rate
	most     int
	stopping <-chan struct{}

	mu       sync.Mutex
	all      int            // answers that are being made
	visitors map[string]int // of these, by who asked
}

// NewGate makes a gate.
func NewGate(opt GateOptions) *Gate {
	if opt.AtOnce <= 0 {
		opt.AtOnce = atOnce
	}
	return &Gate{sites: auth.NewHourly(opt.PerSite, "the assistant of this site", opt.Counter, opt.Now),
		most: opt.AtOnce, stopping: opt.Stopping, visitors: map[string]int{}}
}

// Admit counts a question to a site and reserves a slot for its answer; the caller calls leave when the answer has
// ended. visitor is who asks, "" = somebody with a limit of their own. A refusal's headers are about what refused.
func (g *Gate) Admit(ctx context.Context, site, visitor string, h http.Header) (leave func(), err error) {
	if err := g.enter(visitor); err != nil {
		return nil, err
	}
	told := http.Header{} // callers get their own count unless this one refuses
	if err := g.sites.Take(ctx, site, told); err != nil {
		g.leave(visitor)
		maps.Copy(h, told)
		return nil, err
	}
	return func() { g.leave(visitor) }, nil
}

func (g *Gate) enter(visitor string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.all >= g.most:
		return fault.New(fault.Unavailable, "assistant_busy",
			"The assistant is busy: there are too many questions at the moment.").WithRetryAfter(10 * time.Second).
			WithHint("Wait for the time in Retry-After.")
	case visitor != "" && g.visitors[visitor] >= atOnceByVisitor:
		return fault.Newf(fault.RateLimited, "rate_limited", "A reader may have at most %d answers in progress.",
			atOnceByVisitor).WithRetryAfter(5 * time.Second).WithHint("Wait for the earlier answers.")
	}
	g.all++
	if visitor != "" {
		g.visitors[visitor]++
	}
	return nil
}

func (g *Gate) leave(visitor string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all--
	if visitor == "" {
		return
	}
	if g.visitors[visitor]--; g.visitors[visitor] == 0 {
		delete(g.visitors, visitor)
	}
}
