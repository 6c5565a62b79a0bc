package cli

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// reexport writes a tree to a folder as an export does.
func reexport(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	to, err := openFolder(dir, ".partial-x", false, nil)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, to, files)
	if _, _, err := to.commit(); err != nil {
		t.Fatal(err)
	}
}

func fill(t testing.TB, to output.Sink, files map[string]string) {
	t.Helper()
	l := output.NewLedger(to, "")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := l.Put(context.Background(),
			output.File{Path: name, ContentType: output.ContentType(name), Data: []byte(files[name])}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.WriteManifest(context.Background(), output.Labels{Tool: "t"}); err != nil {
		t.Fatal(err)
	}
}

// held returns the contents of a folder, except for the manifest.
func held(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range list(t, dir) {
		if name != output.ManifestPath {
			out[name] = read(t, filepath.Join(dir, name))
		}
	}
	return out
}

func TestRepeatedExportWritesOnlyChangedFiles(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	files := map[string]string{"a.html": "a", "b/c.html": "c", "b/d.html": "d", "e/f.html": "f"}
	reexport(t, dir, files)
	past := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	old := func() {
		for name := range files {
			if err := os.Chtimes(filepath.Join(dir, name), past, past); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(filepath.Join(dir, output.ManifestPath), past, past); err != nil {
			t.Fatal(err)
		}
	}
	old()
	reexport(t, dir, files)
	for _, name := range append(slices.Collect(maps.Keys(files)), output.ManifestPath) {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.ModTime().Equal(past) {
			t.Errorf("%s was written again: %v", name, err)
		}
	}
	files["b/c.html"], files["new/g.html"] = "C", "g"
	delete(files, "e/f.html")
	// changed by somebody else, with the same size
	if err := os.WriteFile(filepath.Join(dir, "b/d.html"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	reexport(t, dir, files)
	if got := held(t, dir); !maps.Equal(got, files) {
		t.Errorf("holds %v, want %v", got, files)
	}
	if info, err := os.Stat(filepath.Join(dir, "a.html")); err != nil || !info.ModTime().Equal(past) {
		t.Errorf("a.html was written again: %v", err)
	}
}

func TestExportReplacesFilesAndFoldersOfAnEarlierExport(t *testing.T) {
	t.Parallel()
	steps := []map[string]string{
		{"a": "file", "b/c.html": "c", "Guide.html": "g", "x/Y/z.html": "z"},
		{"a/b.html": "now a folder", "b": "now a file", "guide.html": "g", "x/y/z.html": "z"},
		{"a": "file", "b/c.html": "c", "Guide.html": "g", "x/Y/z.html": "z"},
	}
	dir := t.TempDir()
	for i, files := range steps {
		reexport(t, dir, files)
		if got := held(t, dir); !maps.Equal(got, files) {
			t.Errorf("step %d: holds %v, want %v", i, got, files)
		}
	}
}

func TestStaleSignatureIsRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reexport(t, dir, map[string]string{"a.html": "a"})
	if err := os.WriteFile(filepath.Join(dir, output.SignaturePath), []byte("of the earlier one"), 0o600); err != nil {
		t.Fatal(err)
	}
	reexport(t, dir, map[string]string{"a.html": "b"})
	if _, err := os.Stat(filepath.Join(dir, output.SignaturePath)); err == nil {
		t.Error("a signature of another manifest is there")
	}
}

// photo returns the content and modification time of each file.
func photo(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		out[name] = read(t, name) + info.ModTime().String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAbandonedExportKeepsEarlierExport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reexport(t, dir, map[string]string{"a.html": "a", "b/c.html": "c"})
	before := photo(t, dir)
	to, err := openFolder(dir, ".partial-x", false, nil)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, to, map[string]string{"a.html": "changed", "b/c.html": "c", "d/e.html": "new"})
	if err := to.abandon(); err != nil {
		t.Fatal(err)
	}
	if after := photo(t, dir); !maps.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
}
