package retention_test

import (
	"bytes"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/backup"
	"github.com/lectern-docs/lectern/internal/jobs/retention"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// D3: during a backup old rows are removed, but no stored files; the next round removes those files.
func TestNoFileIsRemovedDuringABackup(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, siteFiles("one"))
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	publishNow(t, b, p)
	worktest.Rewrite(t, dir, siteFiles("two"))
	publishNow(t, b, p)
	all, data := b.Keys(t, ""), t.TempDir()
	if _, err := b.Store.SQLite().
		ExecContext(t.Context(), `INSERT INTO counters (name, n, until) VALUES ('old', 1, 1)`); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	s := &retention.Sweeper{Store: b.Store, Blob: b.Blob, Keep: store.Keep{Productions: 1, Previews: time.Hour},
		Logger: slog.New(slog.NewTextHandler(&said, nil)),
		Now:    func() time.Time { return time.Now().Add(48 * time.Hour) },
		Pause:  func() (func(), bool, error) { return backup.Pause(data) }}
	finished, ok, err := backup.Pause(data) // as a backup does
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := b.Keys(t, ""); !slices.Equal(now, all) {
		t.Errorf("removed during a backup: %d of %d are left", len(now), len(all))
	}
	var rows int
	if err := b.Store.SQLite().QueryRowContext(t.Context(), `SELECT count(*) FROM counters WHERE until < 2`).
		Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d old rows are left (error %v)", rows, err)
	}
	if text := said.String(); strings.Count(text, "level=WARN") != 1 || !strings.Contains(text, "backup in progress") {
		t.Errorf("log: %s", text)
	}
	finished()
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := b.Keys(t, ""); len(now) >= len(all) {
		t.Errorf("nothing was removed after the backup: %v", now)
	}
}

// If the lock cannot be opened, stored files stay, old rows are still removed, and the round returns the error.
func TestRowsAreRemovedWhenLockCannotBeOpened(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, siteFiles("one"))
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	old := publishNow(t, b, p)
	worktest.Rewrite(t, dir, siteFiles("two"))
	publishNow(t, b, p)
	all, locked := b.Keys(t, ""), errors.New("no lock")
	s := &retention.Sweeper{Store: b.Store, Blob: b.Blob, Keep: store.Keep{Productions: 1, Previews: time.Hour},
		Logger: slog.New(slog.DiscardHandler),
		Now:    func() time.Time { return time.Now().Add(48 * time.Hour) },
		Pause:  func() (func(), bool, error) { return nil, false, locked }}
	if err := s.Sweep(t.Context()); !errors.Is(err, locked) {
		t.Errorf("error %v", err)
	}
	if now := b.Keys(t, ""); !slices.Equal(now, all) {
		t.Errorf("%d of %d files are left", len(now), len(all))
	}
	if _, err := b.Store.FindDeploymentByID(t.Context(), old.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("the old deployment: %v", err)
	}
}
