package store

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// If SQLite can only read a database, that counts as an outage: nothing is wrong with the statement.
func TestReadOnlySQLiteDatabaseIsAnOutage(t *testing.T) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "x.db")+"?_pragma=query_only(1)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err = db.ExecContext(t.Context(), "CREATE TABLE x (y)"); err == nil || !fault.IsOutage(mark(err)) {
		t.Errorf("a change of a read-only database: %v", mark(err))
	}
}
