package store

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
)

// Shared lets concurrent callers with the same key share one read. A caller joins a read only if the read has not
// started yet, so that the caller sees everything that was committed before its call. For example, a revoked key is
// invalid for the next request, in every process. Nothing is cached after the read.
//
// The result is shared, so callers must not modify what its slices and pointers refer to.
type Shared[V any] struct {
	life time.Duration // time limit of a read; 0 = no limit, as on SQLite, where a limit costs two goroutines per query

	mu      sync.Mutex
	waiting map[string]*sharedRead[V] // reads that have not started, by key
}

type sharedRead[V any] struct {
	done  chan struct{} // closed when value and err are set
	value V
	err   error
}

// sharedLife is the time limit of a shared read. The context of a single caller must not cancel the read for the other
// callers.
const sharedLife = 30 * time.Second

// ShareReads returns a Shared for reads from the store.
func ShareReads[V any](s *Store) *Shared[V] {
	if s.pg == nil {
		return &Shared[V]{}
	}
	return &Shared[V]{life: sharedLife}
}

var errSharedRead = errors.New("the read that this one joined panicked")

// Do returns the result of read. The first caller runs read, for itself and for all callers that arrive before read
// starts.
func (s *Shared[V]) Do(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error) {
	s.mu.Lock()
	r, ok := s.waiting[key]
	if !ok {
		r = &sharedRead[V]{done: make(chan struct{}), err: errSharedRead}
		if s.waiting == nil {
			s.waiting = map[string]*sharedRead[V]{}
		}
		s.waiting[key] = r
	}
	s.mu.Unlock()
	if !ok {
		s.lead(ctx, key, r, read)
		return r.value, r.err
	}
	select {
	case <-r.done:
		return r.value, r.err
	case <-ctx.Done():
		var zero V
		return zero, ctx.Err()
	}
}

func (s *Shared[V]) lead(ctx context.Context, key string, r *sharedRead[V], read func(context.Context) (V, error)) {
	defer close(r.done)
	// First let other goroutines that are ready to run join. If there are none, this returns at once.
	runtime.Gosched()
	s.mu.Lock()
	delete(s.waiting, key)
	s.mu.Unlock()
	ctx = context.WithoutCancel(ctx)
	if s.life > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.life)
		defer cancel()
	}
	r.value, r.err = read(ctx)
}

// FindPrincipal is like reads.FindPrincipal, but concurrent callers with the same key share the query.
func (s *Store) FindPrincipal(ctx context.Context, hashes ...string) (Principal, error) {
	key := ""
	for _, h := range hashes {
		key += h + " "
	}
	return s.principals.Do(ctx, key, func(ctx context.Context) (Principal, error) {
		return s.reads.FindPrincipal(ctx, hashes...)
	})
}
