package e2e

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/lectern-docs/lectern/internal/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testserver/postgres"
	"github.com/lectern-docs/lectern/internal/testserver/s3"
)

// The parts every story may use, made once: the binary, a database server and an object store.
var (
	binary   string
	database *postgres.Server
	objects  *s3.Server
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "lectern-e2e-")
	if err != nil {
		return fail(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if binary, err = lectern.Build(dir); err != nil {
		return fail(err)
	}
	if database, err = postgres.Start(context.Background()); err != nil {
		return fail(err)
	}
	defer database.Stop()
	if objects, err = s3.Start(context.Background()); err != nil {
		return fail(err)
	}
	defer objects.Stop()
	return m.Run()
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
