package git

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Edit is a commit by a person on a branch of a repository.
type Edit struct {
	Branch  string
	Seen    string // commit that the branch must be at; "" = any
	Folder  string // docs folder, which the changes' paths are relative to
	Message string
	When    time.Time
	Author  string // "" = Lectern
	Email   string // "" = a placeholder address
}

func (e Edit) stamp() stamp {
	return stamp{message: e.Message, author: e.Author, email: e.Email, when: e.When, ownCommitter: true}
}

// edit makes a commit on the branch and pushes it. makeTree returns the tree and any additional parents. A tree
// equal to the previous one is a no_change fault, unless there is an additional parent. Faults: branch_not_found,
// branch_moved.
func (r Repo) edit(ctx context.Context, e Edit,
	makeTree func(ctx context.Context, b *workRepo, head string) (tree string, parents []string, err error)) (commit string,
	err error) {
	err = r.withWorkRepo(ctx, e.Folder, func(ctx context.Context, b *workRepo) error {
		head, found, err := b.j.tip(ctx, e.Branch)
		switch {
		case err != nil:
			return err
		case !found:
			return noBranch(e.Branch)
		case e.Seen != "" && e.Seen != head:
			return branchMoved(e.Branch)
		}
		tree, parents, err := makeTree(ctx, b, head)
		if err != nil {
			return err
		}
		before, err := b.resolve(ctx, head+"^{tree}")
		if err != nil {
			return err
		}
		if tree == before && len(parents) == 0 {
			return errNoChange
		}
		if commit, err = b.commit(ctx, tree, e.stamp(), append([]string{head}, parents...)...); err != nil {
			return err
		}
		return b.push(ctx, commit, head, e.Branch, head)
	})
	if err != nil {
		return "", err
	}
	return commit, nil
}

// Write commits changes to a branch. It uses only Path and After of the changes.
func (r Repo) Write(ctx context.Context, e Edit, changes []draft.Change) (commit string, err error) {
	for _, c := range changes {
		if err := checkChange(c.Path); err != nil {
			return "", err
		}
	}
	return r.edit(ctx, e, func(ctx context.Context, b *workRepo, head string) (string, []string, error) {
		tree, err := b.stage(ctx, head, changes)
		return tree, nil, err
	})
}

// Undo commits the state that files had when the branch diverged from base. It calls undo for each file that the branch
// changed, to select the files. Paths are relative to the docs folder; paths of files elsewhere begin with "../".
func (r Repo) Undo(ctx context.Context, e Edit, base string, undo func(path string) bool) (commit string, err error) {
	folder, err := cleanFolder(e.Folder)
	if err != nil {
		return "", err
	}
	return r.edit(ctx, e, func(ctx context.Context, b *workRepo, head string) (string, []string, error) {
		into, found, err := b.j.tip(ctx, base)
		if err == nil && !found {
			err = noBranch(base)
		}
		if err != nil {
			return "", nil, err
		}
		fork, err := b.mergeBase(ctx, into, head)
		if err != nil {
			return "", nil, err
		}
		deltas, err := b.deltas(ctx, fork, head, splitRenames, Limit{}.orDefault().Files)
		if err != nil {
			return "", nil, err
		}
		var removed, restored strings.Builder // removals first: a file may replace a folder
		for _, d := range deltas {
			switch {
			case !undo(below(folder, d.path)):
			case d.before.gone():
				fmt.Fprintf(&removed, "0 %s 0\t%s\x00", d.before.id, d.path)
			default:
				fmt.Fprintf(&restored, "%s %s 0\t%s\x00", d.before.mode, d.before.id, d.path)
			}
		}
		tree, err := b.treeWith(ctx, head, removed.String()+restored.String())
		return tree, nil, err
	})
}

// treeWith returns the tree of a commit after changes to the index, given as input lines of git update-index.
func (b *workRepo) treeWith(ctx context.Context, commit, lines string) (string, error) {
	if _, err := b.run(ctx, nil, nil, "read-tree", commit); err != nil {
		return "", err
	}
	if _, err := b.run(ctx, nil, strings.NewReader(lines), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := b.run(ctx, nil, nil, "write-tree")
	if err != nil {
		return "", err
	}
	return b.id(out)
}

// Update merges base into a branch that is behind it, so that no commit is lost or rewritten. A branch that already
// contains base is a no_change fault; merge_conflict lists the files.
func (r Repo) Update(ctx context.Context, e Edit, base string) (commit string, err error) {
	return r.edit(ctx, e, func(ctx context.Context, b *workRepo, head string) (string, []string, error) {
		into, found, err := b.j.tip(ctx, base)
		if err == nil && !found {
			err = noBranch(base)
		}
		if err != nil {
			return "", nil, err
		}
		fork, err := b.mergeBase(ctx, into, head)
		switch {
		case err != nil:
			return "", nil, err
		case fork == "":
			return "", nil, noCommonHistory(base, e.Branch)
		case fork == into:
			return "", nil, fault.Newf(fault.Conflict, "no_change", "The branch already has the newest state of %s.", base)
		}
		tree, err := b.mergeTree(ctx, base, head, into)
		return tree, []string{into}, err
	})
}

// DeleteMerged deletes a branch if all its commits are in base. A branch with other commits is kept, and a missing
// branch is not an error.
func (r Repo) DeleteMerged(ctx context.Context, branch, base string) error {
	return r.withWorkRepo(ctx, "", func(ctx context.Context, b *workRepo) error {
		head, found, err := b.j.tip(ctx, branch)
		if err != nil || !found {
			return err
		}
		into, found, err := b.j.tip(ctx, base)
		if err != nil || !found {
			return err
		}
		if fork, err := b.mergeBase(ctx, into, head); err != nil || fork != head {
			return err
		}
		ref := "refs/heads/" + branch
		_, err = b.run(ctx, nil, nil, "push", "--porcelain", "--no-verify", "--no-signed", "--receive-pack="+farSide,
			"--force-with-lease="+ref+":"+head, "--", b.j.remote.URL, ":"+ref)
		if err != nil {
			return err
		}
		return b.j.cache.syncOwn(b.j.remote.URL)
	})
}
