package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

const agentBranch = "lectern/fix-links-abcdefghij"

var proposed = time.Date(2025, 1, 2, 3, 4, 5, 600, time.UTC)

func change(p, text string) draft.Change { return draft.Change{Path: p, After: []byte(text)} }
func removal(p string) draft.Change      { return draft.Change{Path: p} }

func proposalFor(parent string, changes ...draft.Change) Proposal {
	return Proposal{Parent: parent, Branch: agentBranch, Message: "Fix links\n\nAll of them.", Changes: changes,
		When: proposed, Author: "Docs agent", Email: "agent@example.com"}
}

func propose(t testing.TB, c *Cache, r Remote, p Proposal) string {
	t.Helper()
	commit, err := c.Propose(t.Context(), r, p)
	if err != nil {
		f, _ := fault.As(err)
		t.Fatalf("%v (%+v)", err, f)
	}
	return commit
}

// refs lists all references of a repository with their targets.
func refs(t testing.TB, dir string) string {
	t.Helper()
	return git(t, dir, "for-each-ref", "--format=%(refname) %(objectname)")
}

func TestAProposalIsOneCommitOnItsBranch(t *testing.T) {
	s := newSource(t, map[string]string{"docs/a.mdx": "a\r\n", "docs/run.sh": "#!/bin/sh\n", "docs/old/b.mdx": "b",
		"README.md": "outer"})
	if err := os.Chmod(filepath.Join(s.dir, "docs", "a.mdx"), 0o644); err != nil {
		t.Fatal(err)
	}
	head := s.commit(nil)
	c, r := localCache(t), Remote{Local: true, URL: s.dir, Folder: "docs"}
	commit := propose(t, c, r, proposalFor(head, change("a.mdx", "A\r\n"), change("run.sh", "#!/bin/bash\n"),
		change("new/ünï x.mdx", "n"), removal("old/b.mdx"), change("empty.mdx", "")))

	if got := git(t, s.dir, "rev-parse", agentBranch); got != commit {
		t.Errorf("the branch is at %s, not at %s", got, commit)
	}
	if got := git(t, s.dir, "rev-parse", "main"); got != head {
		t.Errorf("main moved to %s", got)
	}
	want := "M\tdocs/a.mdx A\tdocs/empty.mdx A\tdocs/new/ünï x.mdx D\tdocs/old/b.mdx M\tdocs/run.sh"
	if got := strings.ReplaceAll(git(t, s.dir, "-c", "core.quotePath=false", "diff", "--name-status", "--no-renames",
		head, commit), "\n", " "); got != want {
		t.Errorf("it changes %q", got)
	}
	if got := git(t, s.dir, "ls-tree", "--format=%(objectmode)", commit, "docs/run.sh",
		"docs/a.mdx"); got != "100644\n100755" {
		t.Errorf("modes are %q", got)
	}
	if got := git(t, s.dir, "cat-file", "-s", commit+":docs/a.mdx"); got != "3" { // the line end is unchanged
		t.Errorf("the file has %s bytes", got)
	}
	logged := git(t, s.dir, "log", "-1", "--format=%an <%ae> %at|%cn <%ce> %ct|%B|%P", commit)
	if want := "Docs agent <agent@example.com> 1735787045|Docs agent <agent@example.com> 1735787045|Fix links\n\nAll of them.\n|" + head; logged != want {
		t.Errorf("it says %q", logged)
	}
	git(t, s.dir, "fsck", "--strict")
}

// G7: the same proposal always results in the same commit, on any machine.
func TestTheSameProposalIsTheSameCommit(t *testing.T) {
	s := newSource(t, map[string]string{"a.mdx": "a", "b.mdx": "b"})
	p := proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("a.mdx", "A"), removal("b.mdx"))
	r := Remote{Local: true, URL: s.dir}
	first := propose(t, localCache(t), r, p)
	there := refs(t, s.dir)
	if again := propose(t, localCache(t), r, p); again != first || refs(t, s.dir) != there {
		t.Errorf("it is %s and then %s", first, again)
	}
	// A crash between the commit and the push has no effect on the result.
	git(t, s.dir, "update-ref", "-d", "refs/heads/"+agentBranch)
	if again := propose(t, localCache(t), r, p); again != first {
		t.Errorf("it is %s and then %s", first, again)
	}
	p.When = p.When.Add(time.Second)
	git(t, s.dir, "update-ref", "-d", "refs/heads/"+agentBranch)
	if other := propose(t, localCache(t), r, p); other == first {
		t.Error("a different time results in the same commit")
	}
}

