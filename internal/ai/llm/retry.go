package llm

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Retry configures how often and when a driver retries. Zero fields take their defaults.
//
// The wait before a retry is chosen at random between zero and a limit that doubles each time (full jitter), so
// that jobs that failed together do not retry together. A wait requested by the server is respected, up to Longest.
type Retry struct {
	Tries   int           // total attempts; default 6, 1 = no retries
	First   time.Duration // limit of the first wait; default 1 s
	Longest time.Duration // limit of a wait; default 1 min. If a server asks for more, there is no retry
	Total   time.Duration // limit of all waits together; default 5 min

	Random func() float64                                   // from [0,1); nil: wait for the full limit
	Wait   func(ctx context.Context, d time.Duration) error // nil: a timer. It returns ctx's error if ctx ends first
	// for parsing dates in responses; nil: such dates are ignored
	Now func() time.Time
}

// Again marks an error after which a retry may help.
type Again struct {
	Err   error
	After time.Duration // from the server's Retry-After; 0 = none
}

// Error returns the text of the wrapped error.
func (a *Again) Error() string { return a.Err.Error() }

// Unwrap returns the wrapped error for errors.Is and errors.As.
func (a *Again) Unwrap() error { return a.Err }

// OrDefault sets defaults for zero fields.
func (r Retry) OrDefault() Retry {
	if r.Tries <= 0 {
		r.Tries = 6
	}
	for _, d := range []struct {
		at *time.Duration
		to time.Duration
	}{{&r.First, time.Second}, {&r.Longest, time.Minute}, {&r.Total, 5 * time.Minute}} {
		if *d.at <= 0 {
			*d.at = d.to
		}
	}
	if r.Wait == nil {
		r.Wait = wait
	}
	return r
}

// Do calls try until it succeeds, fails with an error that is not an Again, or the retries are used up. In the last
// case the result is model_busy, with the last error as its cause.
func (r Retry) Do(ctx context.Context, try func(context.Context) error) error {
	r = r.OrDefault()
	var waited time.Duration
	for n := 1; ; n++ {
		err := try(ctx)
		var again *Again
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !errors.As(err, &again):
			return err
		}
		d := r.next(n, again.After)
		if n >= r.Tries || d > r.Longest || waited+d > r.Total {
			return busy(again, d)
		}
		waited += d
		if err := r.Wait(ctx, d); err != nil {
			return err
		}
	}
}

// next returns the wait after the nth attempt. The server's Retry-After is the minimum, because retrying earlier is
// pointless.
func (r Retry) next(n int, wish time.Duration) time.Duration {
	bound := float64(r.First) * math.Pow(2, float64(min(n-1, 30)))
	d := min(bound, float64(r.Longest))
	if r.Random != nil {
		d *= r.Random()
	}
	if wish > r.Longest {
		return wish
	}
	return min(wish+time.Duration(d), r.Longest)
}

func busy(last *Again, d time.Duration) error {
	f := fault.New(fault.Unavailable, "model_busy", "The model is not available at the moment.").
		WithHint("Try again in a few minutes. If this persists, the server's log has the reason.").WithCause(last.Err)
	if last.After > 0 {
		f = f.WithRetryAfter(d)
	}
	return f
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
