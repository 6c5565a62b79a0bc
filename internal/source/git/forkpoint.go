package git

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
)

// ForkPoint is the commit where a branch diverged.
type ForkPoint struct {
	Commit string // "" = no common commit was found
	Same   bool   // the remote's folder has the same content in that commit and in the branch
}

// ForkPoint finds the newest common commit of head, a commit of the remote's branch, and the branch base. It
// fetches commits and trees only, within the limits of dates; a common commit beyond these limits is not found.
func (c *Cache) ForkPoint(ctx context.Context, r Remote, head, base string) (ForkPoint, error) {
	var out ForkPoint
	if err := errors.Join(checkCommit(head), ValidateBranch(base)); err != nil {
		return out, err
	}
	err := c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) (err error) {
		_, err = j.compare(ctx, m, head, base, func(ctx context.Context, h *mirror, at string) error {
			out = ForkPoint{Commit: at, Same: j.sameFolder(ctx, h, at, head)}
			return checkCommit(at)
		})
		return err
	})
	return out, err
}

// compare fetches the history of the remote's branch and of the branch base until they have a common commit. It
// calls use with the newest such commit and the mirror of the history, in which refs/lectern/target is base. found
// is false if there is no common commit.
func (j *job) compare(ctx context.Context, m *mirror, head, base string,
	use func(ctx context.Context, h *mirror, fork string) error) (found bool, err error) {
	into := *j
	into.remote.Branch = base
	target, err := into.ref(ctx)
	if err != nil {
		return false, err
	}
	ref, err := j.ref(ctx)
	if err != nil {
		return false, err
	}
	h := &mirror{path: m.history(), file: m.file}
	short, stop := context.WithTimeout(ctx, historyTime)
	defer stop()
	short, cancel := context.WithCancelCause(short)
	defer cancel(nil)
	for _, depth := range []int{historyDepth, math.MaxInt32} { // git treats the last value as unlimited depth
		err := j.bringHistory(short, cancel, h, head, depth, "+"+ref+":refs/lectern/history", "+"+target+":refs/lectern/target")
		if err != nil {
			_ = os.RemoveAll(h.path) // it may be incomplete
			return false, errors.Join(ctx.Err(), err)
		}
		if at, err := j.output(short, h, "merge-base", head, "refs/lectern/target"); err == nil {
			return true, use(short, h, strings.TrimSpace(at))
		}
	}
	return false, ctx.Err()
}

// sameFolder reports whether the remote's folder has the same content in two commits. It compares the ids of the
// folder's trees.
func (j *job) sameFolder(ctx context.Context, h *mirror, one, other string) bool {
	folder, err := cleanFolder(j.remote.Folder)
	if err != nil {
		return false
	}
	a, err := j.output(ctx, h, "rev-parse", "--verify", "--quiet", "--end-of-options", one+":"+folder)
	if err != nil {
		return false
	}
	b, err := j.output(ctx, h, "rev-parse", "--verify", "--quiet", "--end-of-options", other+":"+folder)
	return err == nil && a == b
}
