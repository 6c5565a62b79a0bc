package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func olderSite(t *testing.T) string {
	t.Helper()
	return write(t, map[string]string{
		"mint.json": `{"name": "Old", "colors": {"primary": "#123456", "ultraLight": "#ffffff"}, "layout": "topnav", "topbarCtaButton": {"name": "Go", "url": "https://example.com"},
 "tabs": [{"name": "API", "url": "api"}], "navigation": [{"group": "Start", "pages": ["index"]}, {"group": "Calls", "pages": ["api/a"]}]}`,
		"index.mdx": "---\ntitle: Home\n---\nHello.\n", "api/a.mdx": "---\ntitle: A\n---\nCalls.\n",
	})
}

func TestUpgradeWritesDocsJSONAndReportsLosses(t *testing.T) {
	t.Parallel()
	dir := olderSite(t)
	file := filepath.Join(dir, "docs.json")
	a := invoke(t, "upgrade", dir, "--dry-run").want(t, 0, `mint.json:1:76`, `"colors.ultraLight"`, `"layout"`)
	if _, err := os.Stat(file); err == nil || !strings.Contains(a.stdout, `"tab": "API"`) {
		t.Fatalf("a dry run wrote a file, or printed %s", a.stdout)
	}
	invoke(t, "upgrade", dir).want(t, 0, "docs.json was written")
	if got := read(t, file); got != a.stdout {
		t.Errorf("written\n%s\nprinted\n%s", got, a.stdout)
	}
	if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	invoke(t, "upgrade", dir).want(t, 5, "A docs.json already exists")
	if read(t, file) != "mine" {
		t.Error("a file was replaced without --force")
	}
	invoke(t, "upgrade", dir, "--force", "--remove").want(t, 0)
	if _, err := os.Stat(filepath.Join(dir, "mint.json")); err == nil || read(t, file) != a.stdout {
		t.Error("mint.json is still there, or docs.json is not the new one")
	}
	invoke(t, "upgrade", dir).want(t, 4, "The folder has no mint.json")
}

func TestUpgradeDoesNotChangeTheBuiltSite(t *testing.T) {
	t.Parallel()
	dir := olderSite(t)
	before := filepath.Join(t.TempDir(), "before")
	after := filepath.Join(t.TempDir(), "after")
	invoke(t, "export", dir, "--out", before, "--format", "dir", "--label", "v1").want(t, 0)
	invoke(t, "upgrade", dir, "--remove").want(t, 0)
	invoke(t, "export", dir, "--out", after, "--format", "dir", "--label", "v1").want(t, 0)
	names := list(t, before)
	if len(names) < 10 || strings.Join(names, " ") != strings.Join(list(t, after), " ") {
		t.Fatalf("files %v and %v", names, list(t, after))
	}
	for _, name := range names {
		if read(t, filepath.Join(before, name)) != read(t, filepath.Join(after, name)) {
			t.Errorf("%s differs", name)
		}
	}
}
