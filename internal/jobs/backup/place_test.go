package backup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func ownerOf(t *testing.T, name string) uint32 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t).Uid
}

// If the server's user puts a link where root creates a small file, root does not follow it: the link's target is not
// opened, changed or given another owner.
func TestBackupDoesNotFollowLinksInDataFolder(t *testing.T) {
	made := time.Unix(1_700_000_000, 0)
	for kind, link := range map[string]func(string, string) error{"symbolic": os.Symlink, "hard": os.Link} {
		for _, name := range []string{lockFile, lastFile} {
			t.Run(kind+" "+name, func(t *testing.T) {
				dir := t.TempDir()
				data, victim := filepath.Join(dir, "data"), filepath.Join(dir, "victim")
				err := errors.Join(os.Mkdir(data, 0o700), os.WriteFile(victim, []byte("x"), 0o600),
					os.Chtimes(victim, made, made), link(victim, filepath.Join(data, name)))
				if err == nil && os.Geteuid() == 0 {
					err = os.Chown(data, 65534, 65534)
				}
				if err != nil {
					t.Fatal(err)
				}
				owner := ownerOf(t, victim)
				if f, err := openOwned(data, filepath.Join(data, name)); err == nil {
					_ = f.Close()
					t.Error("it was opened")
				}
				if name == lastFile {
					if err := setLast(data, time.Now()); err == nil {
						t.Error("a time was recorded")
					}
				} else if _, ok, err := Pause(data); ok || err == nil {
					t.Error("it was locked")
				}
				if info, err := os.Stat(victim); err != nil || !info.ModTime().Equal(made) ||
					ownerOf(t, victim) != owner {
					t.Errorf("the link's target was changed: %v %v", info, err)
				}
			})
		}
	}
}

// A file that another user created keeps its owner.
func TestExistingFileKeepsItsOwner(t *testing.T) {
	data := t.TempDir()
	name := filepath.Join(data, lockFile)
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	owner := ownerOf(t, name)
	if os.Geteuid() == 0 {
		if err := os.Chown(data, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	release, ok, err := Pause(data)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	release()
	if now := ownerOf(t, name); now != owner {
		t.Errorf("owner %d, want %d", now, owner)
	}
}

// A link to a data folder on another disk stays a link, and the restore uses that disk, not the one with the link.
func TestRestoreFollowsALinkToTheDataFolder(t *testing.T) {
	raw := newFolder(t).backup()
	disk, here := t.TempDir(), t.TempDir()
	big, link := filepath.Join(disk, "big"), filepath.Join(here, "lectern")
	if err := errors.Join(os.Mkdir(big, 0o700), os.Symlink(big, link)); err != nil {
		t.Fatal(err)
	}
	var beside []string // temporary files next to the link
	from := readFunc(func(p []byte) (int, error) {
		beside, _ = filepath.Glob(link + ".*")
		n := copy(p, raw)
		raw = raw[n:]
		if n == 0 {
			return 0, io.EOF
		}
		return n, nil
	})
	if _, err := Restore(t.Context(), from, Target{Data: link, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 || len(beside) > 0 {
		t.Errorf("the link: %v %v, beside it %v", info, err, beside)
	}
	if _, err := os.Stat(filepath.Join(big, databaseName)); err != nil {
		t.Error(err)
	}
}

func TestRestoreToADanglingLinkIsRefused(t *testing.T) {
	raw, link := newFolder(t).backup(), filepath.Join(t.TempDir(), "lectern")
	if err := os.Symlink(filepath.Join(t.TempDir(), "unmounted"), link); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), bytes.NewReader(raw), Target{Data: link, Now: time.Now}); !fault.HasCode(err,
		"dangling_link") {
		t.Errorf("error %v", err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link: %v %v", info, err)
	}
}

// A mounted volume cannot be replaced: the restore is refused at once, not after it has filled the surrounding disk.
func TestRestoreToAMountedVolumeIsRefused(t *testing.T) {
	if err := checkMount("/dev"); !fault.HasCode(err, "data_in_use") {
		t.Errorf("error %v", err)
	}
	if err := checkMount(t.TempDir()); err != nil {
		t.Errorf("a folder: %v", err)
	}
}

// A backup is recorded as the last one only after its rename; a failure to record it does not fail the backup.
func TestBackupTimeIsRecordedAfterRename(t *testing.T) {
	f := newFolder(t)
	f.src.Warn = func(err error) { t.Errorf("warned: %v", err) }
	noted := func() bool {
		_, made, err := Last(f.src.Data)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	taken := func(name string) error { // another program creates a file of that name during the backup
		if name == secretName {
			return os.WriteFile(file, []byte("theirs"), 0o600)
		}
		return nil
	}
	f.src.opened = taken
	if _, err := CreateFile(t.Context(), file, f.src); err == nil || noted() {
		t.Fatalf("error %v; recorded %v", err, noted())
	}
	if theirs, err := os.ReadFile(file); err != nil || string(theirs) != "theirs" {
		t.Errorf("%q %v", theirs, err)
	}
	f.src.opened = nil
	full := errors.New("the pipe is closed")
	if _, err := Create(t.Context(), writeFunc(func([]byte) (int, error) { return 0, full }), f.src); !errors.Is(err,
		full) || noted() {
		t.Fatalf("error %v; recorded %v", err, noted())
	}
	if _, err := CreateFile(t.Context(), filepath.Join(t.TempDir(), "c.tar.gz"), f.src); err != nil || !noted() {
		t.Fatalf("error %v; recorded %v", err, noted())
	}
}

func TestBackupSucceedsIfItsTimeCannotBeRecorded(t *testing.T) {
	f := newFolder(t)
	if err := os.Mkdir(filepath.Join(f.src.Data, lastFile), 0o700); err != nil {
		t.Fatal(err)
	}
	var warned []error
	f.src.Warn = func(err error) { warned = append(warned, err) }
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	if _, err := CreateFile(t.Context(), file, f.src); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Check(t.Context(), bytes.NewReader(raw), time.Now, nil); err != nil {
		t.Error(err)
	}
	f.backup() // to a stream
	if len(warned) != 2 {
		t.Errorf("warned: %v", warned)
	}
}

// A backup stops waiting for a lock that is never released, and reports why.
func TestBackupWaitForSweepTimesOut(t *testing.T) {
	f := newFolder(t)
	release, ok, err := Pause(f.src.Data)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer release()
	f.src.patience = 100 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := Create(ctx, io.Discard, f.src); !fault.HasCode(err, "backup_running") {
		t.Errorf("error %v", err)
	}
}

type writeFunc func(p []byte) (int, error)

func (f writeFunc) Write(p []byte) (int, error) { return f(p) }
