package git

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestLocalTreeIsTheFolderAtACommit(t *testing.T) {
	t.Parallel()
	s := newSource(t, map[string]string{"docs/a.mdx": "first", "docs/sub/b.mdx": "b", "other.txt": "x"})
	first := git(t, s.dir, "rev-parse", "HEAD")
	if err := os.Symlink("a.mdx", filepath.Join(s.dir, "docs", "link.mdx")); err != nil {
		t.Fatal(err)
	}
	s.commit(map[string]string{"docs/a.mdx": "second, longer", "docs/empty.mdx": ""})
	repo, err := OpenLocal(t.Context(), "", filepath.Join(s.dir, "docs"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := repo.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	before, err := repo.Tree(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = before.Close() }()
	if err := fstest.TestFS(before, "a.mdx", "sub/b.mdx"); err != nil {
		t.Error(err)
	}
	for want, of := range map[string]fs.FS{"first": before, "second, longer": tree} {
		if got, err := fs.ReadFile(of, "a.mdx"); err != nil || string(got) != want {
			t.Errorf("read %q, %v", got, err)
		}
	}
	if got, err := fs.ReadFile(tree, "empty.mdx"); err != nil || len(got) != 0 {
		t.Errorf("read %q, %v", got, err)
	}
	if info, err := fs.Lstat(tree, "link.mdx"); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link is %v, %v", info, err)
	}
	if _, err := tree.Open("link.mdx"); err == nil {
		t.Error("a link can be opened")
	}
	if _, err := tree.Open("other.txt"); err == nil {
		t.Error("a file outside of the folder can be opened")
	}
}

func TestLocalRepoRefusesNamesThatAreOptions(t *testing.T) {
	t.Parallel()
	s := newSource(t, map[string]string{"docs/a.mdx": "first"})
	repo, err := OpenLocal(t.Context(), "", filepath.Join(s.dir, "docs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"--help", "--output=x", "", "HEAD:docs", "none"} {
		if commit, err := repo.Resolve(t.Context(), name); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q is %q, %v", name, commit, err)
		}
	}
}
