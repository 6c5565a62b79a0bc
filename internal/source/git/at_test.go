package git

import (
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// at takes a snapshot of a commit and returns its files as path → text.
func at(t testing.TB, c *Cache, r Remote, commit string) (sourcetree.Snapshot, map[string]string) {
	t.Helper()
	dst := t.TempDir()
	s, err := c.Checkout(t.Context(), r, commit, dst)
	if err != nil {
		f, _ := fault.As(err)
		t.Fatalf("%v (%+v)", err, f)
	}
	return s, folderText(t, dst)
}

func TestCommitIsFoundAfterBranchMoved(t *testing.T) {
	s := newSource(t, map[string]string{"docs/a.mdx": "one"})
	r, c := Remote{Local: true, URL: s.dir, Folder: "docs", Branch: "main"}, localCache(t)
	first, files := at(t, c, r, "")
	if files["a.mdx"] != "one" || first.Branch != "main" || first.Time.Unix() != 1714979289 {
		t.Fatalf("%v, %+v", files, first)
	}
	for _, text := range []string{"two", "three"} {
		s.commit(map[string]string{"docs/a.mdx": text})
	}
	middle := git(t, s.dir, "rev-parse", "main~1")
	git(t, s.dir, "checkout", "-q", "-b", "other")
	// The mirror is shallow: it has the first commit, and fetches only the second one.
	for _, cache := range []*Cache{c, localCache(t)} {
		if got, files := at(t, cache, r, first.Commit); files["a.mdx"] != "one" || got.Commit != first.Commit ||
			got.Files != 1 || !got.Time.Equal(first.Time) {
			t.Errorf("%v, %+v", files, got)
		}
		if got, files := at(t, cache, r, middle); files["a.mdx"] != "two" || got.Commit != middle {
			t.Errorf("%v, %+v", files, got)
		}
	}
	if _, err := c.Prune(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, files := at(t, c, r, first.Commit); files["a.mdx"] != "one" {
		t.Errorf("after the mirror was pruned: %v", files)
	}
	if got, _ := at(t, c, r, ""); got.Commit != git(t, s.dir, "rev-parse", "main") {
		t.Errorf("the head is %s", got.Commit)
	}
}

// oldServer uses the first version of git's protocol, which cannot request a commit that is not the head of a branch.
func oldServer(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Git-Protocol")
		h.ServeHTTP(w, r)
	})
}

