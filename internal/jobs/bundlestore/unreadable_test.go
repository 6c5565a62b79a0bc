package bundlestore

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// starve starts a server repeatedly with more and more file descriptors, from none to enough, and returns an exit
// code. It runs in a separate process.
func starve(dir string) int {
	v, err := Open(dir, time.Now)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	var most syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most); err != nil {
		fmt.Println(err)
		return 1
	}
	starved := 0
	for limit := range uint64(40) {
		few := syscall.Rlimit{Cur: limit, Max: most.Max}
		err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few)
		r, recoverErr := v.Recover(context.Background(), true, Expect{})
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &most); err != nil {
			fmt.Println(err)
			return 1
		}
		if err != nil {
			fmt.Println(err)
			return 1
		}
		if r.Version == nil || recoverErr != nil {
			starved++
		} else if err := r.Version.Close(); err != nil {
			fmt.Println(err)
			return 1
		}
		if list, err := v.List(); err != nil || len(list) != 2 {
			fmt.Printf("with %d descriptors: %d versions are left, %v; recovered %+v, %v\n", limit, len(list), err, r,
				recoverErr)
			return 1
		}
	}
	if starved < 3 {
		fmt.Printf("only %d starts were starved\n", starved)
		return 1
	}
	return 0
}

// B13: a start without enough file descriptors deletes no version and does not move the pointer.
func TestStartWithoutFileDescriptorsKeepsEveryVersion(t *testing.T) {
	v := volume(t)
	receive(t, v, bundleOf(t, "v1"))
	receive(t, v, bundleOf(t, "v2"))
	if out, err := exec.Command(os.Args[0], "starve", v.dir).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if got := served(t, v); got != "v2" {
		t.Errorf("serves %q afterwards", got)
	}
}

// unreadable replaces a file with a link to itself, which exists but cannot be read, even by root. restore undoes
// that.
func unreadable(t *testing.T, name string) (restore func()) {
	t.Helper()
	aside := filepath.Join(t.TempDir(), "aside")
	if err := os.Rename(name, aside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Base(name), name); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(aside, name); err != nil {
			t.Fatal(err)
		}
	}
}

// B13: a version whose files cannot be opened at start is kept, an older one is served in its place, and the pointer
// does not move.
func TestUnreadableVersionIsKept(t *testing.T) {
	for _, name := range []string{"record", "table", "files/manifest.json"} {
		t.Run(name, func(t *testing.T) {
			v := volume(t)
			receive(t, v, bundleOf(t, "v1"))
			r := receive(t, v, bundleOf(t, "v2"))
			restore := unreadable(t, v.path(versionsName, r.Digest, name))
			got, err := v.Recover(t.Context(), false, Expect{})
			if got.Version != nil {
				_ = got.Version.Close()
			}
			if len(got.Damaged) > 0 {
				t.Errorf("counts as damaged: %v", got.Damaged)
			}
			if err == nil && (got.Version == nil || got.Version.Record.Version != "v1") {
				t.Errorf("recovered %+v", got)
			}
			if now, err := v.Current(); err != nil || now.Digest != r.Digest {
				t.Errorf("points to %+v, %v", now, err)
			}
			restore()
			if got := served(t, v); got != "v2" {
				t.Errorf("serves %q when it can be read again", got)
			}
		})
	}
}

// lines collects a keeper's log and signals each line.
type lines struct {
	mu    sync.Mutex
	text  bytes.Buffer
	wrote chan struct{} // receives a value after each line unless it is full
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.wrote <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

func (l *lines) has(what string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Contains(l.text.Bytes(), []byte(what))
}

// B13: a replica that could not switch to a version, for example because it ran out of file descriptors, retries
// until it succeeds.
func TestFailedSwitchIsRetried(t *testing.T) {
	v := volume(t)
	first := receive(t, v, bundleOf(t, "v1"))
	second := receive(t, v, bundleOf(t, "v2"))
	if err := v.Point(Pointer{Digest: first.Digest, Held: []string{second.Digest}}); err != nil {
		t.Fatal(err)
	}
	log := &lines{wrote: make(chan struct{}, 1)}
	shown := make(chan string, 10)
	k := NewKeeper(Keeping{Volume: v,
		Source: func() (Source, error) { return nil, fault.New(fault.Unavailable, "away", "The source is away.") },
		Show:   func(v *Version) { shown <- v.Record.Version }, Logger: slog.New(slog.NewTextHandler(log, nil))})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	deadline := time.After(time.Minute)
	next := func() string {
		select {
		case name := <-shown:
			return name
		case <-deadline:
			return "nothing in time"
		}
	}
	if got := next(); got != "v1" {
		t.Fatalf("shows %q", got)
	}
	restore := unreadable(t, v.path(versionsName, second.Digest, tableName))
	if err := v.Point(Pointer{Digest: second.Digest}); err != nil {
		t.Fatal(err)
	}
	for !log.has("cannot serve the current version") {
		select {
		case <-log.wrote:
		case <-deadline:
			t.Fatal("the failed switch was not logged")
		}
	}
	restore()
	if got := next(); got != "v2" {
		t.Errorf("shows %q", got)
	}
}
