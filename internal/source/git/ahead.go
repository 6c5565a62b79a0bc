package git

import (
	"context"
	"errors"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// AheadCommit is a commit as recorded in the history. All fields except the id are untrusted.
type AheadCommit struct {
	ID      string
	Author  string // name
	Email   string // of the committer
	Message string
}

// maxAhead limits what Ahead reads of the commits, in bytes.
const maxAhead = 4 << 20

// Ahead returns the commits, newest first, that are reachable from head, a commit of the remote's branch, but not
// from the branch base. If the branches have no common commit or the list is too long, it returns a fault, because
// callers need the complete list.
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

// parseAhead parses commits in git log's format: id, author, address and message of each on separate lines.
func parseAhead(out string) (list []AheadCommit) {
	for one := range strings.SplitSeq(out, "\x00") {
		if part := strings.SplitN(one, "\n", 4); len(part) == 4 {
			list = append(list, AheadCommit{ID: part[0], Author: part[1], Email: part[2], Message: part[3]})
		}
	}
	return list
}
