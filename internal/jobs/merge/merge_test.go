package merge_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// agentJob stores a completed agent job for the branch; its pull request is the project's first proposal.
func (r *rig) agentJob(p project.Project, head string) agentjob.Job {
	r.t.Helper()
	ctx := context.Background()
	var j agentjob.Job
	r.check(r.Store.Tx(ctx, func(t *store.Tx) (err error) {
		j, err = t.CreateAgentJob(ctx, agentjob.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID,
			Model: "builtin"}, agentjob.Entry{Kind: agentjob.Prompt, Text: "fix", Author: "key_1"})
		return err
	}))
	h := r.Take(r.t)
	_, err := r.Store.RecordAgent(ctx, h, worktest.Lease,
		store.AgentProgress{Ref: head, PRNumber: 1, PRState: agentjob.PullOpen})
	r.check(err)
	r.check(r.Store.CompleteAgentJob(ctx, h, 1, agentjob.Changed))
	return j
}

func (r *rig) events(action string) (n int) {
	r.t.Helper()
	list, err := r.Store.ListEvents(context.Background(), r.Organization.ID, 0, 1000)
	r.check(err)
	for _, e := range list {
		if e.Action == action {
			n++
		}
	}
	return n
}

// J1: merged changes are in the folder, and everything that follows from the merge is recorded in one transaction and
// only once.
func TestMergeWritesTheProposalToTheFolder(t *testing.T) {
	r := newRig(t)
	dir := worktest.Write(t, map[string]string{"README.md": "outer", "docs/index.mdx": "one\n", "docs/gone/x.mdx": "x",
		"docs/run.sh": "#!/bin/sh\n", "docs/.git/config": "[x]"})
	if err := os.Chmod(filepath.Join(dir, "docs", "run.sh"), 0o750); err != nil {
		t.Fatal(err)
	}
	p := r.folderProject(dir, "docs")
	job := r.agentJob(p, branch)
	made := r.propose(p, change("index.mdx", "two\n"), change("new/page.mdx", "n\n"), draft.Change{Path: "gone/x.mdx"},
		change("run.sh", "#!/bin/bash\n"))
	worktest.Rewrite(t, dir, map[string]string{"docs/meanwhile.mdx": "m\n"})

	changes, _, err := r.merger.Changes(t.Context(), made.ID)
	if got := kinds(changes); err != nil ||
		got != "removed gone/x.mdx, changed index.mdx, added new/page.mdx, changed run.sh" {
		t.Fatalf("%s, %v", got, err)
	}
	got := r.merge(made)
	if got.State != proposal.Merged || got.DecidedBy != "key_1" || len(got.MergeCommit) != 40 {
		t.Errorf("%+v", got)
	}
	want := "README.md=outer docs/index.mdx=two\n docs/meanwhile.mdx=m\n docs/new/page.mdx=n\n docs/run.sh=#!/bin/bash\n"
	if have := tree(t, dir); have != want {
		t.Errorf("the folder has %q", have)
	}
	if info, err := os.Stat(filepath.Join(dir, "docs", "run.sh")); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "docs", "gone")); err == nil {
		t.Error("an empty folder was left behind")
	}
	if again := r.merge(made); again != got {
		t.Errorf("merged again: %+v", again)
	}
	after, err := r.Store.FindAgentJobByID(t.Context(), job.ID)
	if err != nil || after.PRState != agentjob.PullMerged {
		t.Errorf("the job's pull request is %q, %v", after.PRState, err)
	}
	h := r.Take(t)
	d, err := r.Store.FindDeploymentByID(t.Context(), h.TaskID)
	if err != nil || d.Kind != deploy.Production || d.Trigger != "merge" || d.ProjectID != p.ID {
		t.Errorf("%+v, %v", d, err)
	}
	if n := r.events("proposal.merge"); n != 1 {
		t.Errorf("%d audit records", n)
	}
	if got, _, err := r.merger.Changes(t.Context(), made.ID); err != nil || kinds(got) != kinds(changes) {
		t.Errorf("changes after the merge: %s, %v", kinds(got), err)
	}
	if _, err := r.merger.Close(t.Context(), made.ID, "key_1", ""); !fault.Is(err, fault.Conflict) {
		t.Errorf("a merged proposal was closed: %v", err)
	}
}

func (r *rig) folderProject(dir, docs string) project.Project {
	r.t.Helper()
	p := r.Project(r.t, "docs.example.com", project.Source{Path: dir})
	if docs == "" {
		return p
	}
	p.DocsFolder = docs
	r.check(r.Store.Tx(context.Background(),
		func(t *store.Tx) (err error) { p, err = t.UpdateProject(context.Background(), p); return err }))
	return p
}

