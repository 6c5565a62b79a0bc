package merge_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// member stores a person who is a member of the organization.
func (r *rig) member(name string) account.Member {
	r.t.Helper()
	ctx := context.Background()
	var m account.Member
	r.check(r.Store.Tx(ctx, func(t *store.Tx) (err error) {
		if _, err = t.CreatePerson(ctx, account.Person{Email: strings.ToLower(name) + "@example.com",
			Name: name}); err != nil {
			return err
		}
		m, err = t.AddMember(ctx, r.Organization.ID, strings.ToLower(name)+"@example.com", account.RoleEditor)
		return err
	}))
	return m
}

// suggest stores a comment on lines on the new side of a proposal's file.
func (r *rig) suggest(p proposal.Proposal, by, file string, line int, quote, with string) proposal.Comment {
	r.t.Helper()
	var c proposal.Comment
	r.check(r.Store.Tx(context.Background(), func(t *store.Tx) (err error) {
		c, err = t.CreateProposalComment(context.Background(), proposal.Comment{OrganizationID: p.OrganizationID,
			ProposalID: p.ID, File: file, Side: proposal.New, Line: line, Last: line + strings.Count(quote, "\n"),
			Quote: quote, Body: "Better so.", Suggests: true, Suggestion: with, Commit: "c", Author: by})
		return err
	}))
	return c
}

// log runs git log in a proposal's repository.
func (r *rig) log(p project.Project, args ...string) string {
	r.t.Helper()
	remote, err := r.home.Prepare(r.t.Context(), p)
	r.check(err)
	return testgit.Run(r.t, remote.URL, append([]string{"log"}, args...)...)
}

// A suggested edit is committed in the name of the person who applies it, and a merge in the name of the person who
// merges. The merge commit lists the other authors, and the branch is deleted.
func TestCommitsNameThePersonWhoAppliesOrMerges(t *testing.T) {
	r := newRig(t)
	ada, bob := r.member("Ada"), r.member("Bob")
	dir := worktest.Write(t, map[string]string{"docs/a.mdx": "one\ntwo\nthree\n", "docs/b.mdx": "b\n"})
	p := r.folderProject(dir, "docs")
	made := r.propose(p, change("a.mdx", "one\n2\nthree\n"))
	first := r.suggest(made, bob.ID, "a.mdx", 2, "2", "two\nand more")
	stale := r.suggest(made, bob.ID, "a.mdx", 2, "2", "zwei")
	before, at, err := r.merger.Changes(t.Context(), made.ID)
	r.check(err)

	got, err := r.merger.Apply(t.Context(), made.ID, first.ID, ada.ID, "req_1")
	r.check(err)
	if got.ResolvedBy != ada.ID || len(got.Applied) != 40 {
		t.Errorf("%+v", got)
	}
	if log := r.log(p, "-1", "--format=%H %P %an <%ae> %cn|%B", made.Head); log != got.Applied+" "+at.Commit+
		" Ada <ada@example.com> Lectern|Apply a suggestion to a.mdx\n\nBetter so.\n\nCo-authored-by: Bob <bob@example.com>" {
		t.Errorf("the commit is %q", log)
	}
	if after, _, err := r.merger.Changes(t.Context(), made.ID); err != nil ||
		string(after[0].After) != "one\ntwo\nand more\nthree\n" || string(before[0].After) != "one\n2\nthree\n" {
		t.Errorf("%q, %v", after, err)
	}
	d, err := r.Store.FindDeploymentByID(t.Context(), r.Take(t).TaskID)
	if err != nil || d.Kind != deploy.Preview || d.Branch != made.Head || r.events("proposal.edit") != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	if again, err := r.merger.Apply(t.Context(), made.ID, first.ID, ada.ID, ""); err != nil || again != got {
		t.Errorf("applied again: %+v, %v", again, err)
	}
	_, err = r.merger.Apply(t.Context(), made.ID, stale.ID, ada.ID, "")
	if !fault.HasCode(err, "lines_changed") {
		t.Errorf("the lines have changed: %v", err)
	}

	script := r.suggest(made, bob.ID, "a.mdx", 1, "one", "<script>alert(1)</script>")
	if _, err := r.merger.Apply(t.Context(), made.ID, script.ID, ada.ID, ""); !fault.HasCode(err, "change_blocked") {
		t.Errorf("a script: %v", err)
	}

	merged, err := r.merger.Merge(t.Context(), made.ID, bob.ID, "req_2")
	r.check(err)
	if log := r.log(p, "-1", "--format=%H %an <%ae> %cn|%B", "main"); log != merged.MergeCommit+
		" Bob <bob@example.com> Lectern|Merge proposal 1: Fix things\n\nCo-authored-by: Ada <ada@example.com>" {
		t.Errorf("the merge is %q", log)
	}
	if have := tree(t, dir); have != "docs/a.mdx=one\ntwo\nand more\nthree\n docs/b.mdx=b\n" {
		t.Errorf("the folder has %q", have)
	}
	remote, err := r.home.Prepare(t.Context(), p)
	r.check(err)
	if _, found, err := r.Source.Git.Tip(t.Context(), remote, made.Head); err != nil || found {
		t.Errorf("the branch still exists: %v, %v", found, err)
	}
	if after, end, err := r.merger.Changes(t.Context(), made.ID); err != nil || kinds(after) != "changed a.mdx" ||
		end.Commit != got.Applied {
		t.Errorf("after the merge: %s, %+v, %v", kinds(after), end, err)
	}
	for _, err := range []error{errOf(r.merger.Update(t.Context(), made.ID, ada.ID, "")),
		errOf(r.merger.Keep(t.Context(), made.ID, []string{"a.mdx"}, "", ada.ID, "")),
		only(r.merger.Apply(t.Context(), made.ID, stale.ID, ada.ID, ""))} {
		if !fault.HasCode(err, "wrong_state") {
			t.Errorf("after the merge: %v", err)
		}
	}
}

