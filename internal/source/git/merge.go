package git

import (
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Merge describes how to merge a branch into another branch of the same repository.
type Merge struct {
	Base, Head string // branches
	Folder     string // docs folder, which the changes' paths are relative to
	Message    string
	When       time.Time
	Author     string // "" = Lectern
	Email      string // "" = a placeholder address
	// Apply is called with the changes that the merge makes in base, before base moves; nil = none. If it fails,
	// base does not move. It must be idempotent: if base has moved in the meantime, the merge starts again.
	Apply func(ctx context.Context, changes []draft.Change) error
	Limit Limit // limits the changes passed to Apply
}

// Merge merges head into base and returns the merge commit. If head is already merged, it succeeds. Faults:
// merge_conflict, which lists the files, branch_not_found, branch_moved (another commit was faster),
// branch_checked_out.
func (r Repo) Merge(ctx context.Context, m Merge) (commit string, err error) {
	for _, name := range []string{m.Base, m.Head} {
		if name == "" {
			return "", fault.New(fault.Invalid, "bad_branch_name", "The branch has no name.")
		}
	}
	err = r.withWorkRepo(ctx, m.Folder, func(ctx context.Context, b *workRepo) error {
		commit, err = b.merge(ctx, m)
		return err
	})
	if err != nil {
		return "", err
	}
	return commit, nil
}

func (b *workRepo) merge(ctx context.Context, m Merge) (string, error) {
	base, head, err := b.tips(ctx, m.Base, m.Head)
	if err != nil {
		return "", err
	}
	fork, err := b.mergeBase(ctx, base, head)
	switch {
	case err != nil:
		return "", err
	case fork == "":
		return "", noCommonHistory(m.Base, m.Head)
	case fork == head:
		return b.mergeOf(ctx, base, head)
	}
	tree, err := b.mergeTree(ctx, m.Base, base, head)
	if err != nil {
		return "", err
	}
	message, err := b.credit(ctx, m, base, head)
	if err != nil {
		return "", err
	}
	commit, err := b.commit(ctx, tree, stamp{message: message, author: m.Author, email: m.Email, when: m.When,
		ownCommitter: true}, base, head)
	if err != nil {
		return "", err
	}
	if m.Apply != nil {
		changes, err := b.changes(ctx, base, commit, splitRenames, m.Limit)
		if err == nil {
			err = m.Apply(ctx, changes)
		}
		if err != nil {
			return "", err
		}
	}
	return commit, b.push(ctx, commit, base, m.Base, base)
}

// maxConflicts limits the number of files listed in the error for a conflict.
const maxConflicts = 20

func noCommonHistory(base, head string) error {
	return fault.Newf(fault.Conflict, "merge_conflict", "The branches %s and %s have no common history.", base, head)
}

// maxCredited limits the number of co-authors listed in a merge commit message.
const maxCredited = 20

// credit returns the merge commit message. It lists the authors of the merged commits as co-authors, in the form that
// code hosts recognize.
func (b *workRepo) credit(ctx context.Context, m Merge, base, head string) (string, error) {
	out, err := b.run(ctx, nil, nil, "log", "--no-show-signature", "--no-merges", "--format=%ae%x09%an", "--max-count=1000",
		head, "^"+base)
	if err != nil {
		return "", err
	}
	seen := map[string]bool{m.Email: true, noAddress: true}
	var lines []string
	for line := range strings.Lines(out) {
		email, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		email, name = plainWord(email), plainWord(name)
		if email == "" || seen[email] || len(lines) >= maxCredited {
			continue
		}
		seen[email] = true
		lines = append(lines, "Co-authored-by: "+orElse(name, email)+" <"+email+">")
	}
	if len(lines) == 0 {
		return m.Message, nil
	}
	return strings.TrimSpace(m.Message) + "\n\n" + strings.Join(lines, "\n"), nil
}

// mergeTree merges two trees. into is the branch name used in the error for a conflict, which lists the files.
func (b *workRepo) mergeTree(ctx context.Context, into, base, head string) (string, error) {
	out, err := b.run(ctx, nil, nil, "-c", "merge.directoryRenames=false", "merge-tree", "--write-tree", "-z",
		"--name-only", "--no-messages", base, head)
	tree, rest, _ := strings.Cut(out, "\x00")
	if err == nil {
		return b.id(tree)
	}
	if exitCode(err) != 1 || ctx.Err() != nil || rest == "" {
		return "", err
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimRight(rest, "\x00"), "\x00") {
		if names = append(names, oneLine(name)); len(names) > maxConflicts {
			names[maxConflicts] = "…"
			break
		}
	}
	return "", fault.Newf(fault.Conflict, "merge_conflict", "%s conflicts with the proposal in: %s.", into,
		strings.Join(names, ", ")).
		WithHint("Ask the agent to redo its work on the current state, or close the proposal.")
}

// maxLookBack limits how many commits are searched for a merge.
const maxLookBack = 5000

// mergeOf finds the merge commit on base's first-parent history that merged head; if there is none, it returns
// base.
func (b *workRepo) mergeOf(ctx context.Context, base, head string) (string, error) {
	out, err := b.run(ctx, nil, nil, "rev-list", "--first-parent", "--merges", "--parents",
		"--max-count="+strconv.Itoa(maxLookBack), base, "^"+head)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(out) {
		ids := strings.Fields(line)
		for i, parent := range ids {
			if i > 0 && parent == head {
				return ids[0], nil
			}
		}
	}
	return base, nil
}

// exitCode returns the exit code of git if it exited by itself; -1 otherwise.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode()
	}
	return -1
}
