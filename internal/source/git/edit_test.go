package git

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func editOf(seen string) Edit {
	return Edit{Branch: agentBranch, Seen: seen, Folder: "docs", Message: "Edit", When: proposed, Author: "Ada <x>",
		Email: "ada@example.com"}
}

func TestPersonEditsABranch(t *testing.T) {
	c, r := ownRepo(t)
	base := importAll(t, r, "docs", map[string]string{"a.mdx": "a\n", "b.mdx": "b\n", "c.mdx": "c\n"})
	head := propose(t, c, r.Remote(Main, "docs"), proposalFor(base, change("a.mdx", "A\n"), removal("b.mdx"),
		change("n.mdx", "n\n")))

	written, err := r.Write(t.Context(), editOf(head), list(change("a.mdx", "better\n")))
	if err != nil {
		t.Fatal(err)
	}
	if got := git(t, r.path, "log", "-1", "--format=%H %P %an %ae %cn %ce %s", agentBranch); got !=
		written+" "+head+" Ada x ada@example.com Lectern lectern@localhost Edit" {
		t.Errorf("the commit is %s", got)
	}
	for name, err := range map[string]error{
		"branch_moved":     second(r.Write(t.Context(), editOf(head), list(change("a.mdx", "late\n")))),
		"no_change":        second(r.Write(t.Context(), editOf(""), list(change("a.mdx", "better\n")))),
		"bad_file_name":    second(r.Write(t.Context(), editOf(""), list(change("../x", "x")))),
		"branch_not_found": second(r.Write(t.Context(), Edit{Branch: "lectern/none"}, list(change("a", "x")))),
	} {
		if !fault.HasCode(err, name) {
			t.Errorf("want %s: %v", name, err)
		}
	}

	undone, err := r.Undo(t.Context(), editOf(written), Main, func(p string) bool { return p != "a.mdx" })
	if err != nil {
		t.Fatal(err)
	}
	changes, at, err := r.Changes(t.Context(), Main, agentBranch, "docs", Limit{})
	if got := kinds(changes); err != nil || got != "changed a.mdx" || at.Commit != undone || at.Behind != 0 {
		t.Errorf("%s, %+v, %v", got, at, err)
	}
	if got := git(t, r.path, "show", agentBranch+":docs/b.mdx"); got != "b" {
		t.Errorf("restored as %q", got)
	}
	if got := git(t, r.path, "show", written+":docs/n.mdx"); got != "n" {
		t.Errorf("the history lost %q", got)
	}
	if err := second(r.Undo(t.Context(), editOf(undone), Main, func(string) bool { return false })); !fault.HasCode(err,
		"no_change") {
		t.Errorf("nothing to undo: %v", err)
	}
}

func TestBranchIsBroughtUpToDate(t *testing.T) {
	c, r := ownRepo(t)
	base := importAll(t, r, "docs", map[string]string{"a.mdx": "a\n", "b.mdx": "b\n"})
	head := propose(t, c, r.Remote(Main, "docs"), proposalFor(base, change("a.mdx", "A\n")))
	if err := second(r.Update(t.Context(), editOf(head), Main)); !fault.HasCode(err, "no_change") {
		t.Errorf("it is not behind: %v", err)
	}
	onward := importAll(t, r, "docs", map[string]string{"a.mdx": "a\n", "b.mdx": "B\n"})
	if _, at, err := r.Changes(t.Context(), Main, agentBranch, "docs", Limit{}); err != nil || at.Behind != 1 {
		t.Errorf("%+v, %v", at, err)
	}
	updated, err := r.Update(t.Context(), editOf(head), Main)
	if err != nil {
		t.Fatal(err)
	}
	if got := git(t, r.path, "log", "-1", "--format=%P", updated); got != head+" "+onward {
		t.Errorf("its parents are %s", got)
	}
	changes, at, err := r.Changes(t.Context(), Main, agentBranch, "docs", Limit{})
	if got := kinds(changes); err != nil || got != "changed a.mdx" || at.Behind != 0 {
		t.Errorf("%s, %+v, %v", got, at, err)
	}
	importAll(t, r, "docs", map[string]string{"a.mdx": "theirs\n", "b.mdx": "B\n"})
	err = second(r.Update(t.Context(), editOf(updated), Main))
	if f, _ := fault.As(err); !fault.HasCode(err, "merge_conflict") || !strings.Contains(f.Public, "docs/a.mdx") {
		t.Errorf("%v", err)
	}
	if got := git(t, r.path, "rev-parse", agentBranch); got != updated {
		t.Errorf("a conflict moved the branch to %s", got)
	}
}

// The author of a merge commit is the person who merges. The message lists the authors of the merged commits, and the
// branch is deleted unless it has further commits.
func TestMergeNamesAuthorsAndDeletesTheBranch(t *testing.T) {
	c, r := ownRepo(t)
	base := importAll(t, r, "", map[string]string{"a.mdx": "a\n"})
	head := propose(t, c, r.Remote(Main, ""), proposalFor(base, change("a.mdx", "A\n")))
	e := editOf(head)
	e.Folder, e.Author, e.Email = "", "Grace", "grace@example.com"
	if _, err := r.Write(t.Context(), e, list(change("b.mdx", "b\n"))); err != nil {
		t.Fatal(err)
	}
	m := mergeOf(Main, agentBranch)
	m.Author, m.Email = "Ada", "ada@example.com"
	if _, err := r.Merge(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := git(t, r.path, "log", "-1", "--format=%an %ae %cn|%B", Main); got != "Ada ada@example.com Lectern|Merge\n\n"+
		"Co-authored-by: Grace <grace@example.com>\nCo-authored-by: Docs agent <agent@example.com>" {
		t.Errorf("the merge is %q", got)
	}
	e.Seen = ""
	if _, err := r.Write(t.Context(), e, list(change("late.mdx", "l\n"))); err != nil {
		t.Fatal(err)
	}
	if err := r.DeleteMerged(t.Context(), agentBranch, Main); err != nil {
		t.Error(err)
	}
	if got := git(t, r.path, "branch", "--list", agentBranch); got == "" {
		t.Error("a branch with another commit was deleted")
	}
	if _, err := r.Merge(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := r.DeleteMerged(t.Context(), agentBranch, Main); err != nil {
			t.Error(err)
		}
	}
	if got := git(t, r.path, "branch", "--list"); strings.Contains(got, agentBranch) {
		t.Errorf("branches are %s", got)
	}
}

func second[T any](_ T, err error) error { return err }

func list[T any](all ...T) []T { return all }
