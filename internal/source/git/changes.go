package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Limit limits a list of changes. A zero field takes its default.
type Limit struct {
	Files int   // default 1,000
	Bytes int64 // both sides of all files together; default 64 MiB
}

func (l Limit) orDefault() Limit {
	if l.Files <= 0 {
		l.Files = 1000
	}
	if l.Bytes <= 0 {
		l.Bytes = 64 << 20
	}
	return l
}

// Changes returns the changes on a branch since it diverged from base: head compared with the newest common commit.
// Paths are relative to folder; paths of files elsewhere in the repository begin with "../", so that no change is
// hidden. A renamed file is one change. The branch's position is returned even if there are too many changes.
func (r Repo) Changes(ctx context.Context, base, head, folder string, limit Limit) (list []draft.Change,
	at proposal.Position, err error) {
	err = r.withWorkRepo(ctx, folder, func(ctx context.Context, b *workRepo) error {
		into, to, err := b.tips(ctx, base, head)
		if err != nil {
			return err
		}
		from, err := b.mergeBase(ctx, into, to)
		if err != nil {
			return err
		}
		at.Commit = to
		if at.Behind, err = b.count(ctx, to, into); err != nil {
			return err
		}
		list, err = b.changes(ctx, from, to, pairRenames, limit)
		return err
	})
	return list, at, err
}

// maxCount limits how many commits are counted.
const maxCount = 1000

// count returns the number of commits reachable from of but not from without, up to maxCount.
func (b *workRepo) count(ctx context.Context, without, of string) (int, error) {
	out, err := b.run(ctx, nil, nil, "rev-list", "--count", "--max-count="+strconv.Itoa(maxCount), of, "^"+without)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return 0, errors.New("count commits: unexpected output from git")
	}
	return n, nil
}

// Merged returns the changes made by a merge commit, that is, the changes on the merged branch at that time. For a
// commit that is not a merge, it returns all its changes.
func (r Repo) Merged(ctx context.Context, commit, folder string, limit Limit) (list []draft.Change,
	at proposal.Position, err error) {
	if err := checkCommit(commit); err != nil {
		return nil, at, err
	}
	err = r.withWorkRepo(ctx, folder, func(ctx context.Context, b *workRepo) error {
		if there, err := b.exists(ctx, commit+"^{commit}"); err != nil || !there {
			return errors.Join(err, noCommit())
		}
		from, to := commit+"^1", commit
		merge, err := b.exists(ctx, commit+"^2")
		if err != nil {
			return err
		}
		if merge {
			to = commit + "^2"
			if from, err = b.mergeBase(ctx, commit+"^1", to); err != nil {
				return err
			}
		} else if first, err := b.exists(ctx, from); err != nil {
			return err
		} else if !first {
			from = ""
		}
		if at.Commit, err = b.resolve(ctx, to); err != nil {
			return err
		}
		list, err = b.changes(ctx, from, to, pairRenames, limit)
		return err
	})
	return list, at, err
}

// side is the old or new version of a changed file.
type side struct{ mode, id string }

func (s side) gone() bool { return strings.Trim(s.mode, "0") == "" }

// delta is a changed file.
type delta struct {
	before, after side
	path          string
	from          string // path of before, if it was renamed
}

// git options for renamed files.
var (
	// A rename is listed as a removed file and a new one.
	splitRenames = []string{"--no-renames"}
	// A rename is listed as one change. Files are paired if at least half of their content is equal and there are
	// at most 200 candidates, because comparing all pairs is slow.
	pairRenames = []string{"--find-renames=50%", "-l200"}
)

// changes compares two commits; an empty from means an empty tree.
func (b *workRepo) changes(ctx context.Context, from, to string, renames []string, limit Limit) ([]draft.Change,
	error) {
	limit = limit.orDefault()
	deltas, err := b.deltas(ctx, from, to, renames, limit.Files)
	if err != nil {
		return nil, err
	}
	folder, err := cleanFolder(b.j.remote.Folder)
	if err != nil {
		return nil, err
	}
	list := make([]draft.Change, len(deltas))
	for i, d := range deltas {
		if list[i].Path = below(folder, d.path); d.from != "" {
			list[i].From = below(folder, d.from)
		}
	}
	if err := b.contents(ctx, deltas, list, limit.Bytes); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b draft.Change) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// deltas lists the files that differ between two commits; an empty from means an empty tree.
