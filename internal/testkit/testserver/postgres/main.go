package postgres

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// Main runs a package's tests with one server in *s, and ends the process. A server that cannot start fails the run.
func Main(m *testing.M, s **Server) {
	os.Exit(run(m, s))
}

func run(m *testing.M, s **Server) int {
	server, err := Start(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer server.Stop()
	*s = server
	return m.Run()
}
