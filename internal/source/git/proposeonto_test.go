package git

import (
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// G3: a commit for a person's branch is added on top of it. It creates no branch and loses no commits.
func TestProposalOnAPersonsBranchNeedsItAsItWas(t *testing.T) {
	s := newSource(t, map[string]string{"a.mdx": "a", "b.mdx": "b"})
	head := s.commit(nil)
	git(t, s.dir, "branch", "better", head)
	c, r := localCache(t), Remote{Local: true, URL: s.dir}
	p := proposalFor(head, change("a.mdx", "A"))
	p.Branch, p.Existing = "better", true
	commit := propose(t, c, r, p)
	if got := git(t, s.dir, "rev-parse", "better"); got != commit || git(t, s.dir, "rev-parse", "better^") != head {
		t.Errorf("the branch is at %s, not at %s", got, commit)
	}
	if again := propose(t, c, r, p); again != commit {
		t.Errorf("made again it is %s", again)
	}
	moved := proposalFor(head, change("b.mdx", "B"))
	moved.Branch, moved.Existing = "better", true
	if _, err := c.Propose(t.Context(), r, moved); !fault.HasCode(err, "branch_moved") {
		t.Errorf("a branch that moved: %v", err)
	}
	for branch, code := range map[string]string{"gone": "branch_gone", "": "bad_branch", "a..b": "bad_branch"} {
		p.Branch = branch
		if _, err := c.Propose(t.Context(), r, p); !fault.HasCode(err, code) {
			t.Errorf("branch %q: %v", branch, err)
		}
	}
	if list := git(t, s.dir, "for-each-ref", "--format=%(refname:short)", "refs/heads"); list != "better\nmain" {
		t.Errorf("branches: %q", list)
	}
}

// G3: a replacement is forced only over the commit that the caller names.
func TestReplacementIsForcedOverTheNamedCommitOnly(t *testing.T) {
	s, c := newSource(t, map[string]string{"a.mdx": "a", "b.mdx": "b"}), localCache(t)
	r := Remote{Local: true, URL: s.dir}
	first := propose(t, c, r, proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("a.mdx", "A")))
	newest := s.commit(map[string]string{"a.mdx": "main went on"})
	redo := proposalFor(newest, change("a.mdx", "main went on, A"))
	redo.Last, redo.Replace = first, true
	second := propose(t, c, r, redo)
	if got := git(t, s.dir, "rev-list", "--max-count=2", agentBranch); got != second+"\n"+newest {
		t.Errorf("the branch is %q", got)
	}
	for _, cache := range []*Cache{c, localCache(t)} { // with the cache that made the commit, and with an empty one
		if again := propose(t, cache, r, redo); again != second {
			t.Errorf("%s and then %s", second, again)
		}
	}
	redo.Changes = nil
	if _, err := c.Propose(t.Context(), r, redo); !fault.HasCode(err, "no_change") {
		t.Errorf("a replacement by nothing: %v", err)
	}
	// Commits of other people are kept, even if they arrive between our check and our push.
	git(t, s.dir, "checkout", "-q", agentBranch)
	foreign := s.commit(map[string]string{"b.mdx": "theirs"})
	git(t, s.dir, "checkout", "-q", Main)
	redo = proposalFor(newest, change("b.mdx", "B"))
	redo.Last, redo.Replace = second, true
	if _, err := c.Propose(t.Context(), r, redo); !fault.HasCode(err, "branch_moved") {
		t.Errorf("%v", err)
	}
	j, err := c.begin(r)
	if err != nil {
		t.Fatal(err)
	}
	defer j.end()
	b, err := j.newWorkRepo(t.Context(), objectsOf{common: filepath.Join(s.dir, ".git"), format: formatSHA1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if err := b.replace(t.Context(), newest, second, agentBranch, second); !fault.HasCode(err, "branch_moved") {
		t.Errorf("%v", err)
	}
	if got := git(t, s.dir, "rev-parse", agentBranch); got != foreign {
		t.Errorf("the branch moved to %s", got)
	}
}

func TestAheadListsCommitsThatTheBaseDoesNotHave(t *testing.T) {
	s, c := newSource(t, map[string]string{"a.mdx": "a"}), localCache(t)
	r := Remote{Local: true, URL: s.dir, Branch: agentBranch}
	first := propose(t, c, r, proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("a.mdx", "A")))
	s.commit(map[string]string{"later.mdx": "main went on"})
	git(t, s.dir, "checkout", "-q", agentBranch)
	git(t, s.dir, "merge", "-q", "--no-edit", Main)
	merge := git(t, s.dir, "rev-parse", "HEAD")
	git(t, s.dir, "checkout", "-q", Main)
	got, err := c.Ahead(t.Context(), r, merge, Main)
	if err != nil || len(got) != 2 || got[0].ID != merge || got[1].ID != first || got[1].Author != "Docs agent" ||
		got[1].Email != "agent@example.com" || got[1].Message != "Fix links\n\nAll of them.\n" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := c.Ahead(t.Context(), r, first, agentBranch); err != nil || len(got) != 0 {
		t.Errorf("a branch and itself: %+v, %v", got, err)
	}
	git(t, s.dir, "checkout", "-q", "--orphan", "apart")
	s.commit(map[string]string{"a.mdx": "other"})
	if _, err := c.Ahead(t.Context(), r, merge, "apart"); !fault.HasCode(err, "merge_conflict") {
		t.Errorf("no common history: %v", err)
	}
}