func TestConflictNamesFilesAndWritesNothing(t *testing.T) {
	r := newRig(t)
	dir := worktest.Write(t, map[string]string{"a.mdx": "a\n", "b.mdx": "b\n"})
	p := r.folderProject(dir, "")
	job := r.agentJob(p, branch)
	made := r.propose(p, change("a.mdx", "ours\n"), change("b.mdx", "B\n"))
	worktest.Rewrite(t, dir, map[string]string{"a.mdx": "theirs\n"})
	before := tree(t, dir)
	_, err := r.merger.Merge(t.Context(), made.ID, "key_1", "req_1")
	if f, ok := fault.As(err); !ok || f.Kind != fault.Conflict || f.Code != "merge_conflict" ||
		!strings.Contains(f.Public, "a.mdx") || strings.Contains(f.Public, "b.mdx") {
		t.Errorf("%v", err)
	}
	if tree(t, dir) != before || r.events("proposal.merge") != 0 {
		t.Errorf("something was written: %s", tree(t, dir))
	}
	for range 2 {
		if got, err := r.merger.Close(t.Context(), made.ID, "key_2", "req_2"); err != nil ||
			got.State != proposal.Closed || got.DecidedBy != "key_2" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if after, err := r.Store.FindAgentJobByID(t.Context(), job.ID); err != nil ||
		after.PRState != agentjob.PullClosed || r.events("proposal.close") != 1 {
		t.Errorf("the job's pull request is %q, %v", after.PRState, err)
	}
	if _, err := r.merger.Merge(t.Context(), made.ID, "key_1", ""); !fault.HasCode(err, "wrong_state") {
		t.Errorf("a closed proposal was merged: %v", err)
	}
	if got, _, err := r.merger.Changes(t.Context(), made.ID); err != nil || len(got) != 2 {
		t.Errorf("%s, %v", kinds(got), err)
	}
	for _, err := range []error{errOf(r.merger.Merge(t.Context(), "pp_none", "k", "")),
		errOf(r.merger.Close(t.Context(), "pp_none", "k", ""))} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%v", err)
		}
	}
}

func errOf(_ proposal.Proposal, err error) error { return err }

// G7: if the server dies between any two steps of a merge, the next attempt has the same result.
func TestMergeResumesAfterACrash(t *testing.T) {
	site := map[string]string{"a.mdx": "a\n", "b.mdx": "b\n", "c.mdx": "c\n"}
	const want = "a.mdx=A\n c.mdx=c\n n.mdx=n\n"
	for name, crash := range map[string]func(r *rig, dir string, p project.Project, made proposal.Proposal){
		"some files were written": func(r *rig, dir string, _ project.Project, _ proposal.Proposal) {
			worktest.Rewrite(r.t, dir, map[string]string{"a.mdx": "A\n"})
		},
		"a file was half written": func(r *rig, dir string, _ project.Project, _ proposal.Proposal) {
			worktest.Rewrite(r.t, dir, map[string]string{".n.mdx.lectern-new": "ha"})
		},
		"all files were written": func(r *rig, dir string, _ project.Project, _ proposal.Proposal) {
			worktest.Rewrite(r.t, dir, map[string]string{"a.mdx": "A\n", "n.mdx": "n\n"})
			r.check(os.Remove(filepath.Join(dir, "b.mdx")))
		},
		"the branch was merged": func(r *rig, dir string, p project.Project, made proposal.Proposal) {
			worktest.Rewrite(r.t, dir, map[string]string{"a.mdx": "A\n", "n.mdx": "n\n"})
			r.check(os.Remove(filepath.Join(dir, "b.mdx")))
			repo, err := r.home.Repo(t.Context(), p)
			r.check(err)
			_, err = repo.Merge(context.Background(),
				git.Merge{Base: made.Base, Head: made.Head, Message: "Merge", When: r.Now()})
			r.check(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			dir := worktest.Write(t, site)
			p := r.folderProject(dir, "")
			made := r.propose(p, change("a.mdx", "A\n"), change("n.mdx", "n\n"), draft.Change{Path: "b.mdx"})
			crash(r, dir, p, made)
			got := r.merge(made)
			have := strings.ReplaceAll(tree(t, dir), ".n.mdx.lectern-new=ha ", "")
			if have != want || got.State != proposal.Merged || r.events("proposal.merge") != 1 {
				t.Errorf("the folder has %q, the proposal is %+v", have, got)
			}
			if got, _, err := r.merger.Changes(t.Context(), made.ID); err != nil ||
				kinds(got) != "changed a.mdx, removed b.mdx, added n.mdx" {
				t.Errorf("changes: %s, %v", kinds(got), err)
			}
			// The next import contains only the merge itself.
			remote, err := r.home.Prepare(t.Context(), p)
			r.check(err)
			if name != "a file was half written" {
				if tip, _, err := r.Source.Git.Tip(t.Context(), remote, git.Main); err != nil ||
					tip != got.MergeCommit {
					t.Errorf("main is at %s and not at %s, %v", tip, got.MergeCommit, err)
				}
			}
		})
	}
}

