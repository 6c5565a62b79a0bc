package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// The server reads branches of its own repositories without git. The results must match git's for every form that a ref
// can have on disk.
func TestBranchesOfOwnRepositoriesAreReadAsGitReadsThem(t *testing.T) {
	c, r := ownRepo(t)
	if _, err := c.Head(t.Context(), r.Remote("", "")); !fault.HasCode(err, "repository_empty") {
		t.Errorf("empty: %v", err)
	}
	first := importAll(t, r, "", map[string]string{"a.mdx": "a"})
	second := importAll(t, r, "", map[string]string{"a.mdx": "b"})
	check := func(state string, want map[string]string) {
		t.Helper()
		for branch, commit := range want {
			asked, found, err := c.Tip(t.Context(), r.Remote("", ""), branch)
			if err != nil || asked != commit || found != (commit != "") {
				t.Errorf("%s: %s is at %q, %v, %v, want %q", state, branch, asked, found, err, commit)
			}
			shown := strings.Fields(git(t, r.path, "ls-remote", r.path, "refs/heads/"+branch))
			if len(shown) > 0 != found || found && shown[0] != asked {
				t.Errorf("%s: git shows %s at %q", state, branch, shown)
			}
		}
		if name, err := c.Branch(t.Context(), r.Remote("", "")); err != nil || name != Main {
			t.Errorf("%s: default branch %q, %v", state, name, err)
		}
	}
	git(t, r.path, "branch", "lectern/x/y", first)
	check("single files", map[string]string{Main: second, "lectern/x/y": first, "lectern/x": "", "lectern": "", "mai": ""})
	git(t, r.path, "pack-refs", "--all")
	check("packed", map[string]string{Main: second, "lectern/x/y": first, "lectern/x": "", "x/y": ""})
	git(t, r.path, "update-ref", "refs/heads/lectern/x/y", second)
	check("packed and changed", map[string]string{Main: second, "lectern/x/y": second})
	git(t, r.path, "branch", "-D", "lectern/x/y")
	if err := os.MkdirAll(filepath.Join(r.path, "refs", "heads", "lectern", "x", "y"), 0o700); err != nil {
		t.Fatal(err)
	}
	check("removed, with its folders left", map[string]string{Main: second, "lectern/x/y": "", "lectern/x": ""})
	git(t, r.path, "symbolic-ref", "refs/heads/other", "refs/heads/main")
	check("a branch that points to another", map[string]string{"other": second})
	git(t, r.path, "config", "core.repositoryFormatVersion", "1")
	git(t, r.path, "config", "extensions.objectFormat", "sha1")
	if _, plain := c.plainOwn(r.path); plain {
		t.Error("a repository with extensions is read without git")
	}
	check("an extended format", map[string]string{Main: second})
}

func TestOwnRepositoriesAreRepackedWhenManyFilesAccumulated(t *testing.T) {
	_, r := ownRepo(t)
	files := map[string]string{}
	for i := range 3000 {
		files[fmt.Sprintf("%d.mdx", i)] = fmt.Sprint(i)
	}
	importAll(t, r, "", files)
	if !r.isTidy() {
		t.Error("a single pack is not tidy")
	}
	packs := func() []string {
		t.Helper()
		list, err := filepath.Glob(filepath.Join(r.path, "objects", "pack", "*"))
		if err != nil || len(list) == 0 {
			t.Fatalf("no packs: %v", err)
		}
		return list
	}
	var pack []byte
	for _, file := range packs() {
		if strings.HasSuffix(file, ".pack") {
			pack, _ = os.ReadFile(file)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	gitInput(t, r.path, string(pack), "unpack-objects", "-q")
	if r.isTidy() {
		t.Error("3,000 single objects are tidy")
	}
	if err := r.Tidy(t.Context()); err != nil {
		t.Error(err)
	}
	if packs(); !r.isTidy() {
		t.Error("nothing was repacked")
	}
}
