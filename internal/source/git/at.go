package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// Checkout is like SnapshotAt, but writes the files into dst, an empty folder.
func (c *Cache) Checkout(ctx context.Context, r Remote, commit, dst string) (s sourcetree.Snapshot, err error) {
	w, err := sourcetree.OpenWriter(dst, c.opt.Limits)
	if err != nil {
		return s, err
	}
	s, err = c.SnapshotAt(ctx, r, commit, w)
	return s, errors.Join(err, w.Close())
}

// SnapshotAt passes the files of the remote's folder at a commit to a sink. The commit need not be a branch's head any
// more; an empty commit means the branch's head. Unlike Snapshot it returns no dates, because they would require
// fetching the history.
func (c *Cache) SnapshotAt(ctx context.Context, r Remote, commit string, to sourcetree.Sink) (sourcetree.Snapshot,
	error) {
	var s sourcetree.Snapshot
	if err := checkCommit(commit); commit != "" && err != nil {
		return s, err
	}
	err := c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) (err error) {
		branch := r.Branch
		var when time.Time
		if commit == "" {
			var ref string
			if ref, err = j.ref(ctx); err != nil {
				return err
			}
			branch = branchOf(ref)
			commit, when, err = j.fetch(ctx, m, ref)
		} else {
			when, err = j.obtain(ctx, m, commit)
		}
		if err != nil {
			return err
		}
		s, err = j.write(ctx, m, commit, to)
		s.Commit, s.Branch, s.Time = commit, branch, when
		return err
	})
	return s, err
}

// maxFile limits the size of a file that Files returns, in bytes.
const maxFile = 1 << 20

// Files returns the regular files at the given paths, which are relative to the repository's root rather than its
// folder. Missing files and links are left out, and so are files larger than 1 MiB, whose paths are in large.
func (c *Cache) Files(ctx context.Context, r Remote, commit string, paths []string) (out map[string][]byte,
	large []string, err error) {
	out = map[string][]byte{}
	if err := checkCommit(commit); err != nil || len(paths) == 0 {
		return out, nil, err
	}
	for _, p := range paths {
		if err := checkName(p); err != nil {
			return nil, nil, err
		}
	}
	err = c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) error {
		if _, err := j.obtain(ctx, m, commit); err != nil {
			return err
		}
		var found []leaf
		plain := *m
		plain.env = []string{"GIT_LITERAL_PATHSPECS=1"} // so that a leading colon in a path has no special meaning
		err := j.leaves(ctx, &plain, func(l leaf) error {
			switch {
			case !l.regular():
			case l.size > maxFile:
				large = append(large, l.path)
			default:
				found = append(found, l)
			}
			return nil
		}, append([]string{"--full-tree", commit, "--"}, paths...)...)
		if err != nil {
			return err
		}
		return j.stream(ctx, m, func(in io.WriteCloser, stdout io.Reader) error {
			o := &objects{in: in, out: bufio.NewReaderSize(stdout, 64<<10)}
			return o.each(len(found), func(i int) string { return found[i].id },
				func(i int, body io.Reader) (err error) {
					out[found[i].path], err = io.ReadAll(body)
					return err
				})
		}, "cat-file", "--batch")
	})
	return out, large, err
}

// Tip returns the commit of a branch on the remote.
func (c *Cache) Tip(ctx context.Context, r Remote, branch string) (commit string, found bool, err error) {
	if branch == "" {
		return "", false, fault.New(fault.Invalid, "bad_branch_name", "The branch has no name.")
	}
	r.Branch = branch
	commit, err = c.Head(ctx, r)
	if fault.HasCode(err, "branch_not_found") {
		return "", false, nil
	}
	return commit, err == nil, err
}

// Made returns a commit's committer address and message. Both are untrusted. The commit must be on r's branch.
func (c *Cache) Made(ctx context.Context, r Remote, commit string) (email, message string, err error) {
	if err := checkCommit(commit); err != nil {
		return "", "", err
	}
	err = c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) error {
		if _, err := j.obtain(ctx, m, commit); err != nil {
			return err
		}
		out, err := j.output(ctx, m, "log", "-1", "--no-show-signature", "--format=%ce%n%B", commit, "--")
		email, message, _ = strings.Cut(out, "\n")
		return err
	})
	return email, message, err
}

// obtain makes sure that the mirror has a commit with all its files, and returns the commit's time. Some servers
// serve a single commit by its id; otherwise obtain searches the history of the remote's branch.
func (j *job) obtain(ctx context.Context, m *mirror, commit string) (time.Time, error) {
	if err := j.prepare(m, formatOf(commit)); err != nil {
		return time.Time{}, err
	}
	if err := m.settle(); err != nil { // nothing has been written yet
		return time.Time{}, err
	}
	if id, when, err := j.readCommit(ctx, m, commit); err == nil && id == commit {
		return when, nil
	}
	if err := j.bring(ctx, m, 1, "+"+commit+":refs/lectern/commit"); err == nil {
		if id, when, err := j.readCommit(ctx, m, commit); err == nil && id == commit {
			return when, nil
		}
		return time.Time{}, noCommit() // another kind of object has that id
	} else if !withheld(err) || ctx.Err() != nil {
		return time.Time{}, err
	}
	ref, err := j.ref(ctx)
	if err != nil {
		return time.Time{}, err
	}
	for _, depth := range []int{historyDepth, math.MaxInt32} { // git treats the last value as unlimited depth
		if err := j.bring(ctx, m, depth, "+"+ref+":refs/lectern/commit"); err != nil {
			return time.Time{}, err
		}
		if id, when, err := j.readCommit(ctx, m, commit); err == nil && id == commit {
			return when, nil
		}
	}
	return time.Time{}, noCommit()
}

func noCommit() error {
	return fault.New(fault.NotFound, "commit_not_found", "The commit is no longer on this branch.").
		WithField("commit").WithHint("The branch was rewritten. Start again from its head.")
}

// withheld reports whether a server refused to serve a commit by its id, or does not have it.
func withheld(err error) bool {
	for _, text := range []string{"not our ref", "unadvertised object", "couldn't find remote ref", "not valid",
		"Cannot obtain needed object"} {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

func checkCommit(id string) error {
	if !objectID.MatchString(id) {
		return fault.New(fault.Invalid, "bad_commit", "This is not a full commit id.").WithField("commit")
	}
	return nil
}

// Branch returns the remote's branch, or the branch that its HEAD points to if none is set.
func (c *Cache) Branch(ctx context.Context, r Remote) (string, error) {
	if r.Branch != "" {
		return r.Branch, nil
	}
	j, err := c.begin(r)
	if err != nil {
		return "", err
	}
	defer j.end()
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	h, err := j.head(ctx)
	if err != nil {
		return "", err
	}
	name, ok := strings.CutPrefix(h.ref, "refs/heads/")
	if !ok {
		return "", fault.New(fault.Invalid, "no_branch", "The repository has no default branch.").
			WithField("source.branch").WithHint("Specify a branch.")
	}
	return name, nil
}
