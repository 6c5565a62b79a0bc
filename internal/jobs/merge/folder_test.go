package merge

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/localdir"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			out = append(out, p+"@")
			return nil
		}
		text, err := os.ReadFile(filepath.Join(dir, p))
		out = append(out, p+"="+string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

func edit(p, before, after string) draft.Change {
	c := draft.Change{Path: p}
	if before != "" {
		c.Before = []byte(before)
	}
	if after != "" {
		c.After = []byte(after)
	}
	return c
}

// If files have changed since the merge read them, it stops before writing the first file.
func TestChangedFolderIsNotOverwritten(t *testing.T) {
	first := edit("first.mdx", "1", "one")
	for name, c := range map[string]struct {
		files  map[string]string
		change draft.Change
	}{
		"other text":             {map[string]string{"a": "x"}, edit("a", "a", "b")},
		"larger":                 {map[string]string{"a": "larger"}, edit("a", "a", "b")},
		"gone":                   {nil, edit("a", "a", "b")},
		"there before it is new": {map[string]string{"a": "x"}, edit("a", "", "b")},
		"changed, to be removed": {map[string]string{"a": "x"}, edit("a", "a", "")},
		"a folder now":           {map[string]string{"a/b": "x"}, edit("a", "a", "b")},
		"below a file now":       {map[string]string{"a": "x"}, edit("a/b", "", "b")},
		"a link now":             {map[string]string{"a@": "first.mdx"}, edit("a", "1", "b")},
		"in a linked folder now": {map[string]string{"d/a": "a", "l@": "d"}, edit("l/a", "a", "b")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, map[string]string{"first.mdx": "1"})
			for p, text := range c.files {
				if link, ok := strings.CutSuffix(p, "@"); ok {
					if err := os.Symlink(text, filepath.Join(dir, link)); err != nil {
						t.Fatal(err)
					}
					continue
				}
				write(t, dir, map[string]string{p: text})
			}
			before := listing(t, dir)
			err := (&Merger{Local: localdir.Anywhere}).writeFolder(t.Context(),
				project.Project{Source: project.Source{Path: dir}}, []draft.Change{first, c.change})
			if !fault.Is(err, fault.Conflict) || !fault.HasCode(err, "folder_changed") ||
				!strings.Contains(err.Error(), c.change.Path) || strings.Contains(err.Error(), "first.mdx") {
				t.Errorf("%v", err)
			}
			if after := listing(t, dir); after != before {
				t.Errorf("the folder was %q and is %q", before, after)
			}
		})
	}
}

func TestFilesAndFoldersMayReplaceEachOther(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"docs/a": "a", "docs/b/x": "x", "docs/b/y": "y", "docs/empty": "",
		"docs/.c.lectern-new": "left"})
	of := project.Project{Source: project.Source{Path: dir}, DocsFolder: "docs"}
	changes := []draft.Change{edit("a/deep", "", "d"), edit("a", "a", ""), edit("b", "", "b"), edit("b/x", "x", ""),
		edit("b/y", "y", ""), edit("c", "", "c"),
		{Path: "empty", Before: []byte{}, After: []byte("e")}, {Path: "new-empty", After: []byte{}}}
	for range 2 { // repeating it is harmless
		if err := (&Merger{Local: localdir.Anywhere}).writeFolder(t.Context(), of, changes); err != nil {
			t.Fatal(err)
		}
		if got := listing(t, dir); got != "docs/a/deep=d docs/b=b docs/c=c docs/empty=e docs/new-empty=" {
			t.Errorf("%q", got)
		}
	}
}

func TestPathsOutsideTheFolderAreRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"docs/a": "a", "README.md": "r"})
	of := project.Project{Source: project.Source{Path: dir}, DocsFolder: "docs"}
	for _, p := range []string{"../README.md", "/etc/passwd", "", "."} {
		if err := (&Merger{Local: localdir.Anywhere}).
			writeFolder(t.Context(), of, []draft.Change{edit(p, "r", "x")}); !fault.HasCode(err, "path_not_allowed") {
			t.Errorf("%q: %v", p, err)
		}
	}
	of.DocsFolder = "gone"
	if err := (&Merger{Local: localdir.Anywhere}).
		writeFolder(t.Context(), of, nil); !fault.HasCode(err, "source_not_found") {
		t.Errorf("%v", err)
	}
	if err := os.Symlink("/etc", filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	of.DocsFolder = "out"
	if err := (&Merger{Local: localdir.Anywhere}).
		writeFolder(t.Context(), of, []draft.Change{edit("x", "", "x")}); !fault.HasCode(err, "source_not_found") {
		t.Errorf("%v", err)
	}
}

// A link to a file that has the same change shows that change without being written. Any other change to a link is
// rejected.
func TestLinkToChangedFileIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"guides/a.mdx": "one", "b.mdx": "x"})
	if err := os.Symlink("guides/a.mdx", filepath.Join(dir, "l.mdx")); err != nil {
		t.Fatal(err)
	}
	of := project.Project{Source: project.Source{Path: dir}}
	if err := (&Merger{Local: localdir.Anywhere}).
		writeFolder(t.Context(), of, []draft.Change{edit("guides/a.mdx", "one", "two"),
			edit("l.mdx", "one", "three")}); !fault.HasCode(err, "folder_changed") {
		t.Errorf("%v", err)
	}
	for range 2 { // repeated after a crash
		if err := (&Merger{Local: localdir.Anywhere}).writeFolder(t.Context(), of,
			[]draft.Change{edit("guides/a.mdx", "one", "two"), edit("l.mdx", "one", "two")}); err != nil {
			t.Fatal(err)
		}
	}
	if got := listing(t, dir); got != "b.mdx=x guides/a.mdx=two l.mdx@" {
		t.Error(got)
	}
}
