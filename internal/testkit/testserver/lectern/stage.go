package lectern

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/s3"
)

// Stage is the environment that tests of the whole program share. It is created once for a test binary.
type Stage struct {
	Binary   string
	Database *postgres.Server
	Objects  *s3.Server
}

// atOnce is the number of tests that run in parallel.
const atOnce = 4

// Main runs a package's tests on a stage. It passes the stage to set before the tests and stops it after them. It
// returns the exit status.
func Main(m *testing.M, set func(Stage)) int {
	code, err := onStage(m, set)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// AtOnce sets the number of parallel tests unless the command line sets it. Tests of whole processes mostly wait for
// leases, polls and starts, so there may be more of them than processors. Call it before the tests run.
func AtOnce(n int) error {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if said {
		return nil
	}
	return flag.Set("test.parallel", strconv.Itoa(n))
}

func onStage(m *testing.M, set func(Stage)) (code int, err error) {
	dir, err := os.MkdirTemp("", "lectern-e2e-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Chmod(dir, 0o755); err != nil { // some tests run the binary as another user
		return 0, err
	}
	var s Stage
	if s.Binary, err = Build(dir); err != nil {
		return 0, err
	}
	if s.Database, err = postgres.Start(context.Background()); err != nil {
		return 0, err
	}
	defer s.Database.Stop()
	if s.Objects, err = s3.Start(context.Background()); err != nil {
		return 0, err
	}
	defer s.Objects.Stop()
	set(s)
	if err := AtOnce(atOnce); err != nil {
		return 0, err
	}
	return m.Run(), nil
}
