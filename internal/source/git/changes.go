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
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Limit bounds a list of changes. A zero field takes its default.
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

// Changes returns what a branch changes since it left base: head against the newest commit that both have. Paths are
// below folder; a file elsewhere in the repository has a path that begins with "../", so that nothing stays unseen.
func (r Repo) Changes(ctx context.Context, base, head, folder string, limit Limit) ([]draft.Change, error) {
	var list []draft.Change
	err := r.withWorkRepo(ctx, folder, func(ctx context.Context, b *workRepo) error {
		from, to, err := b.tips(ctx, base, head)
		if err != nil {
			return err
		}
		if from, err = b.mergeBase(ctx, from, to); err != nil {
			return err
		}
		list, err = b.changes(ctx, from, to, limit)
		return err
	})
	return list, err
}

// Merged returns what a merge commit brought: the branch it merged as it was then, or all that the commit changed if it
// merged none.
func (r Repo) Merged(ctx context.Context, commit, folder string, limit Limit) ([]draft.Change, error) {
	if err := checkCommit(commit); err != nil {
		return nil, err
	}
	var list []draft.Change
	err := r.withWorkRepo(ctx, folder, func(ctx context.Context, b *workRepo) error {
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
		list, err = b.changes(ctx, from, to, limit)
		return err
	})
	return list, err
}

// side is one side of a changed file.
type side struct{ mode, id string }

func (s side) gone() bool { return strings.Trim(s.mode, "0") == "" }

// delta is a changed file.
type delta struct {
	before, after side
	path          string
}

// changes compares two commits; from "" = with nothing.
func (b *workRepo) changes(ctx context.Context, from, to string, limit Limit) ([]draft.Change, error) {
	limit = limit.orDefault()
	args := []string{"diff-tree", "-r", "-z", "--no-renames", "--no-commit-id", "--raw", "--no-abbrev", "--root",
		"--end-of-options"}
	if from == "" {
		empty, err := b.run(ctx, nil, nil, "hash-object", "-t", "tree", "--stdin", "-w")
		if err != nil {
			return nil, err
		}
		from = strings.TrimSpace(empty)
	}
	var deltas []delta
	err := b.j.stream(ctx, &b.mirror, func(_ io.WriteCloser, out io.Reader) (err error) {
		deltas, err = readDeltas(out, limit.Files)
		return err
	}, append(args, from, to)...)
	if err != nil {
		return nil, err
	}
	folder, err := cleanFolder(b.j.remote.Folder)
	if err != nil {
		return nil, err
	}
	list := make([]draft.Change, len(deltas))
	for i, d := range deltas {
		list[i].Path = below(folder, d.path)
	}
	if err := b.contents(ctx, deltas, list, limit.Bytes); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b draft.Change) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// readDeltas reads git's raw differences:
//
//	{ ":" mode " " mode " " id " " id " " letter NUL path NUL }
func readDeltas(r io.Reader, limit int) ([]delta, error) {
	pieces := bufio.NewScanner(r)
	pieces.Buffer(nil, 1<<20)
	pieces.Split(splitNUL)
	var list []delta
	for pieces.Scan() {
		f := strings.Fields(strings.TrimPrefix(pieces.Text(), ":"))
		if len(f) != 5 || len(f[4]) != 1 || !objectID.MatchString(f[2]) || !objectID.MatchString(f[3]) ||
			!pieces.Scan() {
			return nil, errors.Join(errors.New("read differences: unexpected output from git"), pieces.Err())
		}
		if len(list) == limit {
			return nil, tooMuch()
		}
		list = append(list, delta{before: side{f[0], f[2]}, after: side{f[1], f[3]}, path: pieces.Text()})
	}
	return list, pieces.Err()
}

func tooMuch() error {
	return fault.New(fault.TooLarge, "changes_too_large", "The branch has too many changes to show.").
		WithHint("View them with git.")
}

// below returns a path of the repository as seen from a folder.
func below(folder, p string) string {
	if rest, ok := strings.CutPrefix(p, folder+"/"); ok {
		return rest
	}
	if folder == "" {
		return p
	}
	rel, err := filepath.Rel("/"+folder, "/"+p)
	if err != nil {
		return path.Join("..", p) // cannot be: both begin at the root
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
