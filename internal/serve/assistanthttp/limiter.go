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

// Limits for concurrent answers.
const (
	defaultConcurrent = 64 // per process
	maxPerVisitor     = 3
)

// LimiterOptions configures NewLimiter.
type LimiterOptions struct {
	Counter       auth.Counter // counts across all processes; nil = this is the only one
	Now           func() time.Time
	PerSite       int             // questions per hour; 0 = unlimited
	MaxConcurrent int             // answers; 0 = 64
	Stopping      <-chan struct{} // closed when the server begins to stop, which ends answers; nil = never
}

// Limiter limits a process's concurrent answers, across all endpoints. It is safe for concurrent use.
type Limiter struct {
	sites         *auth.Rate
	maxConcurrent int
	stopping      <-chan struct{}

	mu       sync.Mutex
	running  int            // answers in progress
	visitors map[string]int // answers in progress by visitor
}

// NewLimiter returns a limiter.
func NewLimiter(opt LimiterOptions) *Limiter {
	if opt.MaxConcurrent <= 0 {
		opt.MaxConcurrent = defaultConcurrent
	}
	return &Limiter{sites: auth.NewHourly(opt.PerSite, "the assistant of this site", opt.Counter, opt.Now),
		maxConcurrent: opt.MaxConcurrent, stopping: opt.Stopping, visitors: map[string]int{}}
}

// Admit counts a question to a site and reserves a slot for its answer; the caller calls release when the answer has
// ended. visitor identifies the reader; "" means that the caller enforces its own limit. If the site's limit is
// exceeded, Admit sets that limit's headers in h.
func (l *Limiter) Admit(ctx context.Context, site, visitor string, h http.Header) (release func(), err error) {
	if err := l.acquire(visitor); err != nil {
		return nil, err
	}
	siteHeader := http.Header{} // the response headers describe the visitor's limit unless the site's is exceeded
	if err := l.sites.Take(ctx, site, siteHeader); err != nil {
		l.release(visitor)
		maps.Copy(h, siteHeader)
		return nil, err
	}
	return func() { l.release(visitor) }, nil
}

func (l *Limiter) acquire(visitor string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.running >= l.maxConcurrent:
		return fault.New(fault.Unavailable, "assistant_busy",
			"The assistant is busy: there are too many questions at the moment.").WithRetryAfter(10 * time.Second).
			WithHint("Wait for the time in Retry-After.")
	case visitor != "" && l.visitors[visitor] >= maxPerVisitor:
		return fault.Newf(fault.RateLimited, "rate_limited", "A reader may have at most %d answers in progress.",
			maxPerVisitor).WithRetryAfter(5 * time.Second).WithHint("Wait for the earlier answers.")
	}
	l.running++
	if visitor != "" {
		l.visitors[visitor]++
	}
	return nil
}

func (l *Limiter) release(visitor string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running--
	if visitor == "" {
		return
	}
	if l.visitors[visitor]--; l.visitors[visitor] == 0 {
		delete(l.visitors, visitor)
	}
}
