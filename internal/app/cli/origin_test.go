package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// An export of a folder in a clone links to its code host, without the secret parts of the remote's address.
func TestExportOfACloneLinksToItsCodeHost(t *testing.T) {
	t.Parallel()
	repo, out := t.TempDir(), t.TempDir()
	docs := filepath.Join(repo, "docs")
	if err := os.Mkdir(docs, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"docs.json": `{"name": "x", "navigation": ["index"], "feedback": {"suggestEdit": true}}`,
		"index.mdx": "---\ntitle: Home\n---\nHi.\n",
	} {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	invoke(t, "check", docs).want(t, 0, "0 errors, 1 warning")
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=trunk"},
		{"remote", "add", "origin", "https://me:hunter2@gitlab.com/acme/team/docs.git"},
	} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = repo
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %s", args, said)
		}
	}
	invoke(t, "check", docs).want(t, 0, "0 errors, 0 warnings")
	invoke(t, "export", docs, "--out", filepath.Join(out, "site")).want(t, 0)
	page, err := os.ReadFile(filepath.Join(out, "site", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if want := `href="https://gitlab.com/acme/team/docs/-/edit/trunk/docs/index.mdx"`; !strings.Contains(string(page),
		want) {
		t.Errorf("the page lacks %s", want)
	}
	if strings.Contains(string(page), "hunter2") {
		t.Error("the page contains the remote's password")
	}
}
