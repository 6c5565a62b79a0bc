package merge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/localdir"
)

// writeFolder applies the changes to a folder source. It first checks every file: if one matches neither the state
// before the changes nor the state after them, nothing is written. Each file is replaced atomically. It also checks
// again whether the organization may use the folder, since the folder may have been assigned to another organization.
func (m *Merger) writeFolder(ctx context.Context, of project.Project, changes []draft.Change) error {
	place, err := m.Local.Allow(ctx, of.OrganizationID, of.Source.Path)
	if err != nil {
		return err
	}
	outer, err := place.Open()
	if err != nil {
		return err
	}
	defer func() { _ = outer.Close() }()
	root, err := outer.OpenRoot(path.Clean("./" + of.DocsFolder))
	if err != nil {
		return noFolder(err)
	}
	defer func() { _ = root.Close() }()
	left, err := survey(ctx, of, root, m.Private, changes)
	if err != nil {
		return err
	}
	goes := taken(changes)
	for _, c := range left {
		// Check again just before the write: writing many files takes time, and someone may save one of them
		// meanwhile.
		if done, err := checkFile(root, c, goes); errors.Is(err, errChanged) {
			return fault.Newf(fault.Conflict, "folder_changed",
				"%s in the source folder changed while the proposal was being merged.", c.Path).
				WithHint("Merge again; files that are already written stay.")
		} else if err == nil && done {
			continue
		}
		if err := put(root, c); err != nil {
			return fault.Newf(fault.Unavailable, "folder_not_writable",
				"%s could not be written into the source folder.", c.Path).
				WithHint(
					"Give the server's user write permission there, then merge again; files that are already written stay.").WithCause(err)
		}
	}
	return nil
}

// taken returns the paths that the changes remove: files, and folders that may become empty.
func taken(changes []draft.Change) map[string]bool {
	goes := map[string]bool{}
	for _, c := range changes {
		for dir := c.Path; c.After == nil && dir != "."; dir = path.Dir(dir) {
			goes[dir] = true
		}
	}
	return goes
}

// survey checks every file and returns the changes that still have to be written, removals first.
func survey(ctx context.Context, of project.Project, root *os.Root, private string,
	changes []draft.Change) ([]draft.Change, error) {
	goes, after := taken(changes), map[string][]byte{}
	for _, c := range changes {
		after[c.Path] = c.After
	}
	var left []draft.Change
	var changed []string
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("write folder: %w", err)
		}
		if err := allowed(of, private, c.Path); err != nil {
			return nil, err
		}
		if follows(root, c, after) {
			continue
		}
		done, err := checkFile(root, c, goes)
		switch {
		case errors.Is(err, errChanged):
			changed = append(changed, c.Path)
		case err != nil:
			return nil, fmt.Errorf("stat %s: %w", c.Path, err)
		case !done:
			left = append(left, c)
		}
	}
	if len(changed) > 0 {
		return nil, folderChanged(changed)
	}
	slices.SortStableFunc(left, func(a, b draft.Change) int { return order(a) - order(b) })
	return left, nil
}

// follows reports whether a file is a link to another file that has the same content after the changes, so that writing
// the target changes both. In the repository, a copy of the file takes the place of the link.
func follows(root *os.Root, c draft.Change, after map[string][]byte) bool {
	target, err := root.Readlink(c.Path)
	if err != nil || filepath.IsAbs(target) || c.After == nil {
		return false
	}
	data := after[path.Join(path.Dir(c.Path), filepath.ToSlash(target))]
	return data != nil && bytes.Equal(data, c.After)
}

func order(c draft.Change) int {
	if c.After == nil {
		return 0
	}
	return 1
}

// allowed rejects paths outside the folder or inside the server's own data folder.
func allowed(of project.Project, private, p string) error {
	if !fs.ValidPath(p) || p == "." {
		return fault.Newf(fault.Forbidden, "path_not_allowed", "%s is not in the docs folder.", p)
	}
	at := filepath.Join(of.Source.Path, filepath.FromSlash(of.DocsFolder), filepath.FromSlash(p))
	for {
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		at = filepath.Dir(at)
	}
	if localdir.Within(at, private) {
		return localdir.Private("source.path")
	}
	return nil
}

var errChanged = errors.New("the file has changed in the meantime")

// checkFile compares a file with both sides of its change. done means that the file already has the new content. goes
// holds the paths that the changes remove.
func checkFile(root *os.Root, c draft.Change, goes map[string]bool) (done bool, err error) {
	now, err := read(root, c.Path, max(len(c.Before), len(c.After)), goes)
	if err != nil {
		return false, err
	}
	same := func(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }
	switch {
	case same(now, c.After):
		return true, nil
	case same(now, c.Before):
		return false, nil
	}
	return false, errChanged
}

// read returns a file's bytes, or nil if it does not exist. It returns errChanged for anything but a regular file of
// at most the given size.
func read(root *os.Root, name string, most int, goes map[string]bool) ([]byte, error) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := root.Lstat(dir)
		switch {
		case err != nil || info.IsDir():
		case goes[dir] && info.Mode().IsRegular():
			return nil, nil // the file is replaced by a folder
		default:
			return nil, errChanged // a file or link has replaced a folder
		}
	}
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() && goes[name] {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > int64(most) {
		return nil, errChanged
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // O_NONBLOCK, in case it has become a pipe
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	data, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if data == nil {
		data = []byte{}
	}
	return data, err
}

// put replaces, creates or removes a file.
func put(root *os.Root, c draft.Change) error {
	if c.After == nil {
		if err := root.Remove(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for dir := path.Dir(c.Path); dir != "."; dir = path.Dir(dir) {
			if root.Remove(dir) != nil { // the folder is not empty
				break
			}
		}
		return nil
	}
	mode := fs.FileMode(0o644)
	if info, err := root.Stat(c.Path); err == nil {
		mode = info.Mode().Perm()
	}
	dir, base := path.Split(c.Path)
	if err := root.MkdirAll(path.Clean(dir), 0o755); err != nil {
		return err
	}
	half := dir + "." + cut(base, 200) + ".lectern-new"
	if err := writeWhole(root, half, c.After, mode); err != nil {
		return errors.Join(err, root.Remove(half))
	}
	return root.Rename(half, c.Path)
}

// writeWhole writes a file and syncs it to disk.
func writeWhole(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	_ = root.Remove(name) // left by a server that crashed
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func cut(s string, most int) string {
	if len(s) > most {
		return s[:most]
	}
	return s
}

func noFolder(err error) error {
	return fault.New(fault.NotFound, "source_not_found", "The source folder does not exist or cannot be read.").
		WithField("source.path").WithCause(err)
}

// maxNamed is the maximum number of files listed in a conflict.
const maxNamed = 20

func folderChanged(files []string) error {
	if len(files) > maxNamed {
		files = append(files[:maxNamed:maxNamed], "…")
	}
	return fault.Newf(fault.Conflict, "folder_changed",
		"Nothing was written: these files in the source folder have just changed, or are symbolic links: %s.",
		strings.Join(files, ", ")).
		WithHint("Merge again. A file behind a symbolic link can only be changed at its target.")
}
