package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
)

// server is the PostgreSQL server for all tests in this package. Each test has its own database.
var server *postgres.Server

func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case crashChild:
			writeUntilKilled(os.Args[2])
			return
		case migrateChild:
			migrateAndEnd(os.Args[2])
			return
		}
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if server, err = postgres.Start(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer server.Stop()
	return m.Run()
}

// sqliteFile returns the name of a file. The name would break if it were not escaped in a URL.
func sqliteFile(t *testing.T) string { return filepath.Join(t.TempDir(), "a b%20?#.db") }

func postgresDatabase(t *testing.T) string { return server.Database(t) }

func TestStoreOnSQLite(t *testing.T) {
	storetest.Run(t, sqliteFile, func(t *testing.T) string { return storetest.SQLite(t, sqliteFile(t)) })
}

func TestStoreOnPostgres(t *testing.T) {
	migrated := postgresDatabase(t)
	if err := storetest.Migrate(t.Context(), migrated); err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, postgresDatabase, func(t *testing.T) string { return server.Copy(t, migrated) })
}

// engines lists the databases for tests that need more than the public API that the suite uses.
func engines() map[string]func(*testing.T) string {
	return map[string]func(*testing.T) string{"SQLite": sqliteFile, "PostgreSQL": postgresDatabase}
}
