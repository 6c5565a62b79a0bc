package filelock_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/filelock"
)

// holdLock as the first argument makes the test binary lock a file until its input ends.
const holdLock = "hold-lock"

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == holdLock {
		hold(os.Args[2], os.Args[3] == "shared")
		return
	}
	os.Exit(m.Run())
}

func hold(path string, shared bool) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	kind := filelock.Exclusive
	if shared {
		kind = filelock.Shared
	}
	if err == nil {
		err = filelock.Try(f, kind)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("locked")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// process starts another process that holds the lock until release or kill is called.
func process(t *testing.T, path, kind string) (release, kill func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], holdLock, path, kind)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other process: %q, %v", line, err)
	}
	end := func() { _ = in.Close(); _ = cmd.Wait() }
	t.Cleanup(end)
	return end, func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
}

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestLocksConflictAcrossProcesses(t *testing.T) {
	for _, c := range []struct {
		theirs string
		ours   filelock.Kind
		held   bool
	}{
		{"exclusive", filelock.Exclusive, true}, {"exclusive", filelock.Shared, true},
		{"shared", filelock.Exclusive, true}, {"shared", filelock.Shared, false},
	} {
		path := filepath.Join(t.TempDir(), "lock")
		release, _ := process(t, path, c.theirs)
		f := open(t, path)
		if err := filelock.Try(f, c.ours); errors.Is(err, filelock.ErrHeld) != c.held || !c.held && err != nil {
			t.Errorf("%s there, %d here: %v", c.theirs, c.ours, err)
		}
		release()
		if err := filelock.Try(f, c.ours); err != nil {
			t.Errorf("%s released there, %d here: %v", c.theirs, c.ours, err)
		}
	}
}

func TestProcessExitReleasesItsLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	_, kill := process(t, path, "exclusive")
	if _, err := filelock.TryFile(path); !errors.Is(err, filelock.ErrHeld) {
		t.Fatalf("while the process is running: %v", err)
	}
	kill()
	f, err := filelock.TryFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
}

// A child process that inherited the open file holds its lock even after this process has closed the file.
func TestInheritedFileKeepsTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f, err := filelock.TryFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "cat")
	cmd.ExtraFiles = []*os.File{f}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if _, err := filelock.TryFile(path); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("while the child is running: %v", err)
	}
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	if f, err = filelock.TryFile(path); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
}

func TestWaitEndsWithTheContextOrTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	release, _ := process(t, path, "exclusive")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := filelock.WaitFile(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("while the lock is held: %v", err)
	}
	got := make(chan error, 1)
	go func() {
		f, err := filelock.WaitFile(t.Context(), path)
		if err == nil {
			err = f.Close()
		}
		got <- err
	}()
	release()
	if err := <-got; err != nil {
		t.Fatal(err)
	}
}

func TestFoldersAreLockedToo(t *testing.T) {
	path := t.TempDir()
	var folders [2]*os.File
	for i := range folders {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		folders[i] = f
	}
	if err := filelock.Try(folders[0], filelock.Exclusive); err != nil {
		t.Fatal(err)
	}
	if err := filelock.Try(folders[1], filelock.Exclusive); !errors.Is(err, filelock.ErrHeld) {
		t.Fatalf("locked already: %v", err)
	}
}

// An error other than a held lock is not ErrHeld, so that callers can decide what it means.
func TestOtherErrorsAreNotErrHeld(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "lock"))
	_ = f.Close()
	if err := filelock.Try(f, filelock.Exclusive); err == nil || errors.Is(err, filelock.ErrHeld) {
		t.Errorf("a closed file: %v", err)
	}
	if _, err := filelock.TryFile(filepath.Join(t.TempDir(), "none", "lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}
