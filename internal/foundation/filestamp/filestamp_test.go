package filestamp

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// later returns a time far enough ahead for every file to be settled.
func later() time.Time { return time.Now().Add(time.Hour) }

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tick waits until the clock that the kernel uses for file times has advanced.
func tick(t *testing.T) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "clock")
	var first Stamp
	for {
		writeFile(t, name, "")
		switch s, ok := Of(lstat(t, name)); {
		case !ok:
			t.Fatal("this system has no stamps")
		case first == Stamp{}:
			first = s
		case s.changed > first.changed:
			return
		}
	}
}

func lstat(t *testing.T, name string) os.FileInfo {
	t.Helper()
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// A changed file is never treated as unchanged, even if its size and its modification time are the same.
func TestAnyChangeChangesTheStamp(t *testing.T) {
	for what, change := range map[string]func(name string){
		"same size": func(name string) { writeFile(t, name, "bbbb") },
		"same size and modification time": func(name string) {
			when := lstat(t, name).ModTime()
			writeFile(t, name, "bbbb")
			if err := os.Chtimes(name, when, when); err != nil {
				t.Fatal(err)
			}
		},
		"replaced": func(name string) {
			writeFile(t, name+".new", "bbbb")
			if err := os.Rename(name+".new", name); err != nil {
				t.Fatal(err)
			}
		},
		"appended to":     func(name string) { writeFile(t, name, "aaaab") },
		"a symbolic link": func(name string) { replaceByLink(t, name) },
	} {
		t.Run(what, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "page.mdx")
			writeFile(t, name, "aaaa")
			x := New(nil, later)
			if !x.Keep("page.mdx", lstat(t, name), later(), sha256.Sum256([]byte("aaaa"))) {
				t.Fatal("a settled file was not kept")
			}
			record, ok := x.Record()
			if !ok {
				t.Fatal("Record reports nothing to store")
			}
			if sum, ok := New(record, later).Find("page.mdx", lstat(t, name)); !ok || sum != sha256.Sum256([]byte("aaaa")) {
				t.Fatal("an unchanged file is not known")
			}
			tick(t)
			change(name)
			if _, ok := New(record, later).Find("page.mdx", lstat(t, name)); ok {
				t.Error("a changed file was treated as unchanged")
			}
		})
	}
}

func replaceByLink(t *testing.T, name string) {
	t.Helper()
	if err := os.Rename(name, name+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Base(name)+".old", name); err != nil {
		t.Fatal(err)
	}
}

// Two changes within one tick of the kernel's clock result in the same stamp, so a file that has just changed is not
// kept.
func TestRecentlyChangedFileIsNotKept(t *testing.T) {
	name := filepath.Join(t.TempDir(), "page.mdx")
	writeFile(t, name, "aaaa")
	info := lstat(t, name)
	stamp, _ := Of(info)
	x := New(nil, time.Now)
	for _, at := range []time.Time{time.Unix(0, stamp.changed), time.Unix(0, stamp.changed).Add(Settle - 1),
		time.Unix(0, stamp.changed).Add(-time.Hour)} {
		if x.Keep("page.mdx", info, at, [32]byte{1}) {
			t.Errorf("kept %v after its change", at.Sub(time.Unix(0, stamp.changed)))
		}
	}
	whole := Stamp{changed: 5e9}
	if whole.Settled(time.Unix(0, 5e9).Add(time.Second)) || !whole.Settled(time.Unix(0, 5e9).Add(2*time.Second)) {
		t.Error("a file system that keeps whole seconds needs more time")
	}
}

func TestDamagedRecordIsTreatedAsEmpty(t *testing.T) {
	dir := t.TempDir()
	x := New(nil, later)
	for _, name := range []string{"a", "b/c"} {
		writeFile(t, filepath.Join(dir, name), name)
		x.Keep(name, lstat(t, filepath.Join(dir, name)), later(), sha256.Sum256([]byte(name)))
	}
	record, _ := x.Record()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	if !New(record, later).Check(root) {
		t.Fatal("Check reports a change although nothing changed")
	}
	for n := range record {
		cut := New(record[:n], later)
		if len(cut.known) > 1 {
			t.Errorf("%d of %d bytes: %d files", n, len(record), len(cut.known))
		}
	}
	again := New(record, later)
	for _, name := range []string{"a", "b/c"} {
		again.Find(name, lstat(t, filepath.Join(dir, name)))
	}
	if _, changed := again.Record(); changed {
		t.Error("the same files give a different record")
	}
	again = New(record, later)
	again.Find("a", lstat(t, filepath.Join(dir, "a")))
	if rest, changed := again.Record(); !changed || len(New(rest, later).known) != 1 {
		t.Error("a file that this run did not look up is still in the record")
	}
}

func TestCheckDetectsEveryDifference(t *testing.T) {
	for what, change := range map[string]func(dir string) error{
		"removed":        func(dir string) error { return os.Remove(filepath.Join(dir, "b", "c")) },
		"folder removed": func(dir string) error { return os.RemoveAll(filepath.Join(dir, "b")) },
		"touched":        func(dir string) error { return os.Chmod(filepath.Join(dir, "a"), 0o600) },
		"a folder in way": func(dir string) error {
			_ = os.Remove(filepath.Join(dir, "a"))
			return os.Mkdir(filepath.Join(dir, "a"), 0o755)
		},
	} {
		dir := t.TempDir()
		x := New(nil, later)
		for _, name := range []string{"a", "b/c", "b/d", "e/f/g"} {
			writeFile(t, filepath.Join(dir, name), name)
			x.Keep(name, lstat(t, filepath.Join(dir, name)), later(), [32]byte{})
		}
		record, _ := x.Record()
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = root.Close() }()
		tick(t)
		if !New(record, later).Check(root) {
			t.Errorf("%s: changed before the test changed it", what)
		}
		if err := change(dir); err != nil {
			t.Fatal(err)
		}
		if New(record, later).Check(root) {
			t.Errorf("%s: not detected", what)
		}
	}
}
