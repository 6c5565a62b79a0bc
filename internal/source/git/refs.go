package git

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
)

// maxRefs limits the number of a repository's branches and tags that are read.
const maxRefs = 100_000

// Refs lists the branches and tags of the remote without fetching them. For an annotated tag, it returns the commit
// that the tag points to.
func (c *Cache) Refs(ctx context.Context, r Remote) ([]refversion.Ref, error) {
	j, err := c.begin(r)
	if err != nil {
		return nil, err
	}
	defer j.end()
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	var out []refversion.Ref
	err = j.stream(ctx, nil, func(_ io.WriteCloser, stdout io.Reader) error {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			commit, name, _ := strings.Cut(lines.Text(), "\t")
			short, peeled := strings.CutSuffix(name, "^{}")
			if last := len(out) - 1; peeled && last >= 0 && out[last].Name == short && objectID.MatchString(commit) {
				out[last].Commit = commit
			} else if !peeled && objectID.MatchString(commit) && ValidateBranch(name) == nil {
				out = append(out, refversion.Ref{Name: name, Commit: commit})
			}
			if len(out) > maxRefs {
				return fault.Newf(fault.TooLarge, "too_many_refs", "The repository has more than %d branches and tags.",
					maxRefs)
			}
		}
		return lines.Err()
	}, "ls-remote", "--quiet", "--heads", "--tags", "--", r.URL)
	return out, err
}

// Tip is the commit and tree that a ref points to.
type Tip struct {
	Commit string
	Tree   string // id of the remote's folder in that commit: equal ids mean equal content; "" = the folder does not exist
}

// FetchRefs fetches refs in one transfer, and returns the tip of each by name. SnapshotAt then reads their commits
// without a connection.
func (c *Cache) FetchRefs(ctx context.Context, r Remote, refs []string) (map[string]Tip, error) {
	out := make(map[string]Tip, len(refs))
	if len(refs) == 0 {
		return out, nil
	}
	folder, err := cleanFolder(r.Folder)
	if err != nil {
		return nil, err
	}
	err = c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) error {
		specs := make([]string, len(refs))
		for i, ref := range refs {
			specs[i] = "+" + ref + ":" + localRef(ref)
		}
		if err := j.bring(ctx, m, 1, specs...); err != nil {
			return err
		}
		var ask bytes.Buffer
		for _, ref := range refs {
			ask.WriteString(localRef(ref) + "^{commit}\x00" + localRef(ref) + "^{commit}:" + folder + "\x00")
		}
		return j.stream(ctx, m, func(in io.WriteCloser, stdout io.Reader) error {
			go func() {
				_, _ = ask.WriteTo(in) // git has exited: its output says why
				_ = in.Close()
			}()
			lines := bufio.NewScanner(stdout)
			next := func(kind string) string {
				if !lines.Scan() {
					return ""
				}
				id, is, _ := strings.Cut(lines.Text(), " ")
				if is != kind || !objectID.MatchString(id) {
					return ""
				}
				return id
			}
			for _, ref := range refs {
				out[ref] = Tip{Commit: next("commit"), Tree: next("tree")}
			}
			return lines.Err()
		}, "cat-file", "-z", "--batch-check=%(objectname) %(objecttype)")
	})
	return out, err
}

// localRef returns the name of a ref in a mirror: a hash without slashes, since the remote's own names could clash with
// the names of branches that it has deleted.
func localRef(ref string) string {
	sum := sha256.Sum256([]byte(ref))
	return "refs/lectern/" + hex.EncodeToString(sum[:16])
}
