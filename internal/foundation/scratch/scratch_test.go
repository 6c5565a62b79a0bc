package scratch_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/scratch"
)

func entries(t *testing.T, dir string) int {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "process-*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// J8: neither a task that ended nor a process that died leaves a folder behind.
func TestFoldersAreRemovedAfterTheirTaskAndProcess(t *testing.T) {
	root := t.TempDir()
	dead := filepath.Join(root, "process-dead", "half-done")
	if err := os.MkdirAll(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	a, err := scratch.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	if entries(t, root) != 1 {
		t.Fatal("the dead process's folder still exists")
	}
	b, err := scratch.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	if entries(t, root) != 2 {
		t.Fatal("opening a second Space removed the folder of a living process")
	}
	dir, remove, err := a.Folder("job")
	if err != nil {
		t.Fatal(err)
	}
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Fatalf("folder still there: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if entries(t, root) != 0 {
		t.Fatal("Close left something behind")
	}
}
