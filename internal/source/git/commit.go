package git

import (
	"bufio"
	"context"
	"io"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// Limits on the reported details of a commit.
const (
	messageBytes = 10_000 // bytes
	authorBytes  = 200    // bytes
	changedFiles = 1000   // files
)

// describe returns a commit's metadata and the files of the remote's folder that it changed. The metadata is in the
// mirror m; the files require the parent commit, which dates has fetched. Parts that cannot be read are left empty.
func (j *job) describe(ctx context.Context, m *mirror, commit string) (c sourcetree.Change) {
	text, err := j.output(ctx, m, "log", "-1", "--no-patch", "--no-show-signature", "--format=%an%x00%B", commit, "--")
	if err != nil {
		return c
	}
	author, message, _ := strings.Cut(text, "\x00")
	c.Author, c.Message = cut(author, authorBytes), cut(strings.TrimSpace(message), messageBytes)
	folder, err := cleanFolder(j.remote.Folder)
	if err != nil {
		return c
	}
	changed := c
	err = j.stream(ctx, &mirror{path: m.history(), file: m.file}, func(_ io.WriteCloser, r io.Reader) error {
		return parseChanged(r, folder, &changed)
	}, "log", "-1", "--no-show-signature", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--diff-merges=first-parent", "--root",
		"--name-status", "-z", "--format=%x01%D", commit, "--")
	if err != nil {
		return c
	}
	return changed
}

// cut shortens a text to at most n bytes without splitting a character.
func cut(text string, n int) string {
	if len(text) > n {
		text = text[:n]
	}
	return strings.ToValidUTF8(text, "")
}

// parseChanged parses the files that one commit changed:
//
//	commit = SOH names NUL [ LF status NUL file NUL { status NUL file NUL } ]
//
// A commit at the end of a shallow history is marked "grafted" and appears to add every file, so it is ignored.
func parseChanged(r io.Reader, folder string, c *sourcetree.Change) error {
	pieces := bufio.NewScanner(r)
	pieces.Buffer(nil, 1<<20)
	pieces.Split(splitNUL)
	if !pieces.Scan() || strings.Contains(pieces.Text(), "grafted") {
		return io.ErrUnexpectedEOF
	}
	for n := 0; pieces.Scan(); {
		status := strings.TrimPrefix(pieces.Text(), "\n")
		if !pieces.Scan() {
			break
		}
		file, ok := strings.CutPrefix("/"+pieces.Text(), strings.TrimSuffix("/"+folder, "/")+"/")
		if !ok {
			continue
		}
		if n++; n > changedFiles {
			c.Truncated = true
			continue // read git's output to the end
		}
		switch status {
		case "A":
			c.Added = append(c.Added, file)
		case "D":
			c.Removed = append(c.Removed, file)
		default: // changed content, mode or type
			c.Modified = append(c.Modified, file)
		}
	}
	c.Compared = true
	return pieces.Err()
}
