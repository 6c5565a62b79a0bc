package git

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// detached is used for a remote whose HEAD is a commit and not a branch.
const detached = "HEAD"

var objectID = lazyregexp.New(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// head is the position of a remote's branch.
type head struct {
	ref    string // refs/heads/…, or detached
	commit string
}

// head resolves the remote's branch, or its HEAD if no branch is set.
func (j *job) head(ctx context.Context) (head, error) {
	want := detached
	if j.remote.Branch != "" {
		want = refOf(j.remote.Branch)
	}
	if h, ok := j.cache.ownHead(j.remote.URL, want); ok && ctx.Err() == nil {
		return h.orMissing(want)
	}
	peeled := want + "^{}" // the commit that an annotated tag points to
	out, err := j.output(ctx, nil, "ls-remote", "--quiet", "--symref", "--", j.remote.URL, want, peeled)
	if err != nil {
		return head{}, err
	}
	h := head{ref: want}
	for line := range strings.Lines(out) {
		value, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if target, ok := strings.CutPrefix(value, "ref: "); ok && name == want &&
			ValidateBranch(strings.TrimPrefix(target, "refs/heads/")) == nil {
			h.ref = target
		} else if (name == want && h.commit == "" || name == peeled) && objectID.MatchString(value) {
			h.commit = value
		}
	}
	return h.orMissing(want)
}

// orMissing returns a fault if there is no commit.
func (h head) orMissing(want string) (head, error) {
	switch {
	case h.commit != "":
		return h, nil
	case want == detached:
		return head{}, fault.New(fault.NotFound, "repository_empty",
			"The repository has no default branch with a commit.").
			WithField(urlField).WithHint("Push a first commit, or specify a branch.")
	}
	return head{}, fault.New(fault.NotFound, "branch_not_found", "The branch does not exist in the repository.").
		WithField("source.branch").
		WithHint("Check the branch name, or omit it to use the default branch.")
}

// ref returns the full name of the remote's branch, or of the branch that its HEAD points to.
func (j *job) ref(ctx context.Context) (string, error) {
	if j.remote.Branch != "" {
		return refOf(j.remote.Branch), nil
	}
	h, err := j.head(ctx)
	return h.ref, err
}

// branchOf returns the short name of a ref; "" if it is not a branch.
func branchOf(ref string) string {
	if ref == detached {
		return ""
	}
	return strings.TrimPrefix(ref, "refs/heads/")
}

// fetch fetches the remote's ref into the mirror and returns its commit and the commit's time.
func (j *job) fetch(ctx context.Context, m *mirror, ref string) (string, time.Time, error) {
	local := localRef(ref)
	if err := j.bring(ctx, m, 1, "+"+ref+":"+local); err != nil {
		return "", time.Time{}, err
	}
	return j.readCommit(ctx, m, local)
}

// readCommit reads a commit's id and time.
func (j *job) readCommit(ctx context.Context, m *mirror, name string) (string, time.Time, error) {
	out, err := j.output(ctx, m, "log", "-1", "--no-show-signature", "--format=%H %ct", name, "--")
	if err != nil {
		return "", time.Time{}, err
	}
	commit, seconds, _ := strings.Cut(strings.TrimSpace(out), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || !objectID.MatchString(commit) {
		return "", time.Time{}, errors.Join(fmt.Errorf("read commit: unexpected output"), err)
	}
	return commit, time.Unix(unix, 0).UTC(), nil
}

// The object formats. Nearly all repositories use the first.
const (
	formatSHA1   = "sha1"
	formatSHA256 = "sha256"
)

func formatOf(id string) string {
	if len(id) == sha256.Size*2 {
		return formatSHA256
	}
	return formatSHA1
}

// bring fetches refspecs into the mirror, depth commits of each.
func (j *job) bring(ctx context.Context, m *mirror, depth int, refspecs ...string) error {
	err := j.bringAs(ctx, m, formatSHA1, depth, refspecs)
	if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "mismatched algorithms") {
		return err
	}
	if err := os.RemoveAll(m.path); err != nil { // it was created for the other object format
		return fmt.Errorf("remove mirror: %w", err)
	}
	return j.bringAs(ctx, m, formatSHA256, depth, refspecs)
}

func (j *job) bringAs(ctx context.Context, m *mirror, format string, depth int, refspecs []string) error {
	if err := j.prepare(m, format); err != nil {
		return err
	}
	before, err := m.size()
	if err != nil {
		return fmt.Errorf("measure mirror: %w", err)
	}
	if err := j.pull(ctx, m, before, depth, refspecs); err != nil {
		return err
	}
	after, err := m.size()
	if err != nil {
		return fmt.Errorf("measure mirror: %w", err)
	}
	if after-before > j.cache.opt.MaxBytes {
		return j.cache.tooLarge() // still marked dirty, so the next use starts afresh
	}
	return m.settle()
}

// pull runs git fetch, shallow if the server supports it.
func (j *job) pull(ctx context.Context, m *mirror, before int64, depth int, refspecs []string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go j.cache.watch(ctx, cancel, m, before)
	args := []string{"fetch", "--quiet", "--force", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
		"--no-auto-maintenance"}
	from := append([]string{"--", j.remote.URL}, refspecs...)
	_, err := j.output(ctx, m, slices.Concat(args, []string{"--depth=" + strconv.Itoa(depth)}, from)...)
	if err != nil && ctx.Err() == nil && strings.Contains(err.Error(), "does not support shallow") {
		_, err = j.output(ctx, m, slices.Concat(args, from)...)
	}
	var exit *exec.ExitError
	if err != nil && ctx.Err() == nil && errors.As(err, &exit) && exit.Exited() {
		err = errors.Join(err, m.settle()) // git exited normally and cleaned up
	}
	return err
}
