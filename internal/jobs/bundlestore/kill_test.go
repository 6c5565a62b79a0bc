package bundlestore

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// TestMain lets the test binary act as a server that gets killed.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "receive" {
		os.Exit(receiver(os.Args[2], os.Args[3], os.Args[4]))
	}
	if len(os.Args) == 3 && os.Args[1] == "starve" {
		os.Exit(starve(os.Args[2]))
	}
	os.Exit(m.Run())
}

// receiver receives a bundle like a server, prints each step, and blocks at the given step until it is killed.
func receiver(dir, source, until string) int {
	v, err := Open(dir, time.Now)
	if err == nil {
		_, err = v.Lock()
	}
	if err == nil {
		v.step = func(name string) {
			fmt.Println("at " + name)
			if name == until {
				select {} // killed here
			}
		}
		_, err = v.Receive(context.Background(), FromFile{source}, Expect{})
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// B13: a server killed at any step, even the last, leaves the complete old or new version, depending on the step. A
// separate process runs up to each step and waits there to be killed.
func TestKillAtAnyStepLeavesCompleteVersion(t *testing.T) {
	src := given(t, bundleOf(t, "v2"))
	steps := stepsOf(t, src)
	if len(steps) < 10 || !slices.Contains(steps, "current written") || !slices.Contains(steps, "source replaced") {
		t.Fatalf("steps: %q", steps)
	}
	pages := map[string]string{"v1": pageSet(siteOf("v1")), "v2": pageSet(siteOf("v2"))}
	want := "v1"
	for _, step := range steps {
		if step == "current replaced" {
			want = "v2"
		}
		t.Run(step, func(t *testing.T) {
			v := volume(t)
			receive(t, v, bundleOf(t, "v1"))
			stopAt(t, v.dir, src.Path, step)
			unlock, err := v.Lock()
			if err != nil {
				t.Fatalf("the killed process still holds the folder: %v", err)
			}
			defer unlock()
			r, err := v.Recover(t.Context(), true, Expect{})
			if err != nil || r.Version == nil {
				t.Fatal(err, r.Damaged)
			}
			defer func() { _ = r.Version.Close() }()
			if got := r.Version.Record.Version; got != want || pageSet(contents(t, r.Version)) != pages[want] {
				t.Errorf("serves %q with the pages %s, want %q", got, pageSet(contents(t, r.Version)), want)
			}
			if left, _ := filepath.Glob(v.path(incomingName, "*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
			out, err := v.Receive(t.Context(), src, Expect{}) // the next start completes the work
			if err != nil || out.Record.Version != "v2" {
				t.Errorf("then: %+v, %v", out, err)
			}
			if now, err := v.Current(); err != nil || now.Digest != out.Record.Digest {
				t.Errorf("then points to %+v, %v", now, err)
			}
		})
	}
}

// stepsOf runs a process that receives a whole bundle, and returns the steps that it reports.
func stepsOf(t *testing.T, src FromFile) []string {
	t.Helper()
	v := volume(t)
	receive(t, v, bundleOf(t, "v1"))
	out, err := exec.Command(os.Args[0], "receive", v.dir, src.Path, "").Output()
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "at "); ok {
			steps = append(steps, name)
		}
	}
	return steps
}

// stopAt runs a process that receives a bundle up to a step, and kills it there.
func stopAt(t *testing.T, dir, source, step string) {
	t.Helper()
	child := exec.Command(os.Args[0], "receive", dir, source, step)
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	reached := false
	for lines := bufio.NewScanner(out); !reached && lines.Scan(); {
		reached = lines.Text() == "at "+step
	}
	_ = child.Process.Kill() // it may have ended
	_ = child.Wait()         // it was killed
	if !reached {
		t.Fatalf("it ended before %q", step)
	}
}

// contents returns all files of a version except the manifest.
func contents(t *testing.T, v *Version) tree {
	t.Helper()
	out := tree{}
	root := os.DirFS(v.files.Name())
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == output.ManifestPath {
			return err
		}
		data, err := fs.ReadFile(root, name)
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// pageSet returns a digest of all names and contents.
func pageSet(files tree) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%q %q\n", name, files[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// B13: a server also recovers from states that a power cut or manual changes may leave.
func TestVolumeRecoversFromPartialChanges(t *testing.T) {
	for name, c := range map[string]struct {
		make func(v *Volume, one, two Record) error
		want string
	}{
		"download begun": {func(v *Volume, one, _ Record) error {
			return os.WriteFile(v.path(incomingName, "archive-1"), []byte{0x1f}, 0o644)
		}, "v2"},
		"stored, not pointed to": {func(v *Volume, one, _ Record) error { return v.Point(Pointer{Digest: one.Digest}) },
			"v1"},
		"no record": {func(v *Volume, _, two Record) error {
			return os.Remove(v.path(versionsName, two.Digest, recordName))
		}, "v1"},
		"pointer half written": {func(v *Volume, _, _ Record) error {
			return os.WriteFile(v.path(".current-1"), []byte("{"), 0o644)
		}, "v2"},
		"pointer damaged": {func(v *Volume, _, _ Record) error {
			return os.WriteFile(v.path(currentName), []byte("{"), 0o644)
		}, "v2"},
		"pointer gone": {func(v *Volume, _, _ Record) error { return os.Remove(v.path(currentName)) }, "v2"},
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
