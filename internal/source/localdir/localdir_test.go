package localdir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func tree(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, readErr := os.ReadFile(filepath.Join(dir, p))
			err = readErr
			out = append(out, p+"="+string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func snapshot(t *testing.T, source, folder string) (sourcetree.Snapshot, []string) {
	t.Helper()
	dst := t.TempDir()
	s, err := Snapshot(t.Context(), Place{Path: source}, folder, "", sink(t, dst), sourcetree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return s, tree(t, dst)
}

func TestSnapshotCopiesOnlyDocsFolder(t *testing.T) {
	src := t.TempDir()
	write(t, src, map[string]string{
		"README.md": "outer", "docs/docs.json": "{}", "docs/guides/a.mdx": "a", "docs/.git/config": "x",
		"docs/node_modules/p/i.js": "x",
		"docs/sub/.git":            "gitdir: elsewhere", "docs/sub/b.mdx": "b",
	})
	s, got := snapshot(t, src, "docs")
	if want := []string{"docs.json={}", "guides/a.mdx=a", "sub/b.mdx=b"}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	if s.Files != 3 || s.Bytes != 4 || len(s.Diagnostics) != 0 {
		t.Fatalf("%+v", s)
	}
}

// C10, C11: links cannot lead out of the docs folder, and pipes are not opened.
func TestLinksAndSpecialFilesAreContained(t *testing.T) {
	src, outside := t.TempDir(), t.TempDir()
	write(t, outside, map[string]string{"secret": "s"})
	write(t, src, map[string]string{"docs/a.md": "a", "other.md": "o"})
	for name, target := range map[string]string{"in.md": "a.md", "abs": filepath.Join(outside, "secret"),
		"up.md": "../other.md", "dir": outside} {
		if err := os.Symlink(target, filepath.Join(src, "docs", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(src, "docs", "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, got := snapshot(t, src, "docs")
	if want := []string{"a.md=a", "in.md=a"}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	if len(s.Diagnostics) != 4 {
		t.Fatalf("diagnostics %v", s.Diagnostics)
	}
}

func TestDocsFolderCannotEscapeSource(t *testing.T) {
	src, outside := t.TempDir(), t.TempDir()
	write(t, outside, map[string]string{"secret": "s"})
	if err := os.Symlink(outside, filepath.Join(src, "docs")); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"docs", "..", "../" + filepath.Base(outside), "gone", outside} {
		_, err := Snapshot(t.Context(), Place{Path: src}, folder, "", sink(t, t.TempDir()), sourcetree.Limits{})
		if !fault.HasCode(err, "folder_not_found") {
			t.Errorf("%s: %v", folder, err)
		}
	}
}

func TestSnapshotNameDependsOnContent(t *testing.T) {
	src := t.TempDir()
	write(t, src, map[string]string{"a.md": "a", "b/c.md": "c"})
	first, _ := snapshot(t, src, "")
	again, _ := snapshot(t, src, ".")
	if first.Commit != again.Commit || !strings.HasPrefix(first.Commit, "tree-") || len(first.Commit) != 5+64 {
		t.Fatalf("%s, %s", first.Commit, again.Commit)
	}
	seen := map[string]bool{first.Commit: true}
	for _, change := range []map[string]string{{"a.md": "A"}, {"a.md": "a", "new.md": ""}, {"b/c.md": "cc"}} {
		write(t, src, change)
		s, _ := snapshot(t, src, "")
		if seen[s.Commit] {
			t.Errorf("%v kept the name %s", change, s.Commit)
		}
		seen[s.Commit] = true
	}
}

func TestMissingSourceFaultHidesPath(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	_, err := Snapshot(t.Context(), Place{Path: gone}, "", "", sink(t, t.TempDir()), sourcetree.Limits{})
	if !fault.HasCode(err, "source_not_found") || strings.Contains(fault.Public(err), gone) {
		t.Errorf("%v", err)
	}
	if _, err := Snapshot(t.Context(), Place{Path: "relative"}, "", "", sink(t, t.TempDir()),
		sourcetree.Limits{}); !fault.Is(err, fault.Invalid) {
		t.Errorf("%v", err)
	}
}

func TestCancelledSnapshotStops(t *testing.T) {
	src := t.TempDir()
	write(t, src, map[string]string{"a.md": "a"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Snapshot(ctx, Place{Path: src}, "", "", sink(t, t.TempDir()), sourcetree.Limits{}); !errors.Is(err,
		context.Canceled) {
		t.Fatal(err)
	}
}

// The name of a folder's content does not depend on the folder's location or on whether it is copied.
func TestNameEqualsSnapshotName(t *testing.T) {
	src := t.TempDir()
	write(t, src, map[string]string{"docs.json": "{}", "guides/start.mdx": "# Start",
		".git/HEAD": "ref: refs/heads/main", "node_modules/x/y.js": "1"})
	if err := errors.Join(os.Symlink("start.mdx", filepath.Join(src, "guides", "copy.mdx")),
		syscall.Mkfifo(filepath.Join(src, "pipe"), 0o600)); err != nil {
		t.Fatal(err)
	}
	want, _ := snapshot(t, src, "")
	name := func() string {
		t.Helper()
		root, err := os.OpenRoot(src)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = root.Close() }()
		got, err := Examine(t.Context(), root.FS(), sourcetree.Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return got.Name
	}
	if got := name(); got != want.Commit {
		t.Errorf("%s, but the snapshot has %s", got, want.Commit)
	}
	write(t, src, map[string]string{"guides/start.mdx": "# Begin"})
	if name() == want.Commit {
		t.Error("different content has the same name")
	}
}

// sink returns a sink that writes into an empty folder.
func sink(t *testing.T, dst string) sourcetree.Sink {
	t.Helper()
	w, err := sourcetree.OpenWriter(dst, sourcetree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}