func (b *workRepo) deltas(ctx context.Context, from, to string, renames []string, most int) ([]delta, error) {
	args := append([]string{"diff-tree", "-r", "-z", "--no-commit-id", "--raw", "--no-abbrev", "--root"}, renames...)
	if from == "" {
		empty, err := b.run(ctx, nil, nil, "hash-object", "-t", "tree", "--stdin", "-w")
		if err != nil {
			return nil, err
		}
		from = strings.TrimSpace(empty)
	}
	var deltas []delta
	err := b.j.stream(ctx, &b.mirror, func(_ io.WriteCloser, out io.Reader) (err error) {
		deltas, err = readDeltas(out, most)
		return err
	}, append(args, "--end-of-options", from, to)...)
	return deltas, err
}

// readDeltas parses git's raw diff format:
//
//	{ ":" mode " " mode " " id " " id " " letter NUL path NUL }
//
// A renamed file has the letter R with a percentage, and its old path precedes the new one.
func readDeltas(r io.Reader, limit int) ([]delta, error) {
	pieces := bufio.NewScanner(r)
	pieces.Buffer(nil, 1<<20)
	pieces.Split(splitNUL)
	var list []delta
	for pieces.Scan() {
		f := strings.Fields(strings.TrimPrefix(pieces.Text(), ":"))
		renamed := len(f) == 5 && strings.HasPrefix(f[4], "R")
		if len(f) != 5 || len(f[4]) != 1 && !renamed || !objectID.MatchString(f[2]) || !objectID.MatchString(f[3]) ||
			!pieces.Scan() {
			return nil, errors.Join(errors.New("read differences: unexpected output from git"), pieces.Err())
		}
		if len(list) == limit {
			return nil, tooMuch()
		}
		d := delta{before: side{f[0], f[2]}, after: side{f[1], f[3]}, path: pieces.Text()}
		if renamed {
			if d.from = d.path; !pieces.Scan() {
				return nil, errors.Join(errors.New("read differences: unexpected output from git"), pieces.Err())
			}
			d.path = pieces.Text()
		}
		list = append(list, d)
	}
	return list, pieces.Err()
}

func tooMuch() error {
	return fault.New(fault.TooLarge, "changes_too_large", "The branch has too many changes to show.").
		WithHint("View them with git.")
}

// below returns a path of the repository relative to a folder.
func below(folder, p string) string {
	if rest, ok := strings.CutPrefix(p, folder+"/"); ok {
		return rest
	}
	if folder == "" {
		return p
	}
	rel, err := filepath.Rel("/"+folder, "/"+p)
	if err != nil {
		return path.Join("..", p) // cannot happen: both begin at the root
	}
	return filepath.ToSlash(rel)
}

// contents fills in both sides of the changes.
func (b *workRepo) contents(ctx context.Context, deltas []delta, list []draft.Change, left int64) error {
	type want struct {
		id string
		to *[]byte
	}
	var wants []want
	for i, d := range deltas {
		for _, s := range []struct {
			side
			to *[]byte
		}{{d.before, &list[i].Before}, {d.after, &list[i].After}} {
			switch {
			case s.gone():
			case s.mode == modeModule:
				*s.to = fmt.Appendf(nil, "Subproject commit %s\n", s.id)
			default:
				wants = append(wants, want{s.id, s.to})
			}
		}
	}
	return b.j.stream(ctx, &b.mirror, func(in io.WriteCloser, stdout io.Reader) error {
		o := &objects{in: in, out: bufio.NewReaderSize(stdout, 64<<10)}
		return o.each(len(wants), func(i int) string { return wants[i].id }, func(i int, body io.Reader) error {
			var data bytes.Buffer
			n, err := io.Copy(&data, io.LimitReader(body, left+1))
			if left -= n; err == nil && left < 0 {
				err = tooMuch()
			}
			*wants[i].to = append([]byte{}, data.Bytes()...) // an empty file is not nil
			return err
		})
	}, "cat-file", "--batch")
}