func TestProposalsOfOneFolderAreMergedSequentially(t *testing.T) {
	r := newRig(t)
	dir := worktest.Write(t, map[string]string{"a.mdx": "1\n2\n3\n4\n5\n6\n7\n8\n9\n"})
	p := r.folderProject(dir, "")
	first := r.proposeFrom("lectern/one-aaaaaaaaaa", p, change("a.mdx", "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n"))
	second := r.proposeFrom("lectern/two-bbbbbbbbbb", p, change("a.mdx", "1\n2\n3\n4\n5\n6\n7\n8\nNINE\n"))
	var both sync.WaitGroup
	for _, one := range []proposal.Proposal{first, second, first, second} {
		both.Go(func() {
			if _, err := r.merger.Merge(context.Background(), one.ID, "key_1", ""); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if have := tree(t, dir); have != "a.mdx=ONE\n2\n3\n4\n5\n6\n7\n8\nNINE\n" || r.events("proposal.merge") != 2 {
		t.Errorf("the folder has %q", have)
	}
}

func TestMergeCopiesBuiltInDocsToProject(t *testing.T) {
	for _, crashed := range []bool{false, true} {
		r := newRig(t)
		p := r.Project(t, "docs.localhost", project.Source{Repository: project.BuiltIn})
		made := r.propose(p, change("index.mdx", "# Ours\n"))
		if preview, _, from := r.fetch(p, branch); from != branch ||
			!strings.Contains(tree(t, preview), "index.mdx=# Ours\n") {
			t.Errorf("the preview is %q of branch %q", tree(t, preview), from)
		}
		if crashed { // the server crashed after moving the branch, before recording it; then someone starts another job
			repo, err := r.home.Repo(t.Context(), p)
			r.check(err)
			_, err = repo.Merge(t.Context(),
				git.Merge{Base: made.Base, Head: made.Head, Message: "Merge", When: r.Now()})
			r.check(err)
			_, err = r.home.Prepare(t.Context(), p)
			r.check(err)
		}
		got := r.merge(made)
		p, err := r.Store.FindProjectByID(t.Context(), p.ID)
		if err != nil || p.Source != (project.Source{Repository: project.Own, Branch: git.Main}) ||
			len(p.Domains) != 1 {
			t.Fatalf("%+v, %v", p, err)
		}
		if dst, commit, _ := r.fetch(p, ""); commit != got.MergeCommit ||
			!strings.Contains(tree(t, dst), "index.mdx=# Ours\n") {
			t.Errorf("commit %s: %q", commit, tree(t, dst))
		}
		if head, err := r.Source.Head(t.Context(), p); err != nil || head != got.MergeCommit {
			t.Errorf("%s, %v", head, err)
		}
		next := r.merge(r.proposeFrom("lectern/next-cccccccccc", p, change("two.mdx", "# Two\n")))
		if head, err := r.Source.Head(t.Context(), p); err != nil || head != next.MergeCommit {
			t.Errorf("%s, %v", head, err)
		}
	}
}

func TestRepositoryOnDiskIsMergedInPlace(t *testing.T) {
	r := newRig(t)
	dir := worktest.Write(t, map[string]string{"docs/a.mdx": "a\n"})
	testgit.Run(t, dir, "init", "-q", "-b", "trunk")
	testgit.Run(t, dir, "add", "-A")
	testgit.Run(t, dir, "commit", "-q", "-m", "first")
	p := r.Project(t, "docs.example.com", project.Source{Repository: "file://" + dir})
	made := r.propose(p, change("docs/a.mdx", "A\n"))
	if made.Base != "trunk" {
		t.Errorf("the base is %s", made.Base)
	}
	if _, err := r.merger.Merge(t.Context(), made.ID, "key_1", ""); !fault.Is(err, fault.Conflict) ||
		!fault.HasCode(err, "branch_checked_out") {
		t.Errorf("merge into a checked-out branch: %v", err)
	}
	if now, err := r.Store.FindProposal(t.Context(), made.ID); err != nil || now.State != proposal.Open {
		t.Errorf("%+v, %v", now, err)
	}
	testgit.Run(t, dir, "checkout", "-q", "--detach")
	got := r.merge(made)
	if testgit.Run(t, dir, "rev-parse", "trunk") != got.MergeCommit ||
		testgit.Run(t, dir, "show", "trunk:docs/a.mdx") != "A" {
		t.Errorf("trunk is at %s, not at %s", testgit.Run(t, dir, "rev-parse", "trunk"), got.MergeCommit)
	}
	// A manual merge counts as well.
	testgit.Run(t, dir, "checkout", "-q", "trunk")
	second := r.proposeFrom("lectern/hand-dddddddddd", p, change("docs/b.mdx", "b\n"))
	testgit.Run(t, dir, "merge", "-q", "--no-edit", second.Head)
	if got := r.merge(second); got.State != proposal.Merged ||
		got.MergeCommit != testgit.Run(t, dir, "rev-parse", "trunk") {
		t.Errorf("%+v", got)
	}
	if got, _, err := r.merger.Changes(t.Context(), second.ID); err != nil || kinds(got) != "added docs/b.mdx" {
		t.Errorf("changes: %s, %v", kinds(got), err)
	}
}

// C10: a proposal cannot write to the server's own data, even if that is inside the source.
func TestMergeDoesNotWriteServerData(t *testing.T) {
	r := newRig(t)
	dir := worktest.Write(t, map[string]string{"a.mdx": "a\n", "data/secret": "s"})
	r.Source.Private = filepath.Join(dir, "data")
	r.merger.Private = r.Source.Private
	p := r.folderProject(dir, "")
	made := r.propose(p, change("a.mdx", "A\n"), change("data/deep/new.key", "x"))
	if _, err := r.merger.Merge(t.Context(), made.ID, "key_1", ""); !fault.HasCode(err, "private_source") {
		t.Errorf("%v", err)
	}
	if have := tree(t, dir); have != "a.mdx=a\n data/secret=s" {
		t.Errorf("the folder has %q", have)
	}
}

func TestProjectWithExternalCodeHostIsNotMerged(t *testing.T) {
	r := newRig(t)
	p := r.folderProject(worktest.Write(t, map[string]string{"a.mdx": "a\n"}), "")
	made := r.propose(p, change("a.mdx", "A\n"))
	p.Source = project.Source{Repository: "https://git.example.com/a.git"}
	r.check(r.Store.Tx(t.Context(),
		func(tx *store.Tx) error { _, err := tx.UpdateProject(t.Context(), p); return err }))
	if _, err := r.merger.Merge(t.Context(), made.ID, "key_1", ""); !fault.HasCode(err, "has_code_host") {
		t.Errorf("%v", err)
	}
}

// Git detects renames. The folder gets the new files and loses the old ones.
func TestRenamesAreShownAsRenames(t *testing.T) {
	r := newRig(t)
	const page = "---\ntitle: Page\n---\n\nOne.\n\nTwo.\n"
	dir := worktest.Write(t, map[string]string{"docs/a.mdx": page, "docs/same.mdx": "s\n", "docs/other.mdx": "o\n"})
	p := r.folderProject(dir, "docs")
	made := r.propose(p, draft.Change{Path: "a.mdx"}, change("new/b.mdx", page+"\nThree.\n"),
		draft.Change{Path: "same.mdx"}, change("new/same.mdx", "s\n"), draft.Change{Path: "other.mdx"},
		change("unlike.mdx", "u\n"))
	list, _, err := r.merger.Changes(t.Context(), made.ID)
	if got := kinds(list); err != nil ||
		got != "renamed new/b.mdx, renamed new/same.mdx, removed other.mdx, added unlike.mdx" {
		t.Fatalf("%s, %v", got, err)
	}
	if list[0].From != "a.mdx" || list[1].From != "same.mdx" || string(list[0].Before) != page {
		t.Errorf("%q", list)
	}
	r.merge(made)
	if got, want := tree(t, dir), "docs/new/b.mdx="+page+"\nThree.\n docs/new/same.mdx=s\n docs/unlike.mdx=u\n"; got != want {
		t.Errorf("the folder has %q", got)
	}
	if after, _, err := r.merger.Changes(t.Context(), made.ID); err != nil || kinds(after) != kinds(list) {
		t.Errorf("changes after the merge: %s, %v", kinds(after), err)
	}
}
