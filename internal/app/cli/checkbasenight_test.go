//go:build nightly

package cli

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCheckOfUnchangedOwnDocsReportsNothing(t *testing.T) {
	t.Parallel()
	s := &gitSite{t: t, root: t.TempDir()}
	s.dir = filepath.Join(s.root, "docs")
	if err := os.CopyFS(s.dir, os.DirFS("../../../docs")); err != nil {
		t.Fatal(err)
	}
	s.git("init", "-q", "-b", "main")
	s.commit("Docs", nil)
	// one word more, so that the search indexes differ and ranks are compared
	name := filepath.Join(s.dir, "guides", "check.mdx")
	if err := os.WriteFile(name, []byte(read(t, name)+"\nZephyr.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	invoke(t, "check", s.dir, "--cache", t.TempDir(), "--base", "HEAD", "--strict").
		want(t, 0, "no page was added, removed or moved", "0 errors, 0 warnings").quiet(t)
}
