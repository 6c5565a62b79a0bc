package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

func mergeOf(base, head string) Merge {
	return Merge{Base: base, Head: head, Message: "Merge", When: proposed}
}

func TestMergeBranch(t *testing.T) {
	c, own := ownRepo(t)
	s := newSource(t, nil)
	disk := localCache(t).Repo(s.dir)
	lines := strings.Repeat("line\n", 20)
	for name, k := range map[string]struct {
		c    *Cache
		r    Repo
		main func(map[string]string) string
	}{
		"own": {c, own, func(f map[string]string) string { return importAll(t, own, "", f) }},
		"on disk": {disk.cache, disk,
			func(f map[string]string) string { git(t, s.dir, "checkout", "-q", "-B", Main); return s.commit(f) }},
	} {
		t.Run(name, func(t *testing.T) {
			base := k.main(map[string]string{"a.mdx": "top\n" + lines + "end\n", "b.mdx": "b\n", "c.mdx": "c\n"})
			head := propose(t, k.c, k.r.Remote("", ""),
				proposalFor(base, change("a.mdx", "TOP\n"+lines+"end\n"), change("new/n.mdx", "n\n"), removal("b.mdx")))
			onward := k.main(map[string]string{"a.mdx": "top\n" + lines + "END\n", "b.mdx": "b\n", "c.mdx": "c\n",
				"d.mdx": "d\n"})
			if name == "on disk" {
				if _, err := k.r.Merge(t.Context(), mergeOf(Main, agentBranch)); !fault.HasCode(err,
					"branch_checked_out") {
					t.Errorf("a branch in use: %v", err)
				}
				git(t, s.dir, "checkout", "-q", "--detach")
			}
			changes, _, err := k.r.Changes(t.Context(), Main, agentBranch, "", Limit{})
			if got := kinds(changes); err != nil || got != "changed a.mdx, removed b.mdx, added new/n.mdx" {
				t.Errorf("%s, %v", got, err)
			}
			var applied string
			m := mergeOf(Main, agentBranch)
			m.Apply = func(_ context.Context, list []draft.Change) error {
				if applied = kinds(list); git(t, k.r.path, "rev-parse", Main) != onward {
					t.Error("the branch moved before its time")
				}
				return nil
			}
			commit, err := k.r.Merge(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			if got := git(t, k.r.path, "log", "-1", "--format=%H %P", Main); got != commit+" "+onward+" "+head ||
				applied != "changed a.mdx, removed b.mdx, added new/n.mdx" {
				t.Errorf("main is %s; applied %s", got, applied)
			}
			if got := git(t, k.r.path, "show", Main+":a.mdx"); got != "TOP\n"+lines+"END" {
				t.Errorf("merged to %q", got)
			}
			// Merging is repeated, the second time after main has moved on.
			for range 2 {
				m.Apply = func(context.Context, []draft.Change) error { return errors.New("applied twice") }
				if again, err := k.r.Merge(t.Context(), m); err != nil || again != commit {
					t.Errorf("%s after %s: %v", again, commit, err)
				}
				git(t, k.r.path, "update-ref", "refs/heads/"+Main,
					git(t, k.r.path, "commit-tree", "-m", "more", "-p", commit, commit+"^{tree}"))
			}
			if got, _, err := k.r.Merged(t.Context(), commit, "", Limit{}); err != nil || kinds(got) != kinds(changes) {
				t.Errorf("%s, %v", kinds(got), err)
			}
		})
	}
}

func kinds(list []draft.Change) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Kind()+" "+c.Path)
	}
	return strings.Join(out, ", ")
}

func TestMergeReportsConflictsByFile(t *testing.T) {
	c, r := ownRepo(t)
	base := importAll(t, r, "docs", map[string]string{"a.mdx": "a\n", "b.mdx": "b\n", "c.mdx": "c\n"})
	remote := r.Remote(Main, "docs")
	propose(t, c, remote, proposalFor(base, change("a.mdx", "ours\n"), removal("b.mdx"), change("c.mdx", "C\n")))
	onward := importAll(t, r, "docs", map[string]string{"a.mdx": "theirs\n", "b.mdx": "B\n", "c.mdx": "c\n"})
	m := mergeOf(Main, agentBranch)
	m.Apply = func(context.Context, []draft.Change) error { return errors.New("applied") }
	_, err := r.Merge(t.Context(), m)
	f, _ := fault.As(err)
	if !fault.Is(err, fault.Conflict) || f.Code != "merge_conflict" || !strings.Contains(f.Public, "docs/a.mdx") ||
		!strings.Contains(f.Public, "docs/b.mdx") || strings.Contains(f.Public, "c.mdx") {
		t.Errorf("%v", err)
	}
	if got := git(t, r.path, "rev-parse", Main); got != onward {
		t.Errorf("main moved to %s", got)
	}
	if _, err := r.Merge(t.Context(), mergeOf(Main, "gone")); !fault.HasCode(err, "branch_not_found") {
		t.Errorf("%v", err)
	}
	other := git(t, r.path, "commit-tree", "-m", "other", onward+"^{tree}")
	git(t, r.path, "update-ref", "refs/heads/unrelated", other)
	if _, err := r.Merge(t.Context(), mergeOf(Main, "unrelated")); !fault.HasCode(err, "merge_conflict") {
		t.Errorf("%v", err)
	}
}