// G7: the parent of a proposal is fetched again if the mirror lost it, whatever the server supports.
func TestCommitIsSearchedInHistoryWhenServerRefusesDirectFetch(t *testing.T) {
	s := newSource(t, map[string]string{"a.mdx": "one"})
	first := git(t, s.dir, "rev-parse", "HEAD")
	for _, text := range []string{"two", "three"} {
		s.commit(map[string]string{"a.mdx": text})
	}
	git(t, s.dir, "config", "http.receivepack", "true")
	old := serveHTTP(t, oldServer(backend(t, s.root, "", ""))) + "/docs.git"
	git(t, s.dir, "update-server-info")
	for name, url := range map[string]string{"old": old, "plain files": newStaticServer(t, s.root) + "/docs.git/.git"} {
		c := newCache(t, []string{"127.0.0.1"}, Options{})
		r := Remote{URL: url, Branch: "main"}
		if _, files := at(t, c, r, first); files["a.mdx"] != "one" {
			t.Errorf("%s: %v", name, files)
		}
		if _, err := c.Checkout(t.Context(), r, strings.Repeat("1", 40), t.TempDir()); !fault.HasCode(err,
			"commit_not_found") {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, r := newCache(t, []string{"127.0.0.1"}, Options{}), Remote{URL: old, Branch: "main"}
	commit := propose(t, c, r, proposalFor(first, change("a.mdx", "other")))
	if got := git(t, s.dir, "rev-parse", agentBranch, agentBranch+"~1"); got != commit+"\n"+first {
		t.Errorf("%q", got)
	}
}

func TestMissingCommitsAndBadIdsAreFaults(t *testing.T) {
	s := newSource(t, map[string]string{"a.mdx": "one"})
	c, r := localCache(t), Remote{Local: true, URL: s.dir}
	blob := git(t, s.dir, "rev-parse", "HEAD:a.mdx")
	for commit, code := range map[string]string{strings.Repeat("1", 40): "commit_not_found", "main": "bad_commit",
		"HEAD~1": "bad_commit", "--all": "bad_commit", blob: "commit_not_found"} {
		if _, err := c.Checkout(t.Context(), r, commit, t.TempDir()); !fault.HasCode(err, code) {
			t.Errorf("%s: %v", commit, err)
		}
	}
}

func TestFilesAboveTheDocsFolderCanBeRead(t *testing.T) {
	s := newSource(t, map[string]string{"AGENTS.md": "root", ".lectern/AGENTS.md": "ours", "docs/AGENTS.md": "docs",
		"docs/x/y.md": "y", ":odd *.md": "odd", "big": strings.Repeat("x", maxFile+1)})
	if err := os.Symlink("/etc/passwd", s.dir+"/link.md"); err != nil {
		t.Fatal(err)
	}
	head := s.commit(nil)
	got, large, err := localCache(t).Files(t.Context(), Remote{Local: true, URL: s.dir, Folder: "docs"}, head,
		[]string{"AGENTS.md", ".lectern/AGENTS.md", "docs/AGENTS.md", "gone.md", "docs", "docs/x", ":odd *.md",
			"link.md", "big", "AGENTS.md/x"})
	if err != nil || !slices.Equal(large, []string{"big"}) {
		t.Fatal(large, err)
	}
	text := map[string]string{}
	for p, data := range got {
		text[p] = string(data)
	}
	if want := map[string]string{"AGENTS.md": "root", ".lectern/AGENTS.md": "ours", "docs/AGENTS.md": "docs",
		":odd *.md": "odd"}; !maps.Equal(text, want) {
		t.Errorf("%q", text)
	}
	for _, bad := range []string{"../x", "/etc/passwd", "a\x00b", ""} {
		if _, _, err := localCache(t).Files(t.Context(), Remote{Local: true, URL: s.dir}, head,
			[]string{bad}); !fault.HasCode(err, "bad_file_name") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestTipIsFoundOrNotFound(t *testing.T) {
	s, c := newSource(t, map[string]string{"a.mdx": "one"}), localCache(t)
	r := Remote{Local: true, URL: s.dir}
	if got, found, err := c.Tip(t.Context(), r, "main"); err != nil || !found ||
		got != git(t, s.dir, "rev-parse", "HEAD") {
		t.Errorf("%s %v %v", got, found, err)
	}
	if got, found, err := c.Tip(t.Context(), r, agentBranch); err != nil || found || got != "" {
		t.Errorf("%s %v %v", got, found, err)
	}
	for _, bad := range []string{"", "a..b"} {
		if _, _, err := c.Tip(t.Context(), r, bad); !fault.HasCode(err, "bad_branch_name") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	r.URL += "-gone"
	if _, _, err := c.Tip(t.Context(), r, "main"); !fault.HasCode(err, "repository_not_found") {
		t.Errorf("%v", err)
	}
}

func TestRepositoriesWithLongIdsWork(t *testing.T) {
	s := source{t: t, root: t.TempDir()}
	s.dir = s.root + "/docs.git"
	git(t, s.root, "init", "-q", "-b", "main", "--object-format=sha256", s.dir)
	first := s.commit(map[string]string{"a.mdx": "one"})
	git(t, s.dir, "config", "http.receivepack", "true")
	web := newCache(t, []string{"127.0.0.1"}, Options{})
	for c, r := range map[*Cache]Remote{localCache(t): {Local: true, URL: s.dir},
		web: {URL: serveHTTP(t, backend(t, s.root, "", "")) + "/docs.git"}} {
		if snap, files := snapshot(t, c, r); files["a.mdx"] != "one" || len(snap.Commit) != 64 {
			t.Errorf("%v, %+v", files, snap)
		}
		if snap, files := at(t, c, r, first); files["a.mdx"] != "one" || snap.Commit != first {
			t.Errorf("%v, %+v", files, snap)
		}
		if commit := propose(t, c, r, proposalFor(first, change("a.mdx", "two"), removal("b.mdx"))); git(t, s.dir,
			"rev-parse", agentBranch) != commit {
			t.Errorf("the branch is not at %s", commit)
		}
	}
}

func TestEmptyBranchMeansDefaultBranch(t *testing.T) {
	s := newSource(t, map[string]string{"a.mdx": "one"})
	c := localCache(t)
	if got, err := c.Branch(t.Context(), Remote{Local: true, URL: s.dir}); got != "main" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if got, err := c.Branch(t.Context(), Remote{Local: true, URL: s.dir, Branch: "other"}); got != "other" ||
		err != nil {
		t.Errorf("%q %v", got, err)
	}
	git(t, s.dir, "checkout", "-q", "--detach")
	if _, err := c.Branch(t.Context(), Remote{Local: true, URL: s.dir}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a detached head has the branch %v", err)
	}
}
