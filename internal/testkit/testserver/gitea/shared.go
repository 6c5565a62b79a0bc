package gitea

import (
	"context"
	"sync"
	"testing"
)

// shared is the server of all tests of a process. A start takes seconds, and users and repositories have random names, so
// that tests do not meet.
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

// Shared returns the server that all tests of a process share, started by the first that asks. TestMain calls StopShared.
func Shared(t testing.TB) *Server {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// StopShared ends the server of Shared if there is one, after the last test.
func StopShared() { stopShared() }
