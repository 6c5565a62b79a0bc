package git

import (
	"context"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// farSide is the program that receives a push to a repository on this machine's disk. It runs none of the
// repository's hooks and no other program from its settings. It is not sent to remote servers, which run their own.
const farSide = "git -c core.hooksPath=/dev/null -c core.alternateRefsCommand=true -c core.fsmonitor=false -c " +
	"receive.autogc=false receive-pack"

// push pushes commit, which was made on parent, to the branch of the job's remote, unless it is already there. tip
// is the branch's current commit, "" = no branch. Other people's commits are never lost: the branch must be new or
// at parent, and nothing is forced. In one of the server's own repositories, the commit is durable when push
// returns.
func (b *workRepo) push(ctx context.Context, commit, parent, branch, tip string) error {
	if err := b.pushOut(ctx, commit, parent, branch, tip); err != nil {
		return err
	}
	return b.j.cache.syncOwn(b.j.remote.URL)
}

// replace pushes commit to the branch in place of last, the commit that the branch must be at. The remote checks
// this too, so a commit that arrives in between is not lost.
func (b *workRepo) replace(ctx context.Context, commit, last, branch, tip string) error {
	if err := b.pushOut(ctx, commit, last, branch, tip, "--force-with-lease=refs/heads/"+branch+":"+tip); err != nil {
		return err
	}
	return b.j.cache.syncOwn(b.j.remote.URL)
}

func (b *workRepo) pushOut(ctx context.Context, commit, parent, branch, tip string, options ...string) error {
	switch tip {
	case commit:
		return nil
	case "", parent:
	default:
		return branchMoved(branch)
	}
	// Small pushes are sent without chunking, which every server and proxy accepts.
	args := []string{"-c", "http.postBuffer=16777216", "push", "--porcelain", "--no-verify", "--no-follow-tags",
		"--no-signed", "--recurse-submodules=no"}
	args = append(args, options...)
	if tip == "" && parent != "" {
		// We do not know which commits the remote has; without negotiation, git would send all files.
		args = append([]string{"-c", "push.negotiate=true"}, args...)
	}
	if b.j.origin.scheme == "file" {
		args = append(args, "--receive-pack="+farSide)
	}
	out, pushErr := b.run(ctx, nil, nil, append(args, "--", b.j.remote.URL, commit+":refs/heads/"+branch)...)
	if pushErr == nil || ctx.Err() != nil {
		return pushErr
	}
	// The response may have been lost, or another push was faster.
	now, found, err := b.j.tip(ctx, branch)
	switch {
	case err != nil:
		return pushErr
	case found && now == commit:
		return nil
	case found && now != tip:
		return branchMoved(branch).WithCause(pushErr)
	}
	return refused(out, branch, pushErr)
}

// tip returns the commit of a branch on the remote.
func (j *job) tip(ctx context.Context, branch string) (commit string, found bool, err error) {
	other := *j
	other.remote.Branch = branch
	h, err := other.head(ctx)
	if fault.HasCode(err, "branch_not_found") {
		return "", false, nil
	}
	return h.commit, err == nil, err
}

func branchMoved(branch string) *fault.Error {
	return fault.Newf(fault.Conflict, "branch_moved", "The branch %s has unexpected commits.", branch).
		WithHint("Start again from its head.")
}

// refused converts a rejected push to a fault. The reason is on the line of the branch:
//
//	"!" TAB from ":" to TAB "[remote rejected] (" reason ")"
func refused(out, branch string, cause error) error {
	for line := range strings.Lines(out) {
		rest, ok := strings.CutPrefix(line, "!\t")
		_, summary, has := strings.Cut(rest, "\t")
		if !ok || !has {
			continue
		}
		if strings.Contains(summary, "currently checked out") {
			return fault.Newf(fault.Conflict, "branch_checked_out",
				"The branch %s is checked out in the repository's work tree.", branch).
				WithHint("Merge there with git, or check out another branch first.").WithCause(cause)
		}
		return fault.Newf(fault.Forbidden, "push_refused", "The code host rejected the branch %s: %s", branch,
			oneLine(summary)).WithCause(cause)
	}
	if f, ok := fault.As(cause); ok && f.Code == "repository_auth_failed" {
		return f.WithHint("Check that the project's credential is valid and has write access to this repository.")
	}
	return cause
}

// oneLine shortens a foreign text and removes line breaks, so that it can be part of a sentence.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return clip.Runes(strings.Join(strings.Fields(s), " "), 200)
}