func TestFollowUpIsCommittedOnTopOfTheBranch(t *testing.T) {
	s, c := newSource(t, map[string]string{"a.mdx": "a"}), localCache(t)
	r := Remote{Local: true, URL: s.dir}
	first := propose(t, c, r, proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("a.mdx", "A")))
	s.commit(map[string]string{"later.mdx": "main went on"})
	second := propose(t, c, r, proposalFor(first, change("b.mdx", "B"), removal("never-was.mdx")))
	if got := git(t, s.dir, "rev-list", agentBranch, "--max-count=2"); got != second+"\n"+first {
		t.Errorf("the branch is %q", got)
	}
}

// G7: further changes in the same round are committed on top of the pushed commit, and a crash at any point leads to
// the same branch.
func TestLaterStateOfTheSameChangesIsCommittedOnTop(t *testing.T) {
	s, c := newSource(t, map[string]string{"a.mdx": "a", "b.mdx": "b"}), localCache(t)
	r, head := Remote{Local: true, URL: s.dir}, git(t, s.dir, "rev-parse", "HEAD")
	first := propose(t, c, r, proposalFor(head, change("a.mdx", "A")))
	more := proposalFor(head, change("b.mdx", "B")) // a.mdx is back to its old content
	if _, err := c.Propose(t.Context(), r, more); !fault.HasCode(err, "branch_moved") {
		t.Errorf("without saying what was pushed: %v", err)
	}
	more.Last = first
	second := propose(t, c, r, more)
	if got := git(t, s.dir, "rev-list", "--max-count=3", agentBranch); got != second+"\n"+first+"\n"+head {
		t.Errorf("the branch is %q", got)
	}
	if got := git(t, s.dir, "diff", "--name-only", head, second); got != "b.mdx" {
		t.Errorf("it changes %q", got)
	}
	for _, cache := range []*Cache{c, localCache(t)} { // with the cache that made the commit, and with an empty one
		if again := propose(t, cache, r, more); again != second {
			t.Errorf("%s and then %s", second, again)
		}
	}
	more.Last = second
	if again := propose(t, c, r, more); again != second || git(t, s.dir, "rev-parse", agentBranch) != second {
		t.Errorf("%s and then %s", second, again)
	}
	back := proposalFor(head, change("a.mdx", "a"))
	if back.Last = second; propose(t, c, r, back) != git(t, s.dir, "rev-parse", agentBranch) ||
		git(t, s.dir, "diff", "--name-only", head, agentBranch) != "" {
		t.Error("a reverted change is still there")
	}
	// Commits that people added on top are not overwritten.
	git(t, s.dir, "checkout", "-q", agentBranch)
	s.commit(map[string]string{"a.mdx": "theirs"})
	git(t, s.dir, "checkout", "-q", Main)
	if _, err := c.Propose(t.Context(), r, more); !fault.HasCode(err, "branch_moved") {
		t.Errorf("%v", err)
	}
}

