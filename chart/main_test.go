package chart

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/testserver/postgres"
	"github.com/lectern-docs/lectern/internal/testserver/s3"
)

// The parts that the runs share, made once: the binary, a database server and an object store.
var (
	binary   string
	database *postgres.Server
	objects  *s3.Server
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "lectern-chart-")
	if err != nil {
		return fail(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Chmod(dir, 0o755); err != nil { // other users run the binary
		return fail(err)
	}
	binary = filepath.Join(dir, "lectern")
	build := exec.Command("go", "build", "-o", binary, "../cmd/lectern")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fail(fmt.Errorf("build the binary: %w\n%s", err, out))
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
