package daemon

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
)

// postgresServer is the database server of this package's tests.
var postgresServer *postgres.Server

func TestMain(m *testing.M) { postgres.Main(m, &postgresServer) }
