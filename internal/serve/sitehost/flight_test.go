package sitehost

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestConcurrentRequestsShareOneFetch(t *testing.T) {
	f := newFlight[string]()
	var fetched atomic.Int64
	begun, release := make(chan struct{}), make(chan struct{})
	fetch := func(ctx context.Context) (string, error) {
		if fetched.Add(1) == 1 {
			close(begun)
		}
		<-release
		return "bytes", ctx.Err()
	}
	first, leave := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() { _, err := f.do(first, "k", fetch); gone <- err }()
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	var others sync.WaitGroup
	for range 50 {
		others.Go(func() {
			if _, err := f.do(ctx, "k", fetch); !errors.Is(err, context.Canceled) {
				t.Errorf("the canceled caller got %v", err)
			}
		})
	}
	if _, err := f.do(t.Context(), "other", func(context.Context) (string, error) { return "own", nil }); err != nil {
		t.Errorf("a caller with another key waits: %v", err)
	}
	cancel()
	others.Wait()
	last := make(chan string, 1)
	joined := f.calls["k"]
	leave() // the fetch continues after the first caller has left
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	go func() { <-joined.done; last <- joined.value }()
	close(release)
	if got := <-last; got != "bytes" || joined.err != nil || fetched.Load() != 1 {
		t.Errorf("%q, %v, fetched %d times", got, joined.err, fetched.Load())
	}
	if len(f.calls) != 0 {
		t.Error("the fetch is still in progress")
	}
}

func TestPanicInFetchIsContained(t *testing.T) {
	f := newFlight[string]()
	_, err := f.do(t.Context(), "k", func(context.Context) (string, error) { panic("broken pack") })
	if err == nil || !strings.Contains(err.Error(), "broken pack") {
		t.Errorf("%v", err)
	}
}