// The suggested text contains the line that it replaces, so applying it again would not conflict.
func TestSuggestionIsAppliedOnce(t *testing.T) {
	r := newRig(t)
	p := r.folderProject(worktest.Write(t, map[string]string{"a.mdx": "one\n"}), "")
	made := r.propose(p, change("a.mdx", "one\n2\n"))
	c := r.suggest(made, "key_1", "a.mdx", 2, "2", "2\nmore")
	const calls = 3
	var applied [calls]string
	var errs [calls]error
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			got, err := r.merger.Apply(t.Context(), made.ID, c.ID, "key_1", "")
			applied[i], errs[i] = got.Applied, err
		})
	}
	all.Wait()
	for i, err := range errs {
		r.check(err)
		if applied[i] == "" || applied[i] != applied[0] {
			t.Errorf("the commits are %q", applied)
		}
	}
	got, _, err := r.merger.Changes(t.Context(), made.ID)
	if err != nil || string(got[0].After) != "one\n2\nmore\n" || r.events("proposal.edit") != 1 {
		t.Errorf("%q, %v, %d audit records", got[0].After, err, r.events("proposal.edit"))
	}
}

func TestCommitIsRecordedAfterCallerDisconnects(t *testing.T) {
	r := newRig(t)
	p := r.folderProject(worktest.Write(t, map[string]string{"a.mdx": "one\n"}), "")
	made := r.propose(p, change("a.mdx", "one\n2\n"))
	c := r.suggest(made, "key_1", "a.mdx", 2, "2", "two")
	ctx, leave := context.WithCancel(t.Context())
	var asked int
	r.merger.Now = func() time.Time {
		if asked++; asked == 2 { // the first call is for the commit, the second for its record
			leave()
		}
		return r.Now()
	}
	got, err := r.merger.Apply(ctx, made.ID, c.ID, "key_1", "")
	r.check(err)
	if ctx.Err() == nil || got.Applied == "" || r.events("proposal.edit") != 1 {
		t.Errorf("%v, %+v", ctx.Err(), got)
	}
}

// The organization's secrets are detected, and hosts that the docs already mention are allowed.
func TestSuggestionsAreScannedLikeAgentChanges(t *testing.T) {
	r := newRig(t)
	p := r.folderProject(worktest.Write(t, map[string]string{"docs/a.mdx": "one\n",
		"docs/b.mdx": "See https://known.acme.dev.\n"}), "docs")
	made := r.propose(p, change("a.mdx", "one\n2\n3\n"))
	r.merger.Rules.RefuseNewHosts = true
	r.merger.Secrets = func(_ context.Context, organizationID string) ([]string, error) {
		if organizationID != p.OrganizationID {
			t.Errorf("listed the secrets of %s", organizationID)
		}
		return []string{"correct horse battery"}, nil
	}
	for _, c := range []struct{ with, code string }{
		{"It is correct horse battery.", "change_blocked"},
		{"See https://unknown.acme.dev/x.", "change_blocked"},
		{"See https://known.acme.dev/x.", ""},
	} {
		made := r.suggest(made, "key_1", "a.mdx", 2, "2", c.with)
		_, err := r.merger.Apply(t.Context(), made.ProposalID, made.ID, "key_1", "")
		if (err == nil) != (c.code == "") || err != nil && !fault.HasCode(err, c.code) {
			t.Errorf("%s: %v", c.with, err)
		}
	}
}

func only[T any](_ T, err error) error { return err }

