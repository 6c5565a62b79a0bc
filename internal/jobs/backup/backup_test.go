package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// D3: a restore recovers what was backed up, and nothing else.
func TestRestoreRecoversEverythingExceptCaches(t *testing.T) {
	f := newFolder(t)
	raw := f.backup()
	m, err := Check(t.Context(), bytes.NewReader(raw), time.Now, nil)
	if err != nil || !m.Secret || m.Schema != store.NewestSchema() || m.Tool != "v1" {
		t.Fatalf("%+v: %v", m.Head, err)
	}
	data, err := restore(t, raw)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range m.Files {
		if !strings.HasPrefix(entry.Path, repoFolder) {
			names = append(names, entry.Path)
		}
		info, err := os.Stat(filepath.Join(data, entry.Path))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", entry.Path, info, err)
		}
	}
	slices.Sort(names)
	want := []string{"blobs/exports/se_1/site.zip", "blobs/sites/prj_a/manifests/dep_1.json",
		"blobs/sites/prj_a/packs/dep_1", "blobs/snapshots/prj_a/dep_1.zip", hostsName, databaseName, secretName}
	if !slices.Equal(names, want) {
		t.Errorf("files\n%q\nwant\n%q", names, want)
	}
	st, err := store.Open(t.Context(), store.Options{URL: filepath.Join(data, databaseName), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	if p, err := st.FindProject(t.Context(), "org_a", "prj_a"); err != nil || p.Name != "p" {
		t.Errorf("%+v: %v", p, err)
	}
	// Git accepts the folder as a repository with the branch.
	again := openGit(t, data)
	path, err := filepath.Abs(filepath.Join(data, repoFolder, repository))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Head(t.Context(), again.Repo(path).Remote("main", "")); err != nil {
		t.Error(err)
	}
}

// D3: under load every backup is complete: it contains everything its database refers to.
func TestBackupUnderLoadIsComplete(t *testing.T) {
	f := newFolder(t)
	turns, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		n := 2
		for range turns {
			for range 40 {
				f.publish(fmt.Sprintf("dep_%d", n))
				n++
			}
		}
	}()
	for range 8 {
		turns <- struct{}{} // start 40 more publications
		if _, err := restore(t, f.backup()); err != nil {
			t.Error(err)
		}
	}
	close(turns)
	<-stopped
}

// D3: the sweep and a backup exclude each other; if a needed file disappears anyway, the backup fails.
func TestBackupFailsWhenANeededFileDisappears(t *testing.T) {
	gone := func(f folder, name string) { _ = os.Remove(filepath.Join(f.src.Data, name)) }
	for name, c := range map[string]struct {
		before string // removed before the backup
		during string // removed before it is copied
		code   string
	}{
		"a pack that is missing": {before: "blobs/sites/prj_a/packs/dep_1",
			code: "incomplete_data"},
		"a manifest that is missing": {before: "blobs/sites/prj_a/manifests/dep_1.json",
			code: "incomplete_data"},
		"a bundle that is missing": {before: "blobs/exports/se_1/site.zip", code: "incomplete_data"},
		"a kept source that goes": {during: "blobs/snapshots/prj_a/dep_1.zip",
			code: "incomplete_data"},
		"a pack that goes": {during: "blobs/sites/prj_a/packs/dep_1",
			code: "incomplete_data"},
		"something that nobody named, and that goes": {during: "blobs/sites/prj_a/packs/nobodys"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			f.write("blobs/sites/prj_a/packs/nobodys", "x")
			gone(f, c.before)
			f.src.opened = func(next string) error {
				if next == c.during {
					gone(f, c.during)
				}
				if release, ok, err := Pause(f.src.Data); ok || err != nil {
					release()
					t.Errorf("the sweep may run during a backup (error %v)", err)
				}
				return nil
			}
			file := filepath.Join(t.TempDir(), "b.tar.gz")
			_, err := CreateFile(t.Context(), file, f.src)
			if found, _ := fault.As(err); c.code == "" && err != nil ||
				c.code != "" && (found == nil || found.Code != c.code) {
				t.Fatalf("error %v, want %q", err, c.code)
			}
			left, _ := os.ReadDir(filepath.Dir(file))
			if want := map[bool]int{true: 1, false: 0}[c.code == ""]; len(left) != want {
				t.Errorf("files: %v", left)
			}
			if release, ok, err := Pause(f.src.Data); !ok || err != nil {
				t.Errorf("the sweep is blocked after the backup: %v %v", ok, err)
			} else {
				release()
			}
		})
	}
}

