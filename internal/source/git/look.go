package git

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Limits on the results of Grep, List and Diff, in bytes of git's output. Longer output is cut at the end of a
// line.
const (
	maxGrep = 256 << 10
	maxList = 256 << 10
)

// Match is a line of a file that contains the text.
type Match struct {
	Path string
	Line int // from 1
	Text string
}

// errEnough stops git when enough has been read.
var errEnough = errors.New("enough was read")

// beginning runs git and returns the first limit bytes of its output; more reports whether there was more.
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

// look calls do with a mirror that contains the commit. Callers read files as git objects: links are not followed,
// and no path leads out of the tree.
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
		plain.env = []string{"GIT_LITERAL_PATHSPECS=1"} // so that a leading colon in a path has no special meaning
		return do(ctx, j, &plain)
	})
}

// Grep returns the lines that contain a text, ignoring case, in text files at a commit, in a folder or, with "",
// anywhere. more reports whether there are further matches.
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
			return nil // no match
		}
		found, more = readMatches(out, commit), cut
		return err
	})
	return found, more, err
}

// readMatches parses { commit ":" path NUL line NUL text LF }. It drops a truncated last line.
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

// List returns the files and folders in a folder at a commit; "" = the root. Names of folders end with a slash.
// Links and submodules are left out. more reports whether there are further entries.
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
		if cut && len(names) > 0 { // the last name may be truncated
			names = names[:len(names)-1]
		}
		return err
	})
	return names, more, err
}

// Diff returns the difference between two commits as a patch with little context, at most limit bytes; more reports
// whether it was truncated. For binary files it contains only the names.
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

// Changed returns the names of files that differ between two commits, at most limit bytes; more reports whether
// there are further names.
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
		text = text[:strings.LastIndexByte(text, 0)+1] // the last name may be truncated
		for name := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
			if name != "" && checkName(name) == nil {
				names = append(names, name)
			}
		}
		return nil
	})
	return names, more, err
}

// TagMessage returns the message of an annotated tag, or of the tag's commit, at most limit bytes; more reports
// whether it was truncated. The text is untrusted.
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
