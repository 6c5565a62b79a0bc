package git

import (
	"context"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// farSide is the program that receives a push where the repository is on this machine's disk. It runs none of the hooks
// that the repository has, and no other program that its settings name. Servers elsewhere never see these words: they
// run their own.
const farSide = "git -c core.hooksPath=/dev/null -c core.alternateRefsCommand=true -c core.fsmonitor=false -c " +
	"receive.autogc=false receive-pack"

// push brings commit, whose parent is given, to the branch of the job's remote, unless it is there. tip is where the
// branch was seen, "" = nowhere. Other people's commits are never lost: the branch must be new or at parent, and
// nothing is forced. In a repository of our own it survives a power cut from then on.
func (b *workRepo) push(ctx context.Context, commit, parent, branch, tip string) error {
	if err := b.pushOut(ctx, commit, parent, branch, tip); err != nil {
		return err
	}
	return b.j.cache.syncOwn(b.j.remote.URL)
}

// replace brings commit to the branch in place of last, the commit that the branch must be at. The remote compares that
// too: a commit that arrives in between stays.
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
	// Small pushes go out in one piece, which every server and proxy takes.
	args := []string{"-c", "http.postBuffer=16777216", "push", "--porcelain", "--no-verify", "--no-follow-tags",
		"--no-signed", "--recurse-submodules=no"}
	args = append(args, options...)
	if tip == "" {
		// It is not known yet which of our commits the other side has; without a fetch, git would send all files.
		args = append([]string{"-c", "push.negotiate=true"}, args...)
	}
	if b.j.origin.scheme == "file" {
		args = append(args, "--receive-pack="+farSide)
	}
	out, pushErr := b.run(ctx, nil, nil, append(args, "--", b.j.remote.URL, commit+":refs/heads/"+branch)...)
	if pushErr == nil || ctx.Err() != nil {
		return pushErr
	}
	// The response may have been lost, or another push was first.
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

// refused makes a fault of a push that the other side turned down. Its reason is on the line of the branch:
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

// oneLine returns a foreign text cut to what fits in a sentence.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return clip.Runes(strings.Join(strings.Fields(s), " "), 200)
}
