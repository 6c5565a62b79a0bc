package chart

import (
	"os"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/s3"
)

// All tests that run pods share the binary, a database server and an object store.
var (
	binary   string
	database *postgres.Server
	objects  *s3.Server
)

func TestMain(m *testing.M) {
	os.Exit(lectern.Main(m, func(s lectern.Stage) { binary, database, objects = s.Binary, s.Database, s.Objects }))
}
