package gitrepo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/sourcetree"
)

// maxTarget bounds a symbolic link's target in bytes.
const maxTarget = 4096

// write puts the files of the remote's folder at commit into dst. Bytes are taken from git's objects as they are: no attribute,
// filter or line-ending rule of the repository takes part.
func (j *job) write(ctx context.Context, m *mirror, commit, dst string) (sourcetree.Snapshot, error) {
	folder, err := cleanFolder(j.remote.Folder)
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	entries, err := j.list(ctx, m, commit+":"+folder)
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	w, err := sourcetree.OpenWriter(dst, j.cache.opt.Limits)
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	defer w.Close()
	var s sourcetree.Snapshot
	err = j.stream(ctx, m, func(in io.WriteCloser, out io.Reader) error {
		o := &objects{in: in, out: bufio.NewReaderSize(out, 64<<10)}
		if err := o.targets(entries); err != nil {
			return err
		}
		files, told, err := sourcetree.Plan(entries, j.cache.opt.Limits)
		if err != nil {
			return err
		}
		s.Diagnostics = told
		return o.each(len(files), func(i int) string { return files[i].Entry.Key }, func(i int, r io.Reader) error {
			return w.Put(files[i].Path, r)
		})
	}, "cat-file", "--batch")
	s.Files, s.Bytes = w.Total()
	return s, err
}

// list reads the tree's leaves. A tree of trees can name billions of them in a few objects, so reading stops early.
func (j *job) list(ctx context.Context, m *mirror, tree string) ([]sourcetree.Entry, error) {
	limit := 4 * j.cache.opt.Limits.OrDefault().Files
	var entries []sourcetree.Entry
	err := j.stream(ctx, m, func(_ io.WriteCloser, out io.Reader) error {
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		lines.Split(splitNUL)
		for lines.Scan() {
			e, err := parseEntry(lines.Text())
			if err != nil {
				return err
			}
			if entries = append(entries, e); len(entries) > limit {
				return fault.Newf(fault.TooLarge, "source_too_many_files", "The source has more than %d files.", limit).
					WithHint("Set the docs folder to the part of the repository that holds the documentation.")
			}
		}
		return lines.Err()
	}, "ls-tree", "-r", "-z", "-l", "--full-tree", tree)
	if f, ok := fault.As(err); ok && f.Code != "source_too_many_files" && ctx.Err() == nil && j.session.Err() == nil {
		return nil, fault.Newf(fault.NotFound, "folder_not_found", "The repository has no folder %q on this branch.", j.remote.Folder).
			WithField("docsFolder").WithCause(err)
	}
	return entries, err
}

// parseEntry reads "mode type id size<TAB>path".
func parseEntry(line string) (sourcetree.Entry, error) {
	meta, name, ok := strings.Cut(line, "\t")
	f := strings.Fields(meta)
	if !ok || len(f) != 4 {
		return sourcetree.Entry{}, errors.New("read tree: unexpected line from git")
	}
	e := sourcetree.Entry{Path: name, Key: f[2]}
	switch {
	case f[1] == "commit":
		e.Kind = sourcetree.Submodule
		return e, nil
	case f[0] == "120000":
		e.Kind = sourcetree.Link
	case f[1] != "blob":
		e.Kind = sourcetree.Special
		return e, nil
	}
	size, err := strconv.ParseInt(f[3], 10, 64)
	if err != nil {
		return sourcetree.Entry{}, fmt.Errorf("read tree: %w", err)
	}
	e.Size = size
	return e, nil
}

func splitNUL(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return 0, nil, nil
}
