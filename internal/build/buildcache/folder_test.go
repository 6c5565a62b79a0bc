package buildcache

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFolderAndFilesArePrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := openStore(t, dir, 0, time.Now)
	n := s.Begin()
	n.Put(keyOf(1), []byte("x"))
	n.Close()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; err != nil ||
			info.Mode().Perm() != want {
			t.Errorf("%s is %v, %v", path, info.Mode(), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestGroupReadableFolderIsMadePrivate(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o775|fs.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	openStore(t, dir, 0, time.Now)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
}

func TestForeignFoldersAreRefused(t *testing.T) {
	prepare := func(t *testing.T, change func(dir string) error) string {
		dir := filepath.Join(t.TempDir(), "cache")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := change(dir); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for name, c := range map[string]struct {
		change func(dir string) error
		want   string
	}{
		"a link":            {func(dir string) error { return os.Symlink(t.TempDir(), dir+"-link") }, "symbolic link"},
		"open to everybody": {func(dir string) error { return os.Chmod(dir, 0o777) }, "is writable by everyone"},
		"with other files": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600)
		}, "notes.txt"},
		"of another program": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, tagName), []byte(tag[:50]), 0o600)
		}, "another program"},
		"a file": {func(dir string) error { return os.WriteFile(dir+"-file", nil, 0o600) }, "not a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := prepare(t, c.change)
			for _, ending := range []string{"-link", "-file"} {
				if _, err := os.Lstat(dir + ending); err == nil {
					dir += ending
				}
			}
			s, err := Open(dir, Options{Now: time.Now})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Open = %v, %v; want an error with %q", s, err, c.want)
			}
		})
	}
}

func TestFolderOfAnotherUserIsRefused(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	} else {
		dir = "/usr" // belongs to root on every system that runs the tests
	}
	if s, err := Open(dir, Options{Now: time.Now}); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Fatalf("Open = %v, %v", s, err)
	}
}

func TestClearEmptiesFolderWhileSessionsContinue(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, 0, time.Now)
	w := newWork("site", 10, 100)
	w.build(t, s)
	n := s.Begin()
	if err := s.Clear(); err != nil {
		t.Fatal(err)
	}
	if u, err := s.Usage(); err != nil || u != (Usage{}) {
		t.Errorf("usage is %+v, %v", u, err)
	}
	wantValue(t, n, keyOf("site", 3, 0), 100) // the session had opened the pack before
	n.Put(keyOf("new"), valueOf(keyOf("new"), 10))
	n.Close()
	n = s.Begin()
	defer n.Close()
	wantValue(t, n, keyOf("new"), 10)
	if _, ok := n.Get(keyOf("site", 3, 0)); ok {
		t.Error("a record is still found")
	}
}
