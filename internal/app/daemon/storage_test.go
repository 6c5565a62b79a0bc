package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// tmpfs mounts a file system with plenty of free space for the test.
func tmpfs(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=128m,"+options); err != nil {
		t.Fatalf("mount a file system, which needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// D6: a disk with free bytes that cannot store another file is full, and is detected as such.
func TestFullDiskIsDetected(t *testing.T) {
	s := &storage{dir: tmpfs(t, "nr_inodes=16")}
	if err := s.checkSpace(); err != nil {
		t.Fatalf("with room: %v", err)
	}
	var err error
	for i := 0; i < 100 && err == nil; i++ {
		err = os.WriteFile(filepath.Join(s.dir, strconv.Itoa(i)), nil, 0o600)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("fill the disk with files: %v", err)
	}
	if err := s.checkSpace(); !fault.IsFull(err) {
		t.Errorf("without room for a file: %v", err)
	}
	if err := os.Remove(filepath.Join(s.dir, "0")); err != nil {
		t.Fatal(err)
	}
	if err := s.checkSpace(); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

// D6: a read-only disk is reported as an outage even if it has free space.
func TestReadOnlyDiskIsAnOutage(t *testing.T) {
	s := &storage{dir: tmpfs(t, "nr_inodes=16")}
	for _, step := range []struct {
		flags uintptr
		want  error
	}{{0, nil}, {syscall.MS_RDONLY, syscall.EROFS}, {0, nil}} {
		if err := syscall.Mount("", s.dir, "", syscall.MS_REMOUNT|step.flags, ""); err != nil {
			t.Fatal(err)
		}
		if err := s.checkSpace(); !errors.Is(err, step.want) || fault.IsOutage(err) != (step.want != nil) {
			t.Errorf("mounted with flags %d: %v", step.flags, err)
		}
	}
}