// Some files are kept, the others are reverted, and the history still has all the changes.
func TestKeepRevertsOtherFiles(t *testing.T) {
	r := newRig(t)
	const page = "---\ntitle: Page\n---\n\nOne.\n"
	dir := worktest.Write(t, map[string]string{"a.mdx": "a\n", "b.mdx": "b\n", "old.mdx": page, "c.mdx": "c\n"})
	p := r.folderProject(dir, "")
	made := r.propose(p, change("a.mdx", "A\n"), change("b.mdx", "B\n"), draft.Change{Path: "old.mdx"},
		change("new.mdx", page+"Two.\n"), draft.Change{Path: "c.mdx"}, change("d.mdx", "d\n"))
	_, at, err := r.merger.Changes(t.Context(), made.ID)
	r.check(err)
	for name, try := range map[string]struct {
		files []string
		seen  string
		code  string
	}{
		"none":           {nil, at.Commit, "invalid_field"},
		"unknown":        {[]string{"x.mdx"}, at.Commit, "invalid_field"},
		"another commit": {[]string{"a.mdx"}, strings.Repeat("a", 40), "branch_moved"},
		"all":            {[]string{"a.mdx", "b.mdx", "c.mdx", "d.mdx", "new.mdx"}, at.Commit, "no_change"},
	} {
		if _, err := r.merger.Keep(t.Context(), made.ID, try.files, try.seen, "key_1", ""); !fault.HasCode(err, try.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = r.merger.Keep(t.Context(), made.ID, []string{"a.mdx", "new.mdx"}, at.Commit, "key_1", "req_1")
	r.check(err)
	if got, _, err := r.merger.Changes(t.Context(), made.ID); err != nil || kinds(got) != "changed a.mdx, renamed new.mdx" {
		t.Errorf("%s, %v", kinds(got), err)
	}
	r.merge(made)
	if have := tree(t, dir); have != "a.mdx=A\n b.mdx=b\n c.mdx=c\n new.mdx="+page+"Two.\n" {
		t.Errorf("the folder has %q", have)
	}
	if log := r.log(p, "--format=%H", "main"); !strings.Contains(log, at.Commit) || r.events("proposal.keep") != 1 {
		t.Errorf("the history lacks the reverted changes: %s", log)
	}
}

func TestUpdateMergesBaseIntoProposal(t *testing.T) {
	r := newRig(t)
	dir := worktest.Write(t, map[string]string{"a.mdx": "a\n", "b.mdx": "b\n"})
	p := r.folderProject(dir, "")
	made := r.propose(p, change("a.mdx", "A\n"))
	worktest.Rewrite(t, dir, map[string]string{"b.mdx": "B\n"})
	_, err := r.merger.Update(t.Context(), made.ID, "key_1", "req_1")
	r.check(err)
	if got, at, err := r.merger.Changes(t.Context(), made.ID); err != nil || kinds(got) != "changed a.mdx" || at.Behind != 0 {
		t.Errorf("%s, %+v, %v", kinds(got), at, err)
	}
	if _, err := r.merger.Update(t.Context(), made.ID, "key_1", ""); !fault.HasCode(err, "no_change") {
		t.Errorf("the proposal is already up to date: %v", err)
	}
	worktest.Rewrite(t, dir, map[string]string{"a.mdx": "theirs\n"})
	_, err = r.merger.Update(t.Context(), made.ID, "key_1", "")
	if f, _ := fault.As(err); !fault.HasCode(err, "merge_conflict") || !strings.Contains(f.Public, "a.mdx") {
		t.Errorf("%v", err)
	}
	if n := r.events("proposal.update"); n != 1 {
		t.Errorf("%d audit records", n)
	}
}

// The branch of a running agent is not changed, because the agent's next push must find its own last commit at the head
// of the branch.
func TestBranchOfRunningAgentIsNotChanged(t *testing.T) {
	r := newRig(t)
	p := r.folderProject(worktest.Write(t, map[string]string{"a.mdx": "a\n"}), "")
	made := r.propose(p, change("a.mdx", "A\n"))
	ctx := t.Context()
	r.check(r.Store.Tx(ctx, func(t *store.Tx) error {
		_, err := t.CreateAgentJob(ctx, agentjob.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Model: "builtin"},
			agentjob.Entry{Kind: agentjob.Prompt, Text: "fix", Author: "key_1"})
		return err
	}))
	_, err := r.Store.RecordAgent(ctx, r.Take(t), worktest.Lease, store.AgentProgress{Ref: made.Head})
	r.check(err)
	c := r.suggest(made, "key_1", "a.mdx", 1, "A", "B")
	for _, err := range []error{errOf(r.merger.Update(ctx, made.ID, "key_1", "")),
		only(r.merger.Apply(ctx, made.ID, c.ID, "key_1", "")),
		errOf(r.merger.Keep(ctx, made.ID, []string{"a.mdx"}, "", "key_1", ""))} {
		if !fault.HasCode(err, "agent_working") {
			t.Errorf("%v", err)
		}
	}
}
