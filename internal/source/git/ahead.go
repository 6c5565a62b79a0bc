package git

import (
	"context"
	"errors"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// AheadCommit is a commit as its history describes it. Everything but the id is untrusted.
type AheadCommit struct {
	ID      string
	Author  string // name
	Email   string // of the committer
	Message string
}

// maxAhead bounds what Ahead reads of the commits, in bytes.
const maxAhead = 4 << 20

// Ahead returns the commits, newest first, that lead to head, a commit of the remote's branch, and that the branch base
// does not have. Branches without a common commit, and longer lists, are faults: who asks wants to know all of them.
func (c *Cache) Ahead(ctx context.Context, r Remote, head, base string) (list []AheadCommit, err error) {
	if err := errors.Join(checkCommit(head), ValidateBranch(base)); err != nil {
		return nil, err
	}
	err = c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) error {
		found, err := j.compare(ctx, m, head, base, func(ctx context.Context, h *mirror, _ string) error {
			out, more, err := j.beginning(ctx, h, maxAhead, "log", "--no-show-signature", "-z", "--format=%H%n%an%n%ce%n%B",
				head, "^refs/lectern/target", "--")
			if err == nil && more {
				err = fault.Newf(fault.Invalid, "too_many_commits", "The branch has too many commits that %s does not have.", base)
			}
			list = parseAhead(out)
			return err
		})
		if err == nil && !found {
			err = noCommonHistory(base, r.Branch)
		}
		return err
	})
	return list, err
}

// parseAhead reads commits as git log writes them: id, author, address and message of each on lines of their own.
func parseAhead(out string) (list []AheadCommit) {
	for one := range strings.SplitSeq(out, "\x00") {
		if part := strings.SplitN(one, "\n", 4); len(part) == 4 {
			list = append(list, AheadCommit{ID: part[0], Author: part[1], Email: part[2], Message: part[3]})
		}
	}
	return list
}
