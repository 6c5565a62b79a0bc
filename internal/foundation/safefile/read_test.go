package safefile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReadRefusesSymlinksAndIrregularFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.json": "12345", "real/b.json": "b"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link.json": "a.json", "folder": "real"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	src := os.DirFS(dir)
	// one byte more than the limit, so that callers can detect large files
	for name, want := range map[string]string{"a.json": "1234", "real/b.json": "b"} {
		if got, err := Read(src, name, 3); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"link.json", "folder/b.json", "real", "none.json", "../a.json", "/a.json", "", "."} {
		if got, err := Read(src, name, 3); err == nil {
			t.Errorf("%s was read: %q", name, got)
		}
	}
}
