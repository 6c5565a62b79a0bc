package sitehost

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// flight lets concurrent requests for the same content share one fetch: when a new version goes live, the first
// thousand readers of its first page cost the blob store one request.
type flight[V any] struct {
	mu    sync.Mutex
	calls map[string]*call[V] // guarded by mu; under way
}

// call is a fetch under way. Value and err are set before done is closed.
type call[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// fetchLife bounds a fetch that several wait for, none of whom can end it by leaving.
const fetchLife = time.Minute

func newFlight[V any]() *flight[V] { return &flight[V]{calls: map[string]*call[V]{}} }

// do returns what fetch finds for a key, or what one that is under way for the same key finds. It returns early when
// ctx ends; the fetch goes on for the others. fetch must not depend on who asks.
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
		if r := recover(); r != nil { // nobody's request is here to end with it
			c.err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
		f.mu.Lock()
		delete(f.calls, key)
		f.mu.Unlock()
		close(c.done)
	}()
	c.value, c.err = fetch(ctx)
}
