package store

import (
	"context"
	"errors"
	"testing"
)

// joining is a context that reports when a caller starts to wait.
type joining struct {
	context.Context
	joined chan struct{}
}

func (j joining) Done() <-chan struct{} {
	j.joined <- struct{}{}
	return j.Context.Done()
}

// joinAll lets callers join a read that has not started yet, and returns the read and the callers' results.
func joinAll(t *testing.T, s *Shared[int], callers int, ctx context.Context) (*sharedRead[int], chan error) {
	t.Helper()
	r := &sharedRead[int]{done: make(chan struct{}), err: errSharedRead}
	s.waiting = map[string]*sharedRead[int]{"job": r}
	joined, got := make(chan struct{}), make(chan error, callers)
	for range callers {
		go func() {
			v, err := s.Do(joining{ctx, joined}, "job", func(context.Context) (int, error) {
				return 0, errors.New("a caller that joined has read for itself")
			})
			if err == nil && v != 7 {
				err = errors.New("another value")
			}
			got <- err
		}()
	}
	for range callers {
		<-joined
	}
	return r, got
}

func TestCallersShareReadThatHasNotStarted(t *testing.T) {
	s := &Shared[int]{}
	r, got := joinAll(t, s, 5, t.Context())
	s.lead(t.Context(), "job", r, func(context.Context) (int, error) { return 7, nil })
	for range 5 {
		if err := <-got; err != nil {
			t.Error(err)
		}
	}
}

// A caller that arrives after a read has started must not get the result of that read, because it would miss commits
// made in the meantime.
func TestCallersDoNotJoinStartedRead(t *testing.T) {
	s := &Shared[int]{life: sharedLife}
	version, ctx := 1, t.Context()
	first, err := s.Do(ctx, "job", func(context.Context) (int, error) {
		read := version
		version++ // another request commits
		second, err := s.Do(ctx, "job", func(context.Context) (int, error) { return version, nil })
		if second != 2 {
			t.Errorf("the later caller sees version %d", second)
		}
		return read, err
	})
	if first != 1 || err != nil {
		t.Errorf("the first caller sees version %d, %v", first, err)
	}
	if len(s.waiting) != 0 {
		t.Errorf("%d reads are left", len(s.waiting))
	}
}

// A shared read continues when the caller that started it leaves. If the context of another caller ends, only that
// caller stops waiting.
func TestSharedReadOutlivesItsCallers(t *testing.T) {
	s := &Shared[int]{}
	gone, leave := context.WithCancel(t.Context())
	r, got := joinAll(t, s, 1, gone)
	leave()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled caller gets %v", err)
	}
	s.lead(gone, "job", r, func(ctx context.Context) (int, error) { return 7, ctx.Err() })
	if r.value != 7 || r.err != nil {
		t.Errorf("read %d, %v", r.value, r.err)
	}
}

func TestPanickingReadFailsForItsCallers(t *testing.T) {
	s := &Shared[int]{}
	r, got := joinAll(t, s, 1, t.Context())
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic does not reach the caller that runs the read")
			}
		}()
		s.lead(t.Context(), "job", r, func(context.Context) (int, error) { panic("broken") })
	}()
	if err := <-got; !errors.Is(err, errSharedRead) {
		t.Errorf("the other caller gets %v", err)
	}
}
