package merge_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/merge"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

const branch = "lectern/fix-abcdefghij"

// rig is a test environment with an embedded code host.
type rig struct {
	*worktest.Env
	t      testing.TB
	home   *local.Home
	merger *merge.Merger
}

func newRig(t testing.TB) *rig {
	t.Helper()
	b := worktest.New(t)
	home := &local.Home{Git: b.Source.Git, Dir: b.Source.Own, Source: b.Source, Scratch: b.Scratch.Folder,
		Proposals: merge.Ledger{Store: b.Store, Now: b.Now},
		Link: func(project, id string) string {
			return "http://localhost/dashboard/projects/" + project + "/proposals/" + id
		}, Now: b.Now}
	return &rig{Env: b, t: t, home: home,
		merger: &merge.Merger{Store: b.Store, Home: home, Local: localdir.Anywhere, Now: b.Now}}
}

// fetch writes the newest state of a branch into a new folder and returns its commit and branch.
func (r *rig) fetch(p project.Project, branch string) (dir, commit, from string) {
	r.t.Helper()
	src, err := r.Source.Fetch(context.Background(), p, branch, r.t.TempDir(), nil)
	r.check(err)
	dir = r.t.TempDir()
	r.check(errors.Join(os.CopyFS(dir, src.FS), src.Close()))
	return dir, src.Commit, src.Branch
}

// propose pushes changes based on the newest state of the project and opens a proposal for them.
func (r *rig) propose(p project.Project, changes ...draft.Change) proposal.Proposal {
	r.t.Helper()
	return r.proposeFrom(branch, p, changes...)
}

func (r *rig) proposeFrom(head string, p project.Project, changes ...draft.Change) proposal.Proposal {
	r.t.Helper()
	ctx := context.Background()
	remote, err := r.home.Prepare(ctx, p)
	r.check(err)
	snap, err := r.Source.Git.Checkout(ctx, remote, "", r.t.TempDir())
	r.check(err)
	_, err = r.Source.Git.Propose(ctx, remote,
		git.Proposal{Parent: snap.Commit, Branch: head, Message: "Fix", Changes: changes, When: r.Now()})
	r.check(err)
	got, err := r.home.Host(p, remote).Open(ctx, pull.Request{Title: "Fix things", Head: head, Base: snap.Branch})
	r.check(err)
	made, err := r.Store.FindProposalByNumber(ctx, p.ID, got.Number)
	r.check(err)
	return made
}

func (r *rig) check(err error) {
	r.t.Helper()
	if err != nil {
		f, _ := fault.As(err)
		r.t.Fatalf("%v (%+v)", err, f)
	}
}

func (r *rig) merge(p proposal.Proposal) proposal.Proposal {
	r.t.Helper()
	got, err := r.merger.Merge(context.Background(), p.ID, "key_1", "req_1")
	r.check(err)
	return got
}

func change(p, text string) draft.Change { return draft.Change{Path: p, After: []byte(text)} }

func kinds(list []draft.Change) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Kind()+" "+c.Path)
	}
	return strings.Join(out, ", ")
}

// tree returns the files below dir as "path=text" lines, without Git's own files.
func tree(t testing.TB, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			if err == nil && d.IsDir() {
				return filepath.SkipDir
			}
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		if d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(p)
		out = append(out, fmt.Sprintf("%s=%s", rel, text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}