// A project deleted after the repositories were listed is in the copied database, but its repository is missing: the
// backup fails.
func TestBackupFailsWhenARepositoryDisappears(t *testing.T) {
	f := newFolder(t)
	before, err := f.src.repositories()
	if err != nil || len(before) != 1 {
		t.Fatal(before, err)
	}
	if err := os.RemoveAll(filepath.Join(f.src.Repositories, repository)); err != nil {
		t.Fatal(err)
	}
	p := plan{needed: map[string]bool{}}
	if err := p.addRepositories(t.Context(), f.src, t.TempDir(), before); !fault.HasCode(err, "changed_meanwhile") {
		t.Errorf("error %v", err)
	}
	f.backup() // the next one is complete without it
}

func TestBackupWaitsForTheSweep(t *testing.T) {
	f := newFolder(t)
	release, ok, err := Pause(f.src.Data)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
	defer cancel()
	if _, err := Create(ctx, io.Discard, f.src); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it did not wait: %v", err)
	}
	release()
	f.backup()
}

func TestBackupCanOmitTheSecretKey(t *testing.T) {
	f := newFolder(t)
	f.src.WithoutSecret = true
	raw := f.backup()
	data, err := restore(t, raw)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(data, secretName)); !os.IsNotExist(err) {
		t.Errorf("secret key: %v", err)
	}
}

func TestBackupFileIsPrivateAndOverwritesNothing(t *testing.T) {
	f := newFolder(t)
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	if _, err := CreateFile(t.Context(), file, f.src); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if _, err := CreateFile(t.Context(), file, f.src); !fault.HasCode(err, "file_exists") {
		t.Errorf("a second time: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(globQuote(f.src.Data), tempFolder+"*"))
	if len(left) > 0 {
		t.Errorf("copies left: %v", left)
	}
}

// Files that a backup run by root leaves in the data folder belong to the server's user.
func TestBackupFilesBelongToServerUser(t *testing.T) {
	f := newFolder(t)
	if os.Geteuid() == 0 {
		if err := os.Chown(f.src.Data, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	f.backup()
	want, err := os.Stat(f.src.Data)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{lockFile, lastFile} {
		info, err := os.Stat(filepath.Join(f.src.Data, name))
		if err != nil {
			t.Fatal(err)
		}
		if is, of := info.Sys().(*syscall.Stat_t), want.Sys().(*syscall.Stat_t); is.Uid != of.Uid || is.Gid != of.Gid {
			t.Errorf("%s belongs to %d, the folder to %d", name, is.Uid, of.Uid)
		}
	}
	if at, made, err := Last(f.src.Data); !made || err != nil || time.Since(at) > time.Hour {
		t.Errorf("the last backup was at %s: %v %v", at, made, err)
	}
}

func TestBackupRemovesLeftoversOfKilledBackup(t *testing.T) {
	f := newFolder(t)
	f.write(tempFolder+"123/lectern.db", "half")
	f.backup()
	if _, err := os.Stat(filepath.Join(f.src.Data, tempFolder+"123")); !os.IsNotExist(err) {
		t.Errorf("still there: %v", err)
	}
}

func TestRestoreRefusesNonEmptyFolder(t *testing.T) {
	f := newFolder(t)
	raw := f.backup()
	data := t.TempDir()
	// an empty folder is fine
	if _, err := Restore(t.Context(), bytes.NewReader(raw), Target{Data: data, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(data, secretName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), bytes.NewReader(raw), Target{Data: data, Now: time.Now}); !fault.HasCode(err,
		"data_not_empty") {
		t.Errorf("error %v", err)
	}
	if after, err := os.ReadFile(filepath.Join(data, secretName)); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the folder was changed: %v", err)
	}
}

func TestConcurrentRestoresToOneFolderDoNotInterfere(t *testing.T) {
	f := newFolder(t)
	raw := f.backup()
	data := filepath.Join(t.TempDir(), "new")
	second := func() error {
		_, err := Restore(t.Context(), bytes.NewReader(raw), Target{Data: data, Now: time.Now})
		return err
	}
	var inner error
	once := false
	from := readFunc(func(p []byte) (int, error) {
		if !once {
			once, inner = true, second()
		}
		n := copy(p, raw)
		raw = raw[n:]
		if n == 0 {
			return 0, io.EOF
		}
		return n, nil
	})
	if _, err := Restore(t.Context(), from, Target{Data: data, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	if !fault.HasCode(inner, "restore_running") {
		t.Errorf("the second restore: %v", inner)
	}
}

type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }
