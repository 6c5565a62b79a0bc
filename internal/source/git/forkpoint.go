package git

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
)

// ForkPoint is where the changes of a branch began.
type ForkPoint struct {
	Commit string // "" = no common commit is known
	Same   bool   // the remote's folder has the same files in it as in the branch
}

// ForkPoint finds the newest commit that head, a commit of the remote's branch, and the branch base have in common. It
// fetches commits and folders only, with the limits of dates; beyond these there is no common commit.
func (c *Cache) ForkPoint(ctx context.Context, r Remote, head, base string) (ForkPoint, error) {
	var out ForkPoint
	if err := errors.Join(checkCommit(head), ValidateBranch(base)); err != nil {
		return out, err
	}
	err := c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) (err error) {
		into := *j
		into.remote.Branch = base
		target, err := into.ref(ctx)
		if err != nil {
			return err
		}
		ref, err := j.ref(ctx)
		if err != nil {
			return err
		}
		out, err = j.forkPoint(ctx, &mirror{path: m.history(), file: m.file}, head, ref, target)
		return err
	})
	return out, err
}

func (j *job) forkPoint(ctx context.Context, h *mirror, head, ref, target string) (ForkPoint, error) {
	short, stop := context.WithTimeout(ctx, historyTime)
	defer stop()
	short, cancel := context.WithCancelCause(short)
	defer cancel(nil)
	for _, depth := range []int{historyDepth, math.MaxInt32} { // the last is git's word for all of it
		err := j.bringHistory(short, cancel, h, head, depth, "+"+ref+":refs/lectern/history", "+"+target+":refs/lectern/target")
		if err != nil {
			_ = os.RemoveAll(h.path) // it may be half-written
			return ForkPoint{}, errors.Join(ctx.Err(), err)
		}
		if at, err := j.output(short, h, "merge-base", head, "refs/lectern/target"); err == nil {
			at = strings.TrimSpace(at)
			return ForkPoint{Commit: at, Same: j.sameFolder(short, h, at, head)}, checkCommit(at)
		}
	}
	return ForkPoint{}, ctx.Err()
}

// sameFolder reports whether the remote's folder has the same content in two commits. The id of a folder is made from
// everything in it.
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
