package bundlestore

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test program be a server that is killed, and one whose memory is measured.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "receive" {
		os.Exit(receiver(os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

// receiver takes a bundle as a server does, and tells how much memory that took from the system beyond the start, in bytes.
func receiver(dir, source string) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := Open(dir, time.Now)
	if err == nil {
		_, err = v.Lock()
	}
	if err == nil {
		_, err = v.Receive(context.Background(), FromFile{source}, Expect{})
	}
	runtime.ReadMemStats(&after)
	fmt.Println(after.Sys-before.Sys, err)
	if err != nil {
		return 1
	}
	return 0
}

// B13: a server that is killed at any step leaves the old version or the new one, whole.
func TestAKillAtAnyStepLeavesTheOldVersionOrTheNewOne(t *testing.T) {
	v := volume(t)
	old := receive(t, v, bundleOf(t, "v1"))
	src := given(t, bundleOf(t, "v2"))
	seen := map[string]int{}
	for step, reached := range steppedThrough(v) {
		if err := v.Point(Pointer{Digest: old.Digest}); err != nil {
			t.Fatal(err)
		}
		forget(t, v, old.Digest)
		child := exec.Command(os.Args[0], "receive", v.dir, src.Path)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = child.Wait(); close(ended) }()
		for !reached() {
			select {
			case <-ended:
			default:
				continue
			}
			break
		}
		_ = child.Process.Kill() // it may have ended
		<-ended
		got := served(t, v)
		if got != "v1" && got != "v2" {
			t.Errorf("killed at step %d: serves %q", step, got)
		}
		seen[got]++
	}
	t.Log("served after kills:", seen)
}

// steppedThrough are signs on the volume of how far a server has got.
func steppedThrough(v *Volume) []func() bool {
	sign := func(pattern string) func() bool {
		return func() bool { found, _ := filepath.Glob(v.path(pattern)); return len(found) > 0 }
	}
	return []func() bool{
		func() bool { return true }, sign("incoming/archive-*"), sign("incoming/unpack-*"), sign("incoming/unpack-*/files/a"), sign("incoming/unpack-*/files/manifest.json"),
		sign("incoming/unpack-*/table"), sign("incoming/unpack-*/record"), func() bool { found, _ := filepath.Glob(v.path("versions/*")); return len(found) > 1 },
		sign(".current-*"), func() bool { return false },
	}
}

// forget removes every version but one.
func forget(t *testing.T, v *Volume, keep string) {
	t.Helper()
	list, err := v.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.Digest != keep {
			if err := v.discard(r.Digest); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// B13: the same, with the states themselves, since a kill may come a moment too late.
func TestEveryStateOfTheVolumeBetweenTwoStepsIsRecovered(t *testing.T) {
	for name, c := range map[string]struct {
		make func(v *Volume, one, two Record) error
		want string
	}{
		"download begun": {func(v *Volume, one, _ Record) error {
			return os.WriteFile(v.path(incomingName, "archive-1"), []byte{0x1f}, 0o644)
		}, "v2"},
		"stored, not pointed to": {func(v *Volume, one, _ Record) error { return v.Point(Pointer{Digest: one.Digest}) }, "v1"},
		"no record":              {func(v *Volume, _, two Record) error { return os.Remove(v.path(versionsName, two.Digest, recordName)) }, "v1"},
		"pointer half written":   {func(v *Volume, _, _ Record) error { return os.WriteFile(v.path(".current-1"), []byte("{"), 0o644) }, "v2"},
		"pointer damaged":        {func(v *Volume, _, _ Record) error { return os.WriteFile(v.path(currentName), []byte("{"), 0o644) }, "v2"},
		"pointer gone":           {func(v *Volume, _, _ Record) error { return os.Remove(v.path(currentName)) }, "v2"},
		"points to nothing": {func(v *Volume, _, _ Record) error {
			return os.WriteFile(v.path(currentName), []byte(`{"digest":"`+strings.Repeat("0", 64)+`"}`), 0o644)
		}, "v2"},
		"removal begun": {func(v *Volume, _, two Record) error {
			return os.Rename(v.path(versionsName, two.Digest), v.path(incomingName, "gone-"+two.Digest))
		}, "v1"},
	} {
		t.Run(name, func(t *testing.T) {
			v := volume(t)
			one, two := receive(t, v, bundleOf(t, "v1")), receive(t, v, bundleOf(t, "v2"))
			if err := c.make(v, one, two); err != nil {
				t.Fatal(err)
			}
			if got := served(t, v); got != c.want {
				t.Errorf("serves %q, want %q", got, c.want)
			}
		})
	}
}

// B12: an archive of ten gigabytes of zeros is refused, at less than 64 MiB of memory beyond the start.
func TestTenGigabytesOfZerosAreRefusedWithLittleMemory(t *testing.T) {
	src := zeros(t, 10<<30)
	out, err := exec.Command(os.Args[0], "receive", t.TempDir(), src).Output()
	if err == nil {
		t.Fatal("it was taken")
	}
	grown, text, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if n, err := strconv.ParseInt(grown, 10, 64); err != nil || n > 64<<20 {
		t.Errorf("memory grew by %s bytes, %v", grown, err)
	}
	if !strings.Contains(text, "times its size") {
		t.Errorf("refused with %s", text)
	}
	t.Log(grown, text)
}
