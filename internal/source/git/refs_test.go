package git

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/refversion"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

func TestRefsAreListedAndFetchedAtOnce(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) string { return testgit.Run(t, dir, args...) }
	commit := func(file, text string) string {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		run("add", "-A")
		run("commit", "-q", "-m", file)
		return run("rev-parse", "HEAD")
	}
	run("init", "-q", "-b", "main")
	none := commit("README.md", "No docs yet")
	run("tag", "v0")
	first := commit("docs/index.mdx", "One")
	run("tag", "-a", "-m", "annotated", "v1")
	second := commit("README.md", "The docs are the same")
	run("branch", "release/2")
	cache := newCache(t, nil, Options{})
	remote := Remote{URL: "file://" + dir, Folder: "docs", Local: true}
	refs, err := cache.Refs(t.Context(), remote)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"refs/heads/main": second, "refs/heads/release/2": second, "refs/tags/v0": none, "refs/tags/v1": first}
	for _, ref := range refs {
		if want[ref.Name] != ref.Commit {
			t.Errorf("%+v", ref)
		}
		delete(want, ref.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	tips, err := cache.FetchRefs(t.Context(), remote, []string{"refs/tags/v0", "refs/tags/v1", "refs/heads/release/2"})
	if err != nil {
		t.Fatal(err)
	}
	tree := run("rev-parse", first+":docs")
	if tips["refs/tags/v0"] != (Tip{Commit: none}) || tips["refs/tags/v1"] != (Tip{first, tree}) ||
		tips["refs/heads/release/2"] != (Tip{second, tree}) {
		t.Errorf("%+v", tips)
	}
	run("update-ref", "-d", "refs/heads/release/2")
	dst := t.TempDir()
	remote.Branch = refversion.BranchOf("refs/tags/v1")
	if _, err := cache.Checkout(t.Context(), remote, first, dst); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dst, "index.mdx")); err != nil || string(text) != "One" {
		t.Errorf("%q %v", text, err)
	}
	if s, err := cache.Snapshot(t.Context(), remote, folder(t, t.TempDir())); err != nil || s.Commit != first || s.Time.IsZero() {
		t.Errorf("a tag as a branch: %+v %v", s, err)
	}
}
