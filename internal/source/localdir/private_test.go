package localdir

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// C10: if a source contains the server's data folder, that folder is skipped. Running "lectern serve" in a docs folder
// creates exactly this case.
func TestPrivateFolderIsSkipped(t *testing.T) {
	src := t.TempDir()
	write(t, src, map[string]string{"index.mdx": "i", "lectern-data/lectern.db": "rows", "lectern-data/secret.key": "s",
		"z/lectern-data/b.mdx": "b"})
	for name, source := range map[string]string{"the folder": src, "a link to it": linkTo(t, src)} {
		dst := t.TempDir()
		s, err := Snapshot(t.Context(), Place{Path: source}, "", filepath.Join(src, "lectern-data"), sink(t, dst),
			sourcetree.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := tree(t, dst), []string{"index.mdx=i", "z/lectern-data/b.mdx=b"}; !slices.Equal(got, want) ||
			len(s.Diagnostics) != 0 {
			t.Errorf("%s: %v %v", name, got, s.Diagnostics)
		}
	}
}

func TestSourceInsidePrivateFolderIsRefused(t *testing.T) {
	src := t.TempDir()
	write(t, src, map[string]string{"data/lectern.db": "rows", "data/blobs/a.mdx": "a"})
	data := filepath.Join(src, "data")
	for _, at := range [][2]string{{data, ""}, {data, "blobs"}, {filepath.Join(data, "blobs"), ""}, {src, "data/blobs"},
		{linkTo(t, data), ""}} {
		if _, err := Snapshot(t.Context(), Place{Path: at[0]}, at[1], data, sink(t, t.TempDir()),
			sourcetree.Limits{}); !fault.HasCode(err, "private_source") {
			t.Errorf("%v: %v", at, err)
		}
	}
	if Within(src, data) || Within(data, "") || Within(data, filepath.Join(src, "gone")) {
		t.Error("a folder outside counts as private")
	}
}

func TestWalkStopsAtEntryLimit(t *testing.T) {
	src := t.TempDir()
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		// folders are not files, but they take time too
		if err := os.MkdirAll(filepath.Join(src, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Snapshot(t.Context(), Place{Path: src}, "", "", sink(t, t.TempDir()),
		sourcetree.Limits{Files: 1}); !fault.HasCode(err, "source_too_many_files") {
		t.Error(err)
	}
}

func linkTo(t *testing.T, target string) string {
	t.Helper()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	return link
}
