package git

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// maxTarget limits a symbolic link's target in bytes.
const maxTarget = 4096

// write passes the files of the remote's folder at commit to a sink. Bytes are taken unchanged from git's objects: the
// repository's attributes, filters and line-ending rules have no effect.
func (j *job) write(ctx context.Context, m *mirror, commit string, to sourcetree.Sink) (sourcetree.Snapshot, error) {
	folder, err := cleanFolder(j.remote.Folder)
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	entries, err := j.list(ctx, m, commit+":"+folder)
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	var s sourcetree.Snapshot
	err = j.stream(ctx, m, func(in io.WriteCloser, out io.Reader) error {
		o := &objects{in: in, out: bufio.NewReaderSize(out, 64<<10)}
		if err := o.targets(entries); err != nil {
			return err
		}
		files, findings, err := sourcetree.Plan(entries, j.cache.opt.Limits)
		if err != nil {
			return err
		}
		s.Diagnostics, s.Linked = findings, linked(files)
		files = slices.DeleteFunc(files, func(f sourcetree.File) bool { return to.Keep(f.Path, f.Entry.Key) })
		return o.each(len(files), func(i int) string { return files[i].Entry.Key }, func(i int, r io.Reader) error {
			return to.Put(files[i].Path, files[i].Entry.Key, r)
		})
	}, "cat-file", "--batch")
	s.Files, s.Bytes = to.Total()
	return s, err
}

// linked returns the files that were written in place of links, with their targets.
func linked(files []sourcetree.File) map[string]string {
	var out map[string]string
	for _, f := range files {
		if f.Path == f.Entry.Path {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[f.Path] = f.Entry.Path
	}
	return out
}

// list reads the tree's leaves. Nested trees can name billions of files in a few objects, so reading stops at a
// limit.
func (j *job) list(ctx context.Context, m *mirror, tree string) ([]sourcetree.Entry, error) {
	var entries []sourcetree.Entry
	err := j.all(ctx, m, tree, func(l leaf) { entries = append(entries, l.entry()) })
	return entries, err
}

// all calls use for each leaf of a tree, at any depth.
func (j *job) all(ctx context.Context, m *mirror, tree string, use func(leaf)) error {
	limit, n := 4*j.cache.opt.Limits.OrDefault().Files, 0
	err := j.leaves(ctx, m, func(l leaf) error {
		if n++; n > limit {
			return fault.Newf(fault.TooLarge, "source_too_many_files", "The source has more than %d files.", limit).
				WithHint("Set the docs folder to the part of the repository that contains the documentation.")
		}
		use(l)
		return nil
	}, "-r", "--full-tree", tree)
	if f, ok := fault.As(err); ok && f.Code != "source_too_many_files" && ctx.Err() == nil && j.session.Err() == nil {
		return fault.Newf(fault.NotFound, "folder_not_found", "The repository has no folder %q on this branch.",
			j.remote.Folder).
			WithField("docsFolder").WithCause(err)
	}
	return err
}

// entry converts the leaf to an entry of a snapshot plan.
func (l leaf) entry() sourcetree.Entry {
	e := sourcetree.Entry{Path: l.path, Key: l.id, Size: l.size}
	switch {
	case l.kind == "commit":
		e.Kind = sourcetree.Submodule
	case l.mode == modeLink:
		e.Kind = sourcetree.Link
	case l.kind != "blob":
		e.Kind = sourcetree.Special
	}
	return e
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
