package draft_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/site/draft"
)

func folder() fstest.MapFS {
	return fstest.MapFS{"docs.json": {Data: []byte("{}")}, "a.mdx": {Data: []byte("one\ntwo\n")},
		"guides/b.mdx": {Data: []byte("b\n")}, "guides/deep/c.mdx": {Data: []byte("c\n")}}
}

// edited returns a draft with one change of each kind.
func edited(t *testing.T) *draft.Tree {
	t.Helper()
	d := draft.New(folder())
	for _, err := range []error{d.Write("a.mdx", []byte("one\n2\n")), d.Write("new/x/y.mdx", []byte("y")),
		d.Remove("guides/b.mdx"), d.Write("docs.json", []byte("{}")),
		d.Write("gone.mdx", nil), d.Remove("gone.mdx")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func TestDraftIsAValidFileSystem(t *testing.T) {
	d := edited(t)
	if err := fstest.TestFS(d, "docs.json", "a.mdx", "guides/deep/c.mdx", "new/x/y.mdx"); err != nil {
		t.Error(err)
	}
	if _, err := fs.Stat(d, "guides/b.mdx"); err == nil {
		t.Error("a removed file still exists")
	}
}

func TestChangesListOnlyDifferences(t *testing.T) {
	list, err := edited(t).Changes()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range list {
		got = append(got, c.Kind()+" "+c.Path)
	}
	want := []string{"changed a.mdx", "removed guides/b.mdx", "added new/x/y.mdx"}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("changes are %q", got)
	}
	again := draft.New(folder())
	if err := again.Apply(list); err != nil {
		t.Fatal(err)
	}
	if second, _ := again.Changes(); draft.Patch(second) != draft.Patch(list) {
		t.Error("applying the list gives a different folder")
	}
}

func TestPathsOutsideTheFolderAreRefused(t *testing.T) {
	d := draft.New(folder())
	for _, bad := range []string{"", ".", "..", "../a", "/a", "a/../b", "guides", "a.mdx/b", "x\\y", "a\x00b",
		"guides/"} {
		if err := d.Write(bad, []byte("x")); err == nil {
			t.Errorf("%q was written", bad)
		}
	}
	if err := d.Remove("guides"); err == nil {
		t.Error("a folder was removed")
	}
}

// Git must be able to apply the patch, and end up with the same files.
func TestGitCanApplyThePatch(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, folder()); err != nil {
		t.Fatal(err)
	}
	d := edited(t)
	list, err := d.Changes()
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, draft.Change{Path: "moved to/c.mdx", From: "guides/deep/c.mdx", Before: []byte("c\n"),
		After: []byte("c\nmore\n")}, draft.Change{Path: "site.json", From: "docs.json", Before: []byte("{}"),
		After: []byte("{}")})
	patch := filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(patch, []byte(draft.Patch(list)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "apply", patch)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range list {
		got, err := os.ReadFile(filepath.Join(dir, c.Path))
		if c.After == nil != os.IsNotExist(err) || string(got) != string(c.After) {
			t.Errorf("%s is %q, %v", c.Path, got, err)
		}
		if _, err := os.Stat(filepath.Join(dir, c.From)); c.From != "" && !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", c.From, err)
		}
	}
}

// A folder cannot replace a file in the base, because reading below it would fail.
func TestFileCannotBecomeAFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := draft.New(os.DirFS(dir))
	if err := d.Remove("a"); err != nil {
		t.Fatal(err)
	}
	if err := d.Write("a/b.mdx", []byte("x")); err == nil {
		t.Error("the file was written")
	}
	if list, err := d.Changes(); err != nil || len(list) != 1 {
		t.Errorf("%v %v", list, err)
	}
	if err := fs.WalkDir(d, ".", func(_ string, _ fs.DirEntry, err error) error { return err }); err != nil {
		t.Error(err)
	}
}

// Later changes to the base are not attributed to the draft: each change records the content that it replaced.
func TestChangesRecordTheContentTheyReplaced(t *testing.T) {
	base := folder()
	d := draft.New(base)
	if err := d.Write("a.mdx", []byte("mine\n")); err != nil {
		t.Fatal(err)
	}
	base["a.mdx"] = &fstest.MapFile{Data: []byte("theirs\n")}
	list, err := d.Changes()
	if err != nil || len(list) != 1 || string(list[0].Before) != "one\ntwo\n" {
		t.Errorf("%+v %v", list, err)
	}
}
