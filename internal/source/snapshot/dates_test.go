package snapshot

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A source cannot set its pages' dates with its own file, and the dates from Git are stored and restored.
func TestSnapshotKeepsDates(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".lectern"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, datesFile), []byte(`{"a.mdx": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := keepDates(dir, nil); err != nil {
		t.Fatal(err)
	}
	if Modified(os.DirFS(dir)) != nil {
		t.Error("the source's own dates were used")
	}
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := keepDates(dir, map[string]time.Time{"a.mdx": when}); err != nil {
		t.Fatal(err)
	}
	if f := Modified(os.DirFS(dir)); f == nil || !f("a.mdx").Equal(when) || !f("b.mdx").IsZero() {
		t.Error("the dates were lost")
	}
}
