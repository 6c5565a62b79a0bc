package cli

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// without is a file system that hides one path and everything below it.
type without struct {
	fs.FS
	path string
}

func (w without) Open(name string) (fs.File, error) {
	if name == w.path || strings.HasPrefix(name, w.path+"/") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return w.FS.Open(name)
}

// ReadDir implements fs.ReadDirFS.
func (w without) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(w.FS, name)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return path.Join(name, e.Name()) == w.path }), err
}

// ReadLink implements fs.ReadLinkFS.
func (w without) ReadLink(name string) (string, error) { return fs.ReadLink(w.FS, name) }

// Lstat implements fs.ReadLinkFS.
func (w without) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(w.FS, name) }

// below returns the slash-separated path of name inside dir: "." for dir itself, "" if it is outside. name may not
// exist yet.
func below(dir, name string) (string, error) {
	dir, err := realPath(dir)
	if err != nil {
		return "", err
	}
	if name, err = realPath(name); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(dir, name)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", nil // on another volume, or outside
	}
	return filepath.ToSlash(rel), nil
}

// realPath returns name with symbolic links resolved, as far as it exists.
func realPath(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	rest := ""
	for at := name; ; at = filepath.Dir(at) {
		found, err := filepath.EvalSymlinks(at)
		if err == nil {
			return filepath.Join(found, rest), nil
		}
		if !errors.Is(err, os.ErrNotExist) || at == filepath.Dir(at) {
			return "", err
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
