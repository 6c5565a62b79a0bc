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

// Stage is what stories of the whole program share, made once for a test binary.
type Stage struct {
	Binary   string
	Database *postgres.Server
	Objects  *s3.Server
}

// atOnce is how many tests run side by side.
const atOnce = 4

// Main runs a package's tests on a stage, which it passes to set before them and stops after them. It returns the exit
// status.
func Main(m *testing.M, set func(Stage)) int {
	code, err := onStage(m, set)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// AtOnce lets that many parallel tests run at once, unless the command line says how many. Tests of whole processes
// wait for leases, polls and starts more than they compute, so there may be more of them than processors. Call it
// before the tests run.
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
