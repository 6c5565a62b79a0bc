package gitea

import (
	"context"
	"sync"
	"testing"
)

// shared is the server for all tests of a process, because starting one takes seconds. Users and repositories have
// random names, so that tests do not interfere with each other.
var (
	shared = sync.OnceValues(func() (*Server, error) {
		s, err := Start(context.Background())
		if err == nil {
			stopShared = s.Stop
		}
		return s, err
	})
	stopShared = func() {}
)

// Shared returns the server that all tests of a process share. The first call starts it. TestMain calls StopShared.
func Shared(t testing.TB) *Server {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// StopShared stops the shared server if it was started. Call it after the last test.
func StopShared() { stopShared() }
