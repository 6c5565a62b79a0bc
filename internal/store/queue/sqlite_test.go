package queue

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // registers the driver
)

// openFile opens an SQLite file, as another process would, with a table like the library's.
func openFile(t *testing.T, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+name+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.ExecContext(t.Context(),
		`CREATE TABLE IF NOT EXISTS river_job (queue TEXT NOT NULL, state TEXT NOT NULL)`); err != nil {
		t.Fatal(err)
	}
	return db
}

func connected(t *testing.T, db *sql.DB) *fileListener {
	t.Helper()
	l := newFileListener(db)
	if err := l.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close(context.Background()) })
	return l
}

func nextLane(t *testing.T, l *fileListener) string {
	t.Helper()
	n, err := l.WaitForNotification(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n.Topic != insertTopic {
		t.Errorf("topic %s", n.Topic)
	}
	return n.Payload
}

func insert(t *testing.T, db *sql.DB, lane, state string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), `INSERT INTO river_job VALUES ($1, $2)`, lane, state); err != nil {
		t.Fatal(err)
	}
}

// Jobs that another process inserts are found, whether they were there before the listener connected or come later, and
// only lanes with jobs that wait are woken.
func TestListenerFindsJobsOfOtherProcesses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "q.db")
	other := openFile(t, file)
	insert(t, other, "work", "completed")
	insert(t, other, "agents", "available")
	l := connected(t, openFile(t, file))
	if got, want := nextLane(t, l), `{"queue": "agents"}`; got != want {
		t.Errorf("woke %s, want %s", got, want)
	}
	if _, err := other.ExecContext(t.Context(), `DELETE FROM river_job`); err != nil {
		t.Fatal(err)
	}
	insert(t, other, "chores", "available")
	if got, want := nextLane(t, l), `{"queue": "chores"}`; got != want {
		t.Errorf("woke %s, want %s", got, want)
	}
}

// A file that does not change wakes nothing, even with jobs in it that no lane has taken.
func TestListenerLooksForJobsWhenTheFileChanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "q.db")
	other := openFile(t, file)
	insert(t, other, "work", "available")
	l := connected(t, openFile(t, file))
	look := func() (lanes int) {
		t.Helper()
		if err := l.look(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, ok := l.take(); ok; _, ok = l.take() {
			lanes++
		}
		return lanes
	}
	for i, want := range []int{1, 0, 0} {
		if got := look(); got != want {
			t.Errorf("look %d woke %d lanes, want %d", i+1, got, want)
		}
	}
	insert(t, other, "express", "available")
	if got := look(); got != 2 {
		t.Errorf("woke %d lanes after a change, want 2", got)
	}
}

// A wake-up of this process reaches its lanes without the database.
func TestListenerPassesOnWakeUpsOfItsProcess(t *testing.T) {
	l := connected(t, openFile(t, filepath.Join(t.TempDir(), "q.db")))
	l.notify("work", "express")
	l.notify("work")
	seen := map[string]bool{}
	for range 2 {
		seen[nextLane(t, l)] = true
	}
	if !seen[`{"queue": "work"}`] || !seen[`{"queue": "express"}`] {
		t.Errorf("woke %v", seen)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := l.WaitForNotification(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("after both lanes: %v, %v", n, err)
	}
}

func TestListenerReportsADatabaseThatDoesNotAnswer(t *testing.T) {
	db := openFile(t, filepath.Join(t.TempDir(), "q.db"))
	l := connected(t, db)
	if _, err := db.ExecContext(t.Context(), `DROP TABLE river_job`); err != nil {
		t.Fatal(err)
	}
	if _, err := l.WaitForNotification(t.Context()); err == nil {
		t.Error("no error")
	}
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := l.WaitForNotification(t.Context()); err == nil {
		t.Error("no error without a connection")
	}
}
