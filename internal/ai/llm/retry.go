package llm

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Retry says how often and after what waits a driver tries again. The zero value of a field takes its default.
//
// The wait before a repetition is drawn evenly between nothing and a bound that doubles each time (full jitter), so
// that many jobs that failed together do not come back together. A server that says how long to wait is believed, up to
// Longest.
type Retry struct {
	Tries   int           // in all; default 6, 1 = never again
	First   time.Duration // bound of the first wait; default 1 s
	Longest time.Duration // of one wait; default 1 min. A server that asks for more is not asked again
	Total   time.Duration // of all waits; default 5 min

	Random func() float64                                   // from [0,1); nil: waits are their bounds
	Wait   func(ctx context.Context, d time.Duration) error // nil: a timer. It returns ctx's error when ctx ends first
	// to read dates that servers name; nil: such dates are passed over
	Now func() time.Time
}

// Again marks an error after which trying again may help.
type Again struct {
	Err   error
	After time.Duration // from the server's Retry-After; 0 = not given
}

// Error returns the error's own text.
func (a *Again) Error() string { return a.Err.Error() }

// Unwrap gives the error to errors.Is and errors.As.
func (a *Again) Unwrap() error { return a.Err }

// OrDefault fills what is not set.
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

// Do calls try until it succeeds, fails with an error that is not Again, or may not be called again. In the last case
// the result is model_busy, with the last error as its cause.
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

// next returns the wait after the nth try. The server's Retry-After is the minimum: retrying earlier is pointless.
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
