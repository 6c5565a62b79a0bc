package localdir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// Snapshot passes the regular files of folder, a slash-separated path relative to the place ("" is the place itself),
// to a sink. private is a folder that is never read, wherever it is; "" = none. The snapshot's Commit is "tree-" and the
// SHA-256 over every file's path, size and SHA-256 in order, so two snapshots have the same name exactly when they
// contain the same files.
func Snapshot(ctx context.Context, place Place, folder, private string, to sourcetree.Sink,
	limits sourcetree.Limits) (sourcetree.Snapshot, error) {
	root, err := open(place, folder)
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	defer root.Close()
	if Within(filepath.Join(place.Path, folder), private) {
		return sourcetree.Snapshot{}, Private("source.path")
	}
	entries, err := list(ctx, root.FS(), private, limits.OrDefault())
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	files, findings, err := sourcetree.Plan(entries, limits)
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	tree := sha256.New()
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return sourcetree.Snapshot{}, fmt.Errorf("copy folder: %w", err)
		}
		if err := copyFile(root, to, f, tree); err != nil {
			return sourcetree.Snapshot{}, fmt.Errorf("copy folder: %w", err)
		}
	}
	s := sourcetree.Snapshot{Commit: "tree-" + hex.EncodeToString(tree.Sum(nil)), Diagnostics: findings}
	s.Files, s.Bytes = to.Total()
	return s, nil
}

// open opens the docs folder so that no path below it can escape from it.
func open(place Place, folder string) (*os.Root, error) {
	outer, err := place.Open()
	if err != nil {
		return nil, err
	}
	defer outer.Close()
	inner, err := outer.OpenRoot(path.Clean("./" + folder))
	if err != nil {
		return nil, fault.Newf(fault.NotFound, "folder_not_found", "The source has no folder %q.", folder).
			WithField("docsFolder").WithCause(err)
	}
	return inner, nil
}

// list walks the folder without following links. It skips version control data and installed packages, and stops at
// more entries than any plan accepts, because a caller may specify the whole disk.
func list(ctx context.Context, src fs.FS, private string, limits sourcetree.Limits) ([]sourcetree.Entry, error) {
	hidden := identify(private)
	var entries []sourcetree.Entry
	visited := 0
	ahead := &aheadFS{FS: src, ready: map[string]*listing{}}
	defer ahead.close()
	err := fs.WalkDir(ahead, ".", func(p string, d fs.DirEntry, err error) error {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if !covers(d.Name()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil // in a linked work tree, .git is a file
		}
		if visited++; visited > limits.Visits() {
			return limits.TooMany()
		}
		if d.IsDir() {
			return hidden.skip(d)
		}
		e, err := entry(src, p, d)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed during the walk
		}
		entries = append(entries, e)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list folder: %w", err)
	}
	return entries, nil
}

// covers reports whether a folder entry with this name can be documentation.
func covers(name string) bool { return name != ".git" && name != "node_modules" }

// Covers reports whether Examine and Snapshot include a path: they skip version control data and installed
// packages.
func Covers(p string) bool {
	return !slices.ContainsFunc(strings.Split(p, "/"), func(s string) bool { return !covers(s) })
}

func entry(src fs.FS, p string, d fs.DirEntry) (sourcetree.Entry, error) {
	e := sourcetree.Entry{Path: p, Key: p}
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		target, err := fs.ReadLink(src, p)
		e.Kind, e.Target = sourcetree.Link, filepath.ToSlash(target)
		return e, err
	case !d.Type().IsRegular():
		e.Kind = sourcetree.Special
		return e, nil
	}
	info, err := d.Info()
	if err != nil {
		return e, err
	}
	e.Size, e.Info = info.Size(), info
	return e, nil
}

// copyFile writes one file and adds its line to the tree's hash.
func copyFile(root *os.Root, to sourcetree.Sink, f sourcetree.File, tree hash.Hash) error {
	// Non-blocking, in case the file has become a pipe since it was listed.
	in, err := root.OpenFile(f.Entry.Key, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.Join(fmt.Errorf("%s is no longer a regular file", f.Path), err)
	}
	sum, size := sha256.New(), &counter{}
	if err := to.Put(f.Path, "", io.TeeReader(in, io.MultiWriter(sum, size))); err != nil {
		return err
	}
	tree.Write(appendLine(nil, f.Path, size.n, [sha256.Size]byte(sum.Sum(nil))))
	return nil
}

// appendLine appends a file's line in the tree's hash.
func appendLine(out []byte, path string, size int64, sum [sha256.Size]byte) []byte {
	out = append(append(out, path...), 0)
	out = append(strconv.AppendInt(out, size, 10), 0)
	return append(hex.AppendEncode(out, sum[:]), '\n')
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }
