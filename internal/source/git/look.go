package git

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Limits of what Grep, List and Diff return, in bytes of git's output. What is longer is cut at the end of a line.
const (
	maxGrep = 256 << 10
	maxList = 256 << 10
)

// Match is a line of a file that has a text.
type Match struct {
	Path string
	Line int // from 1
	Text string
}

// errEnough ends git when it has printed as much as is wanted.
var errEnough = errors.New("enough was read")

// beginning runs git and returns the first limit bytes that it prints; more reports whether there were others.
func (j *job) beginning(ctx context.Context, m *mirror, limit int, args ...string) (out string, more bool, err error) {
	err = j.stream(ctx, m, func(_ io.WriteCloser, stdout io.Reader) error {
		raw, err := io.ReadAll(io.LimitReader(stdout, int64(limit)+1))
		if out = string(raw); err == nil && len(raw) > limit {
			out, more, err = string(raw[:limit]), true, errEnough
		}
		return err
	}, args...)
	if errors.Is(err, errEnough) {
		err = nil
	}
	return out, more, err
}

// look does something with the files of a commit, which are read as they are in Git: no link is followed, and no path
// leads out of the tree.
func (c *Cache) look(ctx context.Context, r Remote, commit, folder string,
	do func(context.Context, *job, *mirror) error) error {
	if err := checkCommit(commit); err != nil {
		return err
	}
	if folder != "" {
		if err := checkName(folder); err != nil {
			return err
		}
	}
	return c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) error {
		if _, err := j.obtain(ctx, m, commit); err != nil {
			return err
		}
		plain := *m
		plain.env = []string{"GIT_LITERAL_PATHSPECS=1"} // a path that begins with a colon is one like others
		return do(ctx, j, &plain)
	})
}

// Grep returns lines of text files at a commit that have a text, in whatever case, in a folder or, with "", anywhere.
// more reports whether there are others.
func (c *Cache) Grep(ctx context.Context, r Remote, commit, text, folder string) (found []Match, more bool, err error) {
	if text == "" || strings.ContainsAny(text, "\n\x00") {
		return nil, false, fault.New(fault.Invalid, "invalid_field", "The text to search for must be one line.").
			WithField("query")
	}
	err = c.look(ctx, r, commit, folder, func(ctx context.Context, j *job, m *mirror) error {
		args := []string{"grep", "-n", "-z", "-I", "-i", "-F", "--no-color", "--no-textconv", "--full-name", "-e", text, commit,
			"--"}
		if folder != "" {
			args = append(args, folder)
		}
		out, cut, err := j.beginning(ctx, m, maxGrep, args...)
		if err != nil && exitCode(err) == 1 && ctx.Err() == nil {
			return nil // nothing has it
		}
		found, more = readMatches(out, commit), cut
		return err
	})
	return found, more, err
}

// readMatches reads { commit ":" path NUL line NUL text LF }. A last line that was cut is left out.
func readMatches(out, commit string) (found []Match) {
	for out != "" {
		line, rest, whole := strings.Cut(out, "\n")
		fields := strings.SplitN(line, "\x00", 3)
		path, ours := strings.CutPrefix(fields[0], commit+":")
		if !whole || !ours || len(fields) != 3 {
			return found
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil {
			return found
		}
		found = append(found, Match{Path: path, Line: n, Text: fields[2]})
		out = rest
	}
	return found
}

// List returns the files and folders in a folder at a commit, those with a slash at the end; "" = at the root. Links
// and submodules are left out. more reports whether there are others.
func (c *Cache) List(ctx context.Context, r Remote, commit, folder string) (names []string, more bool, err error) {
	err = c.look(ctx, r, commit, folder, func(ctx context.Context, j *job, m *mirror) error {
		args := []string{"ls-tree", "-z", "--full-tree", commit, "--"}
		if folder != "" {
			args = append(args, folder+"/")
		}
		out, cut, err := j.beginning(ctx, m, maxList, args...)
		more = cut
		for entry := range strings.SplitSeq(out, "\x00") {
			meta, name, whole := strings.Cut(entry, "\t")
			switch {
			case !whole:
			case strings.HasPrefix(meta, "040000 "):
				names = append(names, name+"/")
			case strings.HasPrefix(meta, "100"):
				names = append(names, name)
			}
		}
		if cut && len(names) > 0 { // the last name may be cut
			names = names[:len(names)-1]
		}
		return err
	})
	return names, more, err
}

// Diff returns what changed between two commits as a patch with little context, limit bytes at most; more reports whether
// it was cut. Binary files are named only.
func (c *Cache) Diff(ctx context.Context, r Remote, from, to string, limit int) (patch string, more bool, err error) {
	if err := checkCommit(from); err != nil {
		return "", false, err
	}
	err = c.look(ctx, r, to, "", func(ctx context.Context, j *job, m *mirror) error {
		if _, err := j.obtain(ctx, m, from); err != nil {
			return err
		}
		if patch, more, err = j.beginning(ctx, m, limit, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--unified=2",
			"--stat", "--patch", "--end-of-options", from, to, "--"); err != nil {
			return err
		}
		if more {
			patch = patch[:strings.LastIndexByte(patch, '\n')+1]
		}
		patch = strings.ToValidUTF8(patch, "\ufffd")
		return nil
	})
	return patch, more, err
}

// Changed returns the names of files that differ between two commits, limit bytes of them at most; more reports whether
// there are more.
func (c *Cache) Changed(ctx context.Context, r Remote, from, to string, limit int) (names []string, more bool, err error) {
	if err := checkCommit(from); err != nil {
		return nil, false, err
	}
	err = c.look(ctx, r, to, "", func(ctx context.Context, j *job, m *mirror) error {
		if _, err := j.obtain(ctx, m, from); err != nil {
			return err
		}
		var text string
		if text, more, err = j.beginning(ctx, m, limit, "diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--name-only",
			"-z", "--end-of-options", from, to, "--"); err != nil {
			return err
		}
		text = text[:strings.LastIndexByte(text, 0)+1] // the last name may be cut
		for name := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
			if name != "" && checkName(name) == nil {
				names = append(names, name)
			}
		}
		return nil
	})
	return names, more, err
}

// TagMessage returns what a tag of the remote says about itself, or what its commit says, limit bytes at most; more
// reports whether it was cut. It is untrusted.
func (c *Cache) TagMessage(ctx context.Context, r Remote, tag string, limit int) (text string, more bool, err error) {
	ref := "refs/tags/" + tag
	if err := ValidateBranch(ref); err != nil {
		return "", false, err
	}
	err = c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) error {
		if err := j.bring(ctx, m, 1, "+"+ref+":"+localRef(ref)); err != nil {
			return err
		}
		text, more, err = j.beginning(ctx, m, limit, "for-each-ref", "--format=%(contents:subject)%0a%0a%(contents:body)",
			"--", localRef(ref))
		text = strings.ToValidUTF8(text, "\ufffd")
		return err
	})
	return text, more, err
}