// If the branch moves while a merge is being applied, the new commit is kept and the merge can be retried.
func TestMergeKeepsConcurrentCommits(t *testing.T) {
	c, r := ownRepo(t)
	base := importAll(t, r, "", map[string]string{"a.mdx": "a\n", "z.mdx": "z\n"})
	head := propose(t, c, r.Remote("", ""), proposalFor(base, change("a.mdx", "A\n")))
	m, theirs := mergeOf(Main, agentBranch), ""
	m.Apply = func(context.Context, []draft.Change) error {
		theirs = importAll(t, r, "", map[string]string{"a.mdx": "A\n", "z.mdx": "Z\n"})
		return nil
	}
	if _, err := r.Merge(t.Context(), m); !fault.HasCode(err, "branch_moved") {
		t.Errorf("%v", err)
	}
	commit, err := r.Merge(t.Context(), mergeOf(Main, agentBranch))
	if err != nil || git(t, r.path, "log", "-1", "--format=%P", Main) != theirs+" "+head {
		t.Errorf("%s, %v", commit, err)
	}
	if got, err := r.Import(t.Context(),
		Import{Files: filesOf(nil), Message: "x", When: proposed, KeepMerged: true}); err != nil || got != commit {
		t.Errorf("an import went over a merge: %s, %v", got, err)
	}
	if got := importAll(t, r, "", map[string]string{"a.mdx": "A\n", "z.mdx": "Z\n"}); got != commit {
		t.Errorf("the same files as merged gave %s", got)
	}
}

// C11: merging in a repository on the disk runs none of its programs.
func TestMergeOfHostileRepositoryRunsNoCode(t *testing.T) {
	s, c := newSource(t, map[string]string{"a.mdx": "a\n", "b.mdx": "b\n"}), localCache(t)
	pwned := filepath.Join(t.TempDir(), "pwned")
	base := git(t, s.dir, "rev-parse", "HEAD")
	propose(t, c, Remote{Local: true, URL: s.dir}, proposalFor(base, change("a.mdx", "A\n")))
	s.commit(map[string]string{".gitattributes": "* merge=evil diff=evil filter=evil\n", "a.mdx": "a\nmore\n",
		"c": "c"})
	git(t, s.dir, "checkout", "-q", "--detach")
	s.write(map[string]string{".git/info/attributes": "* merge=evil\n"})
	for _, hook := range []string{"pre-receive", "update", "post-receive", "post-update", "reference-transaction",
		"pre-merge-commit", "post-merge"} {
		s.write(map[string]string{".git/evil/" + hook: "#!/bin/sh\ntouch " + pwned + "\n"})
	}
	for key, value := range map[string]string{"core.hooksPath": filepath.Join(s.dir, ".git", "evil"),
		"merge.evil.driver": "touch " + pwned, "diff.evil.textconv": "touch " + pwned,
		"diff.external": "touch " + pwned, "filter.evil.smudge": "touch " + pwned, "core.fsmonitor": "touch " + pwned,
		"core.alternateRefsCommand": "touch " + pwned} {
		git(t, s.dir, "config", key, value)
	}
	r := c.Repo(s.dir)
	if _, _, err := r.Changes(t.Context(), Main, agentBranch, "", Limit{}); err != nil {
		t.Error(err)
	}
	if _, err := r.Merge(t.Context(), mergeOf(Main, agentBranch)); !fault.HasCode(err, "merge_conflict") {
		t.Errorf("%v", err) // both changed the same lines; a merge driver would have hidden that
	}
	git(t, s.dir, "-c", "core.hooksPath=/dev/null", "update-ref", "refs/heads/"+Main, base)
	if _, err := r.Merge(t.Context(), mergeOf(Main, agentBranch)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(pwned); err == nil {
		t.Error("a program from the repository ran")
	}
}
