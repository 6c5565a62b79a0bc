package forge

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

const (
	tries       = 5
	firstPause  = time.Second     // doubles with each attempt
	longestWait = 2 * time.Minute // a longer Retry-After is an immediate error
)

// retryingHost retries calls when a host is busy. Every method may be repeated: Open returns the pull request
// opened by an earlier call whose response was lost (G7).
type retryingHost struct {
	host  pull.Host
	pause pauser
}

// pauser waits for a duration or until ctx ends.
type pauser func(ctx context.Context, d time.Duration) error

// retryingReleases retries calls when a host is busy.
type retryingReleases struct {
	releases pull.Releases
	pause    pauser
}

// Release implements pull.Releases.
func (p retryingReleases) Release(ctx context.Context, tag string) (pull.Release, error) {
	return withRetry(ctx, p.pause, func() (pull.Release, error) { return p.releases.Release(ctx, tag) })
}

var _ pull.Host = retryingHost{}

// withRetry calls ask until it returns anything but a busy fault or the attempts are exhausted.
func withRetry[T any](ctx context.Context, pause pauser, ask func() (T, error)) (T, error) {
	for try, wait := 1, firstPause; ; try, wait = try+1, 2*wait {
		got, err := ask()
		f, ok := fault.As(err)
		if !ok || f.Kind != fault.Unavailable || try == tries || f.RetryAfter > longestWait {
			return got, err
		}
		if pause(ctx, max(wait, f.RetryAfter)) != nil {
			return got, context.Cause(ctx)
		}
	}
}

// Find implements pull.Host.
func (p retryingHost) Find(ctx context.Context, head string) (pull.Pull, error) {
	return withRetry(ctx, p.pause, func() (pull.Pull, error) { return p.host.Find(ctx, head) })
}

// Get implements pull.Host.
func (p retryingHost) Get(ctx context.Context, number int64) (pull.Pull, error) {
	return withRetry(ctx, p.pause, func() (pull.Pull, error) { return p.host.Get(ctx, number) })
}

// Open implements pull.Host.
func (p retryingHost) Open(ctx context.Context, r pull.Request) (pull.Pull, error) {
	return withRetry(ctx, p.pause, func() (pull.Pull, error) { return p.host.Open(ctx, r) })
}

// Update implements pull.Host.
func (p retryingHost) Update(ctx context.Context, number int64, r pull.Request) (pull.Pull, error) {
	return withRetry(ctx, p.pause, func() (pull.Pull, error) { return p.host.Update(ctx, number, r) })
}

// Comments implements pull.Host.
func (p retryingHost) Comments(ctx context.Context, number int64) ([]pull.Comment, error) {
	return withRetry(ctx, p.pause, func() ([]pull.Comment, error) { return p.host.Comments(ctx, number) })
}

// pause waits until d has passed or ctx ends.
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
