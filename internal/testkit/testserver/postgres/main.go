package postgres

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// Main starts a server, stores it in *s, runs the package's tests and exits. It fails if the server cannot start.
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
