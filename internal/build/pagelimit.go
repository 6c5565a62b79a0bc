package build

import (
	"context"
	"time"
)

// pauseKey finds the function that pauses the time limit of a page in its context.
type pauseKey struct{}

// withPageLimit returns a context that is canceled when work on a page takes longer than limit, without the time that
// pauseOf excludes. After a pause the limit starts anew: pauses are for work that happens once per build, so that their
// number is bounded.
func withPageLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	own, cancel := context.WithCancel(ctx)
	if limit < 0 {
		cancel() // at once; a timer would end the page at some later moment
	}
	timer := time.AfterFunc(limit, cancel)
	pause := func() (resume func()) {
		if !timer.Stop() {
			return func() {} // the limit was reached already
		}
		return func() { timer.Reset(limit) }
	}
	stop := func() {
		timer.Stop()
		cancel()
	}
	return context.WithValue(own, pauseKey{}, pause), stop
}

// pauseOf returns the function that pauses the time limit of a page; nil when there is none.
func pauseOf(ctx context.Context) func() (resume func()) {
	pause, _ := ctx.Value(pauseKey{}).(func() (resume func()))
	return pause
}
