package e2e

import (
	"os"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/s3"
)

// All tests may use the binary, a database server and an object store, each created once.
var (
	binary   string
	database *postgres.Server
	objects  *s3.Server
)

func TestMain(m *testing.M) {
	code := lectern.Main(m, func(s lectern.Stage) { binary, database, objects = s.Binary, s.Database, s.Objects })
	gitea.StopShared()
	os.Exit(code)
}
