package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cachedSite returns a small site with input for every stage.
func cachedSite(t *testing.T) string {
	return write(t, map[string]string{
		"docs.json":   `{"name": "Cached", "navigation": {"pages": ["index", "guide"]}}`,
		"index.mdx":   "---\ntitle: Home\n---\n\nSee the [guide](/guide).\n\n```go\nfunc main() {}\n```\n",
		"guide.mdx":   "---\ntitle: Guide\n---\n\n<Note>Words of $x^2$.</Note>\n",
		"picture.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`,
	})
}

// cacheState returns the output of `lectern cache --json` for a folder.
func cacheState(t *testing.T, folder string) (out cacheJSON) {
	t.Helper()
	text := invoke(t, "cache", "--json", "--cache", folder).want(t, 0).stdout
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// exportedBytes runs an export and returns the archive.
func exportedBytes(t *testing.T, args ...string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "site.tar.gz")
	a := invoke(t, append(args, "--out", out)...).want(t, 0)
	if strings.Contains(a.stderr, "lectern:") {
		t.Errorf("standard error: %s", a.stderr)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// B6: the bytes of an export do not depend on the cache, whether it is intact, damaged or empty.
func TestExportDoesNotDependOnCache(t *testing.T) {
	t.Parallel()
	dir, folder := cachedSite(t), filepath.Join(t.TempDir(), "cache")
	want := exportedBytes(t, "export", dir, "--no-cache")
	if cacheState(t, folder).Records != 0 {
		t.Fatal("--no-cache wrote to the cache")
	}
	for _, what := range []string{"empty", "full"} {
		if !bytes.Equal(exportedBytes(t, "export", dir, "--cache", folder), want) {
			t.Errorf("the archive differs with a cache that is %s", what)
		}
	}
	before := cacheState(t, folder)
	if before.Records == 0 || before.Packs == 0 || before.Bytes == 0 || before.MaxBytes != 2<<30 {
		t.Fatalf("the cache holds %+v", before)
	}
	packs, err := filepath.Glob(filepath.Join(folder, "*.pack1"))
	if err != nil || len(packs) != before.Packs { // the second export wrote to another path and recorded that
		t.Fatal(packs, err)
	}
	for _, pack := range packs {
		data, err := os.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for i := 40; i < len(data); i += 500 {
			data[i] ^= 0x10
		}
		if err := os.WriteFile(pack, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(exportedBytes(t, "export", dir, "--cache", folder), want) {
		t.Error("the archive differs with a damaged cache")
	}
}

func TestCommandsShareOneCacheInTheUsersFolder(t *testing.T) {
	t.Parallel()
	dir, home := cachedSite(t), t.TempDir()
	folder := filepath.Join(home, "lectern", "build")
	invoke(t, "HOME="+home, "XDG_CACHE_HOME="+home, "export", dir, "--out", filepath.Join(t.TempDir(), "o")).want(t, 0)
	first := cacheState(t, folder)
	if first.Records == 0 {
		t.Fatal("the export stored nothing")
	}
	invoke(t, "HOME="+home, "XDG_CACHE_HOME="+home, "check", dir).want(t, 0)
	invoke(t, "LECTERN_CACHE_FOLDER="+folder, "export", dir, "--out", filepath.Join(t.TempDir(), "o")).want(t, 0)
	text := invoke(t, "XDG_CACHE_HOME="+home, "cache").want(t, 0).stdout
	if !strings.HasPrefix(text, folder+": ") || !strings.Contains(text, " of at most 2147483648 bytes, ") {
		t.Errorf("lectern cache says %q", text)
	}
}

func TestClearEmptiesOnlyTheCache(t *testing.T) {
	t.Parallel()
	dir, folder := cachedSite(t), filepath.Join(t.TempDir(), "cache")
	exportedBytes(t, "export", dir, "--cache", folder)
	if out := invoke(t, "cache", "clear", "--cache", folder).want(t, 0).stdout; !strings.Contains(out, "removed ") {
		t.Errorf("lectern cache clear says %q", out)
	}
	if s := cacheState(t, folder); s.Records != 0 || s.Bytes != 0 || s.Packs != 0 {
		t.Errorf("the cache holds %+v", s)
	}
	invoke(t, "cache", "clear", "--cache", filepath.Join(folder, "missing")).want(t, 0)
	invoke(t, "cache", "clear", "--cache", dir).want(t, 2, "cannot be used as a build cache", "docs.json")
	if _, err := os.Stat(filepath.Join(dir, "index.mdx")); err != nil {
		t.Error(err)
	}
	invoke(t, "cache").want(t, 4, "no cache directory")
}

func TestBuildContinuesIfCacheIsUnusable(t *testing.T) {
	t.Parallel()
	dir, other := cachedSite(t), write(t, map[string]string{"notes.txt": "mine"})
	invoke(t, "check", dir, "--cache", other).want(t, 0, "without a cache", "notes.txt")
	if entries, err := os.ReadDir(other); err != nil || len(entries) != 1 {
		t.Errorf("the other folder holds %v, %v", entries, err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	invoke(t, "LECTERN_CACHE_FOLDER="+link, "check", dir).want(t, 0, "symbolic link")
	invoke(t, "check", dir, "--cache", filepath.Join(dir, "cache")).want(t, 2, "inside the docs folder")
	invoke(t, "LECTERN_CACHE_MAX_BYTES=12", "check", dir).want(t, 2, "cache.max-bytes")
	invoke(t, "LECTERN_CACHE_MAX_BYTES=0", "check", dir, "--cache", filepath.Join(t.TempDir(), "none")).want(t, 0)
}

func TestPreviewWritesToTheCache(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "cache")
	t.Cleanup(func() { // runs after the preview has ended
		if s := cacheState(t, folder); s.Records == 0 {
			t.Errorf("the cache holds %+v", s)
		}
	})
	address := startDev(t, cachedSite(t), "--port", "0", "--cache", folder)
	if body := fetchText(t, address+"/guide"); !strings.Contains(body, "Words of") {
		t.Fatalf("got %s", body)
	}
}
