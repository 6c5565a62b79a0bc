package forge

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

const (
	tries       = 5
	firstPause  = time.Second     // doubled with each try
	longestWait = 2 * time.Minute // a longer Retry-After is an error at once
)

// patient asks again when a host is busy. Every call of the contract may be made twice: one that opens a pull request which an earlier call
// has opened, without our hearing of it, is given that one (G7).
type patient struct {
	host  pull.Host
	pause func(ctx context.Context, d time.Duration) error
}

var _ pull.Host = patient{}

// again runs ask until it gives something else than "busy", or patience ends.
func again[T any](ctx context.Context, p patient, ask func() (T, error)) (T, error) {
	for try, wait := 1, firstPause; ; try, wait = try+1, 2*wait {
		got, err := ask()
		f, ok := fault.As(err)
		if !ok || f.Kind != fault.Unavailable || try == tries || f.RetryAfter > longestWait {
			return got, err
		}
		if p.pause(ctx, max(wait, f.RetryAfter)) != nil {
			return got, context.Cause(ctx)
		}
	}
}

// Find implements pull.Host.
func (p patient) Find(ctx context.Context, head string) (pull.Pull, error) {
	return again(ctx, p, func() (pull.Pull, error) { return p.host.Find(ctx, head) })
}

// Get implements pull.Host.
func (p patient) Get(ctx context.Context, number int64) (pull.Pull, error) {
	return again(ctx, p, func() (pull.Pull, error) { return p.host.Get(ctx, number) })
}

// Open implements pull.Host.
func (p patient) Open(ctx context.Context, r pull.Request) (pull.Pull, error) {
	return again(ctx, p, func() (pull.Pull, error) { return p.host.Open(ctx, r) })
}

// Update implements pull.Host.
func (p patient) Update(ctx context.Context, number int64, r pull.Request) (pull.Pull, error) {
	return again(ctx, p, func() (pull.Pull, error) { return p.host.Update(ctx, number, r) })
}

// Comments implements pull.Host.
func (p patient) Comments(ctx context.Context, number int64) ([]pull.Comment, error) {
	return again(ctx, p, func() ([]pull.Comment, error) { return p.host.Comments(ctx, number) })
}

// pause waits, or ends with ctx.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
