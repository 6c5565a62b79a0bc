package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/tools/release/internal/attest"
	"github.com/lectern-docs/lectern/tools/release/internal/check"
	"github.com/lectern-docs/lectern/tools/release/internal/dist"
	"github.com/lectern-docs/lectern/tools/release/internal/program"
)

// clone returns a clean checkout with an ignored file in the chart's folder.
func clone(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "clone")
	output(t, exec.Command("git", "clone", "--quiet", "--shared", checkout, root))
	put(t, filepath.Join(root, "web/npm/dist/.packages"),
		string(read(t, filepath.Join(checkout, "web/npm/dist/.packages"))))
	put(t, filepath.Join(root, "chart/lectern/private.out"), "password: x\n")
	return root
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := firstError(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// papers builds the files of a release that are not programs: chart, provenance and checksums.
func papers(t *testing.T, root string) (dir string, s program.Source) {
	t.Helper()
	s, err := program.FromGit(t.Context(), root, "v"+version)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "dist")
	if err := (dist.Release{Source: s, Builder: "https://example.com/tests", Log: func(string) {}}).
		Write(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	return dir, s
}

func TestChartContainsOnlyCommittedFiles(t *testing.T) {
	root := clone(t)
	dir, s := papers(t, root)
	if s.Dirty {
		t.Fatal("an ignored file counts as a change")
	}
	got := files(t, filepath.Join(dir, dist.Chart(version)))
	want := strings.Fields(output(t, exec.Command("git", "-C", root, "ls-files", "chart/lectern")))
	for _, name := range want {
		name = strings.TrimPrefix(name, "chart/")
		if _, ok := got[name]; ok == (name == "lectern/.helmignore") {
			t.Errorf("%s: packed is %v", name, ok)
		}
	}
	if len(got) != len(want)-1 || got["lectern/private.out"] != nil {
		t.Errorf("git tracks %d files, the chart has %d", len(want), len(got))
	}
}

// S2: a release with uncommitted changes names no commit, is not signed, and is accepted only on request.
func TestDirtyReleaseIsUnsignedAndNeedsFlag(t *testing.T) {
	root := clone(t)
	commit := strings.TrimSpace(output(t, exec.Command("git", "-C", root, "rev-parse", "HEAD")))
	none := check.Options{Unsigned: true, Platforms: []program.Platform{}}
	clean, _ := papers(t, root)
	if err := check.Dir(clean, none); err != nil {
		t.Fatalf("a clean release is refused: %v", err)
	}
	put(t, filepath.Join(root, "README.md"), "changed\n")
	dir, s := papers(t, root)
	name := filepath.Join(dir, dist.Provenance(s.Number()))
	statement := string(read(t, name))
	if !strings.Contains(statement, `"dirty": true`) || strings.Contains(statement, commit) ||
		strings.Contains(statement, "ommit") || !strings.HasSuffix(s.Version, "-dirty") {
		t.Errorf("%s has the provenance %s", s.Version, statement)
	}
	if err := dist.Sign(dir, testKey); err == nil || !strings.Contains(err.Error(), "changed files") {
		t.Errorf("the dirty release is signed (error %v)", err)
	}
	if err := check.Dir(dir, none); err == nil || !strings.Contains(err.Error(), "changed files") {
		t.Errorf("the dirty release is accepted (error %v)", err)
	}
	asked := none
	asked.AllowDirty = true
	if err := check.Dir(dir, asked); err != nil {
		t.Errorf("the dirty release is refused with AllowDirty: %v", err)
	}
	// Sign it like someone who has the key and uses another tool.
	text, err := attest.Seal(testKey, []byte(statement))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, dist.Sealed(s.Number())), string(text))
	all := map[string][]byte{}
	for _, file := range []string{dist.Provenance(s.Number()), dist.Sealed(s.Number()), dist.Chart(s.Number())} {
		all[file] = read(t, filepath.Join(dir, file))
	}
	sum(all, testKey)
	if err := check.Files(all, check.Options{Key: public(testKey), AllowDirty: true,
		Platforms: []program.Platform{}}); err == nil || !strings.Contains(err.Error(), "changed files") {
		t.Errorf("the signed dirty release is accepted (error %v)", err)
	}
}

func TestOldReleaseIsKeptUntilNewIsVerified(t *testing.T) {
	root := clone(t)
	out := filepath.Join(t.TempDir(), "dist")
	old := filepath.Join(out, "old")
	put(t, old, "old")
	args := []string{"-root", root, "-out", out, "-cache", cacheDir(), "-replace", "-platforms", "no/such"}
	put(t, filepath.Join(root, "new"), "")
	t.Setenv(keyVariable, "")
	if err := build(t.Context(), args); err == nil || !strings.Contains(err.Error(), "files differ") {
		t.Errorf("changed files are built (error %v)", err)
	}
	t.Setenv(keyVariable, "a key")
	if err := build(t.Context(), append(args, "-dirty")); err == nil ||
		!strings.Contains(err.Error(), "is not signed") {
		t.Errorf("changed files are built with a key present (error %v)", err)
	}
	read(t, old)
	if err := os.Remove(filepath.Join(root, "new")); err != nil {
		t.Fatal(err)
	}
	if err := build(t.Context(), args); err == nil || !strings.Contains(err.Error(), "no/such") {
		t.Errorf("a nonexistent platform is built (error %v)", err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the old release still exists when the new one is being built")
	}
	recipe := output(t, exec.Command("make", "--no-print-directory", "-n", "-C", repo, "release"))
	if strings.Contains(recipe, "rm ") || !strings.Contains(recipe, " -replace ") {
		t.Errorf("make release runs:\n%s", recipe)
	}
}
