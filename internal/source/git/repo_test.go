package git

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// ownRepo returns a cache with a folder of the server's own repositories, and an empty repository in it. The cache
// refuses other local repositories.
func ownRepo(t testing.TB) (*Cache, Repo) {
	t.Helper()
	own := filepath.Join(t.TempDir(), "own repositories: 100%")
	c := newCache(t, nil, Options{Own: own})
	r := c.Repo(filepath.Join(own, "prj_a.git"))
	if err := r.Make(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c, r
}

func filesOf(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for p, text := range files {
		out[p] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func importAll(t testing.TB, r Repo, folder string, files map[string]string) string {
	t.Helper()
	commit, err := r.Import(t.Context(),
		Import{Files: filesOf(files), Folder: folder, Message: "Import", When: proposed})
	if err != nil {
		t.Fatal(err)
	}
	return commit
}

func TestFolderIsImportedOnlyWhenChanged(t *testing.T) {
	c, r := ownRepo(t)
	files := map[string]string{"docs.json": "{}", "a b/ünï \"q\".mdx": "x\r\n", "empty.mdx": "",
		".gitmodules": "[submodule \"x\"]", "x/.git/config": "x"}
	first := importAll(t, r, "docs", files)
	if again := importAll(t, r, "docs", files); again != first {
		t.Errorf("the same files gave %s after %s", again, first)
	}
	snap, got := snapshot(t, c, r.Remote("", "docs"))
	if want := map[string]string{"docs.json": "{}", "a b/ünï \"q\".mdx": "x\r\n", "empty.mdx": ""}; !maps.Equal(got,
		want) || snap.Branch != Main || snap.Commit != first {
		t.Errorf("%q, %+v", got, snap)
	}
	delete(files, "empty.mdx")
	second := importAll(t, r, "docs", files)
	if got := git(t, r.path, "rev-list", Main); got != second+"\n"+first {
		t.Errorf("the history is %q", got)
	}
	if err := r.Make(t.Context()); err != nil || git(t, r.path, "rev-parse", Main) != second {
		t.Errorf("making it again: %v", err)
	}
	if err := r.Tidy(t.Context()); err != nil {
		t.Error(err)
	}
	git(t, r.path, "fsck", "--strict")
	if entries, _ := os.ReadDir(filepath.Dir(r.path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestConcurrentImportsAreNotLost(t *testing.T) {
	_, r := ownRepo(t)
	var all sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		all.Go(func() {
			_, errs[i] = r.Import(t.Context(), Import{Files: filesOf(map[string]string{"a.mdx": fmt.Sprint(i % 2)}),
				Message: "Import", When: proposed})
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	git(t, r.path, "fsck", "--strict")
}

func TestFailedImportChangesNothing(t *testing.T) {
	_, r := ownRepo(t)
	first := importAll(t, r, "", map[string]string{"a.mdx": "a"})
	gone := filesOf(map[string]string{"a.mdx": "b", "z": "z"})
	_, err := r.Import(t.Context(), Import{Files: lyingFS{gone}, Message: "Import", When: proposed})
	if err == nil || git(t, r.path, "rev-parse", Main) != first {
		t.Errorf("%v", err)
	}
}

// lyingFS is a file system with an unreadable file.
type lyingFS struct{ fstest.MapFS }

func (f lyingFS) Open(name string) (fs.File, error) {
	if name == "z" {
		return nil, os.ErrPermission
	}
	return f.MapFS.Open(name)
}

// If local sources are off, only the server's own repositories are accepted, and only by their plain path.
func TestEmbeddedRepositoriesGiveNoAccessToOtherFiles(t *testing.T) {
	c, r := ownRepo(t)
	importAll(t, r, "", map[string]string{"a.mdx": "a"})
	if _, err := c.Head(t.Context(), r.Remote("", "")); err != nil {
		t.Error(err)
	}
	s := newSource(t, page)
	for _, url := range []string{s.dir, "file://" + r.path, filepath.Dir(r.path) + "/../x.git", r.path + "/objects",
		filepath.Dir(r.path), r.path + "/"} {
		if _, err := c.Head(t.Context(), Remote{URL: url}); !fault.HasCode(err, "local_source_not_allowed") &&
			!fault.HasCode(err, "bad_repository_url") {
			t.Errorf("%s: %v", url, err)
		}
	}
	if err := c.Repo(s.dir).Tidy(t.Context()); err == nil {
		t.Error("a foreign repository was tidied")
	}
}

func TestChangesAreBoundedAndHideNothing(t *testing.T) {
	s := newSource(t, map[string]string{"docs/a.mdx": "a\n", "docs/bin": "\x00\x01", "README.md": "r\n",
		"docsother/x": "x"})
	c := localCache(t)
	r := c.Repo(s.dir)
	git(t, s.dir, "checkout", "-q", "-b", agentBranch)
	if err := os.Symlink("a.mdx", filepath.Join(s.dir, "docs", "link")); err != nil {
		t.Fatal(err)
	}
	git(t, s.dir, "update-index", "--add", "--cacheinfo", "160000,"+git(t, s.dir, "rev-parse", "HEAD")+",docs/module")
	s.write(map[string]string{"docs/a.mdx": "", "README.md": "R\n", "docsother/x": "y", "docs/bin": "\x00\x02",
		"docs/odd\tname": "o"})
	git(t, s.dir, "add", "docs/link", "docs/a.mdx", "README.md", "docsother/x", "docs/bin", "docs/odd\tname")
	git(t, s.dir, "commit", "-q", "-m", "x")
	list, _, err := r.Changes(t.Context(), Main, agentBranch, "docs", Limit{})
	if got := kinds(list); err != nil ||
		got != "changed ../README.md, changed ../docsother/x, changed a.mdx, changed bin, added link, added module, added odd\tname" {
		t.Errorf("%s, %v", got, err)
	}
	i := slices.IndexFunc(list, func(c draft.Change) bool { return c.Path == "a.mdx" })
	if string(list[i].Before) != "a\n" || list[i].After == nil || len(list[i].After) != 0 ||
		string(list[i+2].After) != "a.mdx" || !strings.HasPrefix(string(list[i+3].After), "Subproject commit ") {
		t.Errorf("%q", list)
	}
	for name, limit := range map[string]Limit{"files": {Files: 6}, "bytes": {Bytes: 10}} {
		if _, _, err := r.Changes(t.Context(), Main, agentBranch, "docs", limit); !fault.HasCode(err,
			"changes_too_large") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := r.Changes(t.Context(), Main, agentBranch, "docs", Limit{Files: 7, Bytes: 1000}); err != nil {
		t.Errorf("exactly at the limit: %v", err)
	}
}

func TestRepositoriesOfEveryLayoutAreSupported(t *testing.T) {
	s := newSource(t, map[string]string{"a.mdx": "a\n"})
	s.commit(map[string]string{"a.mdx": "b\n"})
	root := t.TempDir()
	bare, shallow, tree := filepath.Join(root, "bare.git"), filepath.Join(root, "shallow"), filepath.Join(root, "tree")
	git(t, root, "clone", "-q", "--bare", s.dir, bare)
	git(t, root, "clone", "-q", "--depth=1", "file://"+s.dir, shallow)
	git(t, shallow, "checkout", "-q", "--detach")
	git(t, s.dir, "worktree", "add", "-q", "--detach", tree)
	git(t, s.dir, "checkout", "-q", "--detach")
	long := source{t: t, root: root, dir: filepath.Join(root, "long")}
	git(t, root, "init", "-q", "-b", Main, "--object-format=sha256", long.dir)
	long.commit(map[string]string{"a.mdx": "b\n"})
	git(t, long.dir, "checkout", "-q", "--detach")
	for name, path := range map[string]string{"bare": bare, "without suffix": strings.TrimSuffix(bare, ".git"),
		"shallow": shallow, "linked work tree": tree, "long ids": long.dir} {
		t.Run(name, func(t *testing.T) {
			c := localCache(t)
			r := c.Repo(path)
			dir := path
			if name == "without suffix" {
				dir = bare
			}
			if dir == bare { // both names refer to this repository, and the tests run in any order
				git(t, dir, "update-ref", "-d", "refs/heads/"+agentBranch)
			}
			p := proposalFor(git(t, dir, "rev-parse", Main), change(name+".mdx", "A\n"))
			propose(t, c, r.Remote(Main, ""), p)
			if got, _, err := r.Changes(t.Context(), Main, agentBranch, "", Limit{}); err != nil ||
				kinds(got) != "added "+name+".mdx" {
				t.Errorf("%s, %v", kinds(got), err)
			}
			commit, err := r.Merge(t.Context(), mergeOf(Main, agentBranch))
			if err != nil || git(t, dir, "rev-parse", Main) != commit {
				t.Errorf("%s, %v", commit, err)
			}
		})
	}
	for _, path := range []string{filepath.Join(root, "gone"), t.TempDir()} {
		if _, err := localCache(t).Repo(path).
			Merge(t.Context(), mergeOf(Main, agentBranch)); !fault.HasCode(err, "repository_not_found") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func FuzzReadDeltas(f *testing.F) {
	f.Add(":100644 100644 "+strings.Repeat("1", 40)+" "+strings.Repeat("2", 40)+" M\x00a\x00", 5)
	f.Add(":000000 100644 "+strings.Repeat("0", 40)+" "+strings.Repeat("2", 40)+" A\x00a b\nc\x00", 0)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		list, err := readDeltas(strings.NewReader(text), max(limit, 1))
		if err == nil && len(list) > max(limit, 1) {
			t.Fatal("more than the limit")
		}
	})
}

func FuzzParseLeaf(f *testing.F) {
	f.Add("100644 blob " + strings.Repeat("1", 40) + "       5\ta b")
	f.Add("160000 commit " + strings.Repeat("1", 40) + "       -\tm")
	f.Fuzz(func(t *testing.T, line string) {
		if l, err := parseLeaf(line); err == nil && l.kind == "blob" && !strings.HasSuffix(line, "\t"+l.path) {
			t.Fatalf("%q has the path %q", line, l.path)
		}
	})
}
