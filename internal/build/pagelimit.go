package build

import (
	"context"
	"time"
)

// pauseKey is the context key of the function that pauses the time limit of a page.
type pauseKey struct{}

// withPageLimit returns a context that is cancelled when work on a page takes longer than limit, not counting
// pauses (see pauseOf). After a pause the limit starts again. Pauses are for work that is done once per build, so
// their number is bounded.
func withPageLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	own, cancel := context.WithCancel(ctx)
	if limit < 0 {
		cancel() // immediately, because a timer would end the page at some later time
	}
	timer := time.AfterFunc(limit, cancel)
	pause := func() (resume func()) {
		if !timer.Stop() {
			return func() {} // the limit has been exceeded
		}
		return func() { timer.Reset(limit) }
	}
	stop := func() {
		timer.Stop()
		cancel()
	}
	return context.WithValue(own, pauseKey{}, pause), stop
}

// pauseOf returns the function that pauses the time limit of a page, or nil.
func pauseOf(ctx context.Context) func() (resume func()) {
	pause, _ := ctx.Value(pauseKey{}).(func() (resume func()))
	return pause
}
