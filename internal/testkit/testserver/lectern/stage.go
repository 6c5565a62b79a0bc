package lectern

import (
	"context"
	"fmt"
	"os"
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

// Main runs a package's tests on a stage, which is handed to set before them and taken down after them. It returns the exit status.
func Main(m *testing.M, set func(Stage)) int {
	code, err := onStage(m, set)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
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
	return m.Run(), nil
}
