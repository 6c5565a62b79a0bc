package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestVersionIsFormattedForEachConsumer(t *testing.T) {
	for version, want := range map[string][2]string{
		"v1.2.3":            {"1.2.3", "1.2.3"},
		"v1.2.3-rc.1":       {"1.2.3-rc.1", "1.2.3~rc.1"},
		"1.2.3":             {"1.2.3", "1.2.3"},
		"v1.2.3-4-gabcdef0": {"1.2.3-4-gabcdef0", "1.2.3~4-gabcdef0"},
		"abcdef0":           {"0.0.0-abcdef0", "0.0.0~abcdef0"},
		"devel":             {"0.0.0-devel", "0.0.0~devel"},
		"feature_x+1":       {"0.0.0-feature-x-1", "0.0.0~feature-x-1"},
	} {
		s := Source{Version: version}
		if got := [2]string{s.Number(), s.Debian()}; got != want || s.Check() != nil {
			t.Errorf("%s is %v, want %v (check %v)", version, got, want, s.Check())
		}
	}
	for _, version := range []string{"", "v1 2", "v1/2", "-v1", "v1\nX", "v1 -X main.x=y", strings.Repeat("v", 101)} {
		if (Source{Version: version}).Check() == nil {
			t.Errorf("%q is accepted", version)
		}
	}
}

func TestToolchainMatchesGoMod(t *testing.T) {
	got, err := Toolchain("../../../..")
	if err != nil || !strings.HasPrefix(got, "go1.") {
		t.Errorf("got %q, error %v", got, err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Toolchain(dir); err == nil {
		t.Errorf("an inexact version is accepted as %q", got)
	}
}

func TestCheckoutReportsCommitTimeAndChanges(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git",
			append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Env = append(cmd.Environ(), "GIT_COMMITTER_DATE=1700000000 +0300", "GIT_CONFIG_GLOBAL=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x\n\ngo 1.26.8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "-m", "x")
	git("tag", "v4.5.6")
	s, err := FromGit(t.Context(), dir, "")
	if err != nil || s.Dirty || s.Version != "v4.5.6" || len(s.Commit) != 40 || s.Time.Unix() != 1700000000 ||
		s.Go != "go1.26.8" {
		t.Errorf("a clean checkout is %+v, error %v", s, err)
	}
	if args := s.Arguments(); !slices.Contains(args,
		"-ldflags=-s -w -X main.version=v4.5.6 -X main.built=2023-11-14T22:13:20Z") {
		t.Errorf("it is built with %q", args)
	}
	if err := os.WriteFile(filepath.Join(dir, "more"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{"": "v4.5.6-dirty", "v9.9.9": "v9.9.9-dirty",
		"v9.9.9-dirty": "v9.9.9-dirty"} {
		if s, err = FromGit(t.Context(), dir, given); err != nil || !s.Dirty || s.Commit != "" || s.Version != want {
			t.Errorf("a checkout with one more file is %+v, error %v", s, err)
		}
	}
	if list, err := s.Tracked(t.Context(), "."); err != nil || !slices.Equal(list, []string{"go.mod"}) {
		t.Errorf("git tracks %q, error %v", list, err)
	}
}

func TestBuilderEnvironmentIsIgnored(t *testing.T) {
	got := keep([]string{"PATH=/bin", "GOFLAGS=-tags=x", "GOPROXY=p", "GOAMD64=v3", "GOEXPERIMENT=x", "GOCACHE=c",
		"HOME=h"})
	if want := []string{"PATH=/bin", "GOPROXY=p", "GOCACHE=c", "HOME=h"}; !slices.Equal(got, want) {
		t.Errorf("kept are %v, want %v", got, want)
	}
}