// G3: other people's commits on the branch are kept.
func TestForeignCommitsOnTheBranchAreNeverOverwritten(t *testing.T) {
	s, c := newSource(t, map[string]string{"a.mdx": "a"}), localCache(t)
	r, head := Remote{Local: true, URL: s.dir}, git(t, s.dir, "rev-parse", "HEAD")
	foreign := s.commit(map[string]string{"a.mdx": "theirs"})
	git(t, s.dir, "branch", agentBranch)
	_, err := c.Propose(t.Context(), r, proposalFor(head, change("a.mdx", "ours")))
	if !fault.Is(err, fault.Conflict) || !fault.HasCode(err, "branch_moved") {
		t.Errorf("%v", err)
	}
	if got := git(t, s.dir, "rev-parse", agentBranch); got != foreign {
		t.Errorf("the branch moved to %s", got)
	}
	// The commits are kept even if they arrive between our check and our push.
	j, err := c.begin(r)
	if err != nil {
		t.Fatal(err)
	}
	defer j.end()
	other := newSource(t, map[string]string{"a.mdx": "unrelated"})
	b, err := j.newWorkRepo(t.Context(), objectsOf{common: filepath.Join(other.dir, ".git"), format: formatSHA1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	err = b.push(t.Context(), git(t, other.dir, "rev-parse", "HEAD"), foreign, agentBranch, foreign)
	if err == nil || git(t, s.dir, "rev-parse", agentBranch) != foreign {
		t.Errorf("a branch was forced: %v", err)
	}
}

// G3: only our own branches can be written, and no files that configure git.
func TestForbiddenTargetsAreRefused(t *testing.T) {
	s, c := newSource(t, map[string]string{"docs/a.mdx": "a", "docs/dir/b.mdx": "b"}), localCache(t)
	if err := os.Symlink("a.mdx", filepath.Join(s.dir, "docs", "link.mdx")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("dir", filepath.Join(s.dir, "docs", "linked")); err != nil {
		t.Fatal(err)
	}
	git(t, s.dir, "update-index", "--add", "--cacheinfo", "160000,"+git(t, s.dir, "rev-parse", "HEAD")+",docs/module")
	git(t, s.dir, "add", "docs/link.mdx", "docs/linked")
	git(t, s.dir, "commit", "-q", "-m", "links")
	head, before := git(t, s.dir, "rev-parse", "HEAD"), refs(t, s.dir)
	r := Remote{Local: true, URL: s.dir, Folder: "docs"}
	for _, branch := range []string{"", "main", "lectern", "lectern/", "refs/heads/lectern/x", "lectern/../main",
		"feature/lectern/x", "Lectern/x", "lectern/x.lock", "lectern/a:refs/heads/main", "+lectern/x", "lectern/x y"} {
		p := proposalFor(head, change("a.mdx", "A"))
		p.Branch = branch
		if _, err := c.Propose(t.Context(), r, p); !fault.HasCode(err, "bad_branch") {
			t.Errorf("branch %q: %v", branch, err)
		}
	}
	for _, ch := range []draft.Change{
		change(".git/config", "x"), change("x/.GIT/hooks/post-checkout", "x"), change(".gitmodules", "x"),
		change("deep/.gitmodules", "x"), change(".gitattributes", "x"), removal(".gitmodules"),
		change("git~1/config", "x"), change(".git /config", "x"), change(".g\u200cit/config", "x"),
		change(".git::$INDEX_ALLOCATION/config", "x"), change("GITMOD~1", "x"), change(".gitmodules.", "x"),
		change("../README.md", "x"), change("/etc/passwd", "x"), change("a/../../b", "x"), change("", "x"),
		change(".", "x"), change("a\x00b", "x"), change(`a\b`, "x"), change("a\nb", "x"), change("\xff", "x"),
		change("link.mdx", "x"), change("linked/b.mdx", "x"), removal("linked/b.mdx"), change("linked", "x"),
		change("module", "x"), change("module/x", "x"), removal("module"),
		change("dir", "x"), change("a.mdx/b", "x"),
	} {
		if _, err := c.Propose(t.Context(), r, proposalFor(head, ch)); !fault.HasCode(err, "path_not_allowed") &&
			!fault.HasCode(err, "bad_file_name") && !fault.HasCode(err, "bad_change") {
			t.Errorf("path %q: %v", ch.Path, err)
		}
	}
	for name, p := range map[string]Proposal{
		"bad_commit":       proposalFor("main", change("a.mdx", "A")),
		"no_change":        proposalFor(head, change("a.mdx", "a"), removal("gone")),
		"commit_not_found": proposalFor(strings.Repeat("1", 40), change("a.mdx", "A")),
		"bad_change":       proposalFor(head, change("a.mdx", "A"), change("a.mdx", "B")),
	} {
		if _, err := c.Propose(t.Context(), r, p); !fault.HasCode(err, name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if refs(t, s.dir) != before {
		t.Errorf("something was pushed: %s", refs(t, s.dir))
	}
	// A file may replace a folder that the same proposal empties.
	propose(t, c, r, proposalFor(head, removal("dir/b.mdx"), change("dir", "x"), removal("link.mdx")))
}

// C11: a push to a repository on our disk runs none of its programs, whatever its settings.
func TestAPushToADiskRunsNoHooks(t *testing.T) {
	s, c := newSource(t, map[string]string{"a.mdx": "a"}), localCache(t)
	pwned := filepath.Join(t.TempDir(), "pwned")
	hooks := filepath.Join(s.dir, "evil")
	for _, hook := range []string{"pre-receive", "update", "post-receive", "post-update", "reference-transaction",
		"pre-push", "pre-auto-gc", "push-to-checkout", "proc-receive"} {
		s.write(map[string]string{"evil/" + hook: "#!/bin/sh\ntouch " + pwned + "\n"})
	}
	alternate := newSource(t, map[string]string{"x": "x"})
	if err := os.WriteFile(filepath.Join(s.dir, ".git", "objects", "info", "alternates"),
		[]byte(filepath.Join(alternate.dir, ".git", "objects")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"core.hooksPath": hooks,
		"core.alternateRefsCommand": "touch " + pwned + "; true", "core.fsmonitor": "touch " + pwned,
		"receive.autogc": "true", "gc.auto": "1", "gc.autoDetach": "false", "filter.evil.clean": "touch " + pwned} {
		git(t, s.dir, "config", key, value)
	}
	commit := propose(t, c, Remote{Local: true, URL: s.dir},
		proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("a.mdx", "A")))
	if got := git(t, s.dir, "-c", "core.hooksPath=/dev/null", "rev-parse", agentBranch); got != commit {
		t.Errorf("the branch is at %s", got)
	}
	git(t, s.dir, "-c", "core.hooksPath=/dev/null", "update-ref", "-d", "refs/heads/"+agentBranch)
	git(t, s.dir, "config", "receive.procReceiveRefs", "refs/heads") // requires a hook for every branch
	if _, err := c.Propose(t.Context(), Remote{Local: true, URL: s.dir},
		proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("a.mdx", "A"))); !fault.HasCode(err, "push_refused") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(pwned); err == nil {
		t.Error("a program from the repository ran")
	}
}

func TestPushRefusedByHostIsReported(t *testing.T) {
	s, c := newSource(t, map[string]string{"a.mdx": "a"}), localCache(t)
	git(t, s.dir, "branch", "lectern") // so no branch named lectern/… can be created
	_, err := c.Propose(t.Context(), Remote{Local: true, URL: s.dir},
		proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("a.mdx", "A")))
	if !fault.HasCode(err, "push_refused") {
		t.Errorf("%v", err)
	}
}

func TestProposalLeavesNoFilesBehind(t *testing.T) {
	s, c := newSource(t, map[string]string{"a.mdx": "a"}), localCache(t)
	propose(t, c, Remote{Local: true, URL: s.dir}, proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("a.mdx", "A")))
	entries, err := os.ReadDir(c.workFolders())
	if err != nil || len(entries) != 1 || entries[0].Name() != "lock" {
		t.Errorf("%v, %v", entries, err)
	}
	// Folders of dead processes are removed; folders of living processes are kept.
	if err := os.MkdirAll(filepath.Join(c.workFolders(), "bench-dead", "repo.git"), 0o700); err != nil {
		t.Fatal(err)
	}
	live, err := c.newWorkFolder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer live.close()
	if _, err := c.Prune(time.Time{}); err != nil {
		t.Fatal(err)
	}
	entries, _ = os.ReadDir(c.workFolders())
	if len(entries) != 2 || entries[0].Name() != filepath.Base(live.dir) {
		t.Errorf("%v", entries)
	}
}
