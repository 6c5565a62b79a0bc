package store

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
)

// onePool returns a database with a single connection, so that every statement sees the state that earlier ones left.
func onePool(t *testing.T) *sql.DB {
	t.Helper()
	db, err := openPool("file:" + filepath.Join(t.TempDir(), "one.db"))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := db.Exec(`CREATE TABLE numbers (n INTEGER PRIMARY KEY)`); err != nil {
		t.Fatal(err)
	}
	for n := range 4 {
		if _, err := db.Exec(`INSERT INTO numbers (n) VALUES ($1)`, n); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func readNumbers(t *testing.T, db interface {
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
}, text string, args ...any) (out []int) {
	t.Helper()
	rs, err := db.QueryContext(context.Background(), text, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rs.Close() }()
	for rs.Next() {
		var n int
		if err := rs.Scan(&n); err != nil {
			t.Fatal(err)
		}
		out = append(out, n)
	}
	if err := rs.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestStatementRunsWhileItsRowsAreOpen(t *testing.T) {
	t.Parallel()
	tx, err := onePool(t).Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	const text = `SELECT n FROM numbers WHERE n >= $1 ORDER BY n`
	outer, err := tx.Query(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = outer.Close() }()
	for want := 0; outer.Next(); want++ {
		var n int
		if err := outer.Scan(&n); err != nil || n != want {
			t.Fatalf("row %d is %d, %v", want, n, err)
		}
		if got, want := fmt.Sprint(readNumbers(t, tx, text, n)), fmt.Sprint([]int{0, 1, 2, 3}[n:]); got != want {
			t.Errorf("inside row %d: %s, want %s", n, got, want)
		}
	}
	if err := outer.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestCachedStatementsSurviveFailuresAndSchemaChanges(t *testing.T) {
	t.Parallel()
	db := onePool(t)
	const insert = `INSERT INTO numbers (n) VALUES ($1)`
	if _, err := db.Exec(insert, 3); !sqliteUnique(err) {
		t.Fatalf("a number that exists: %v", err)
	}
	if _, err := db.Exec(insert, 4); err != nil {
		t.Fatalf("after a failure: %v", err)
	}
	const all = `SELECT * FROM numbers WHERE n > 2 ORDER BY n`
	if got := fmt.Sprint(readNumbers(t, db, all)); got != "[3 4]" {
		t.Fatalf("got %s", got)
	}
	for _, text := range []string{`DROP TABLE numbers`, `CREATE TABLE numbers (m TEXT, n INTEGER)`,
		`INSERT INTO numbers (m, n) VALUES ('x', 9)`} {
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	var m string
	var n int
	if err := db.QueryRow(all).Scan(&m, &n); err != nil || m != "x" || n != 9 {
		t.Errorf("after the table changed: %q %d, %v", m, n, err)
	}
}

func TestCachedStatementsAreBounded(t *testing.T) {
	t.Parallel()
	db := onePool(t)
	for i := range 2*statementsMax + 10 {
		if got := readNumbers(t, db, fmt.Sprintf(`SELECT n + %d FROM numbers WHERE n = 0`, i)); len(got) != 1 || got[0] != i {
			t.Fatalf("statement %d: %v", i, got)
		}
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.Raw(func(c any) error {
		if kept := len(c.(*preparingConn).idle); kept > statementsMax {
			return fmt.Errorf("%d statements are kept, more than %d", kept, statementsMax)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}
