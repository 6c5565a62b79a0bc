package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
)

func TestSyncTreeSyncsFilesAndFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "a/two", "a/b/three"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o400); err != nil {
			t.Fatal(err)
		}
	}
	if err := durable.SyncTree(dir); err != nil {
		t.Error(err)
	}
}

func TestSyncReportsMissingPath(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	for name, err := range map[string]error{"a file": durable.Sync(none), "a tree": durable.SyncTree(none)} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := t.TempDir()
	if err := os.Symlink(none, filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	if err := durable.SyncTree(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a tree with something that cannot be synced: %v", err)
	}
}

func TestMkdirAllIsRepeatableAndRefusesFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for range 2 {
		if err := durable.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := durable.MkdirAll(filepath.Join(dir, "file", "c"), 0o700); err == nil {
		t.Error("a folder was created below a file")
	}
}
