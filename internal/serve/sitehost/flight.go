package sitehost

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// flight lets concurrent requests for the same content share one fetch: when a new version goes live, the first
// thousand readers of its first page cause only one request to the blob store.
type flight[V any] struct {
	mu    sync.Mutex
	calls map[string]*call[V] // guarded by mu; in progress
}

// call is a fetch in progress. Value and err are set before done is closed.
type call[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// fetchLife is the timeout of a shared fetch, which continues even if a client disconnects.
const fetchLife = time.Minute

func newFlight[V any]() *flight[V] { return &flight[V]{calls: map[string]*call[V]{}} }

// do returns the result of fetch for a key, or of a fetch for the same key that is already in progress. It returns
// early if ctx ends; the fetch continues for the other callers. fetch must not depend on the caller.
func (f *flight[V]) do(ctx context.Context, key string, fetch func(context.Context) (V, error)) (V, error) {
	f.mu.Lock()
	c, ok := f.calls[key]
	if !ok {
		c = &call[V]{done: make(chan struct{})}
		f.calls[key] = c
		go f.run(context.WithoutCancel(ctx), key, c, fetch)
	}
	f.mu.Unlock()
	select {
	case <-c.done:
		return c.value, c.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

func (f *flight[V]) run(ctx context.Context, key string, c *call[V], fetch func(context.Context) (V, error)) {
	ctx, cancel := context.WithTimeout(ctx, fetchLife)
	defer cancel()
	defer func() {
		if r := recover(); r != nil { // outside a request, so a panic would end the process
			c.err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
		f.mu.Lock()
		delete(f.calls, key)
		f.mu.Unlock()
		close(c.done)
	}()
	c.value, c.err = fetch(ctx)
}
