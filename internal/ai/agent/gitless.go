package agent

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// withoutGit is a folder without git's own files, which may contain credentials.
type withoutGit struct{ base fs.FS }

var (
	_ fs.ReadDirFS  = withoutGit{}
	_ fs.ReadFileFS = withoutGit{}
	_ fs.StatFS     = withoutGit{}
)

func gits(name string) bool { return strings.EqualFold(name, ".git") }

func (w withoutGit) hidden(op, name string) error {
	if w.leads(name, maxLinks) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return nil
}

const maxLinks = 8 // links followed in a row

// leads reports whether a path leads to git's own files, possibly through links. Links that point outside the folder do
// not resolve at all.
func (w withoutGit) leads(name string, links int) bool {
	for end := 0; end < len(name); end++ {
		if n := strings.IndexByte(name[end:], '/'); n >= 0 {
			end += n
		} else {
			end = len(name)
		}
		if gits(path.Base(name[:end])) {
			return true
		}
		info, err := fs.Lstat(w.base, name[:end])
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		target, err := fs.ReadLink(w.base, name[:end])
		return err != nil || links == 0 || w.leads(path.Join(path.Dir(name[:end]), target, name[end:]), links-1)
	}
	return false
}

// Open opens a file or folder.
func (w withoutGit) Open(name string) (fs.File, error) {
	if err := w.hidden("open", name); err != nil {
		return nil, err
	}
	f, err := w.base.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if list, ok := f.(fs.ReadDirFile); ok && err == nil && info.IsDir() {
		return gitlessFolder{list}, nil
	}
	return f, nil
}

// ReadFile reads a file.
func (w withoutGit) ReadFile(name string) ([]byte, error) {
	if err := w.hidden("open", name); err != nil {
		return nil, err
	}
	return fs.ReadFile(w.base, name)
}

// Stat describes a file or folder.
func (w withoutGit) Stat(name string) (fs.FileInfo, error) {
	if err := w.hidden("stat", name); err != nil {
		return nil, err
	}
	return fs.Stat(w.base, name)
}

// ReadDir lists a folder.
func (w withoutGit) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := w.hidden("open", name); err != nil {
		return nil, err
	}
	list, err := fs.ReadDir(w.base, name)
	return dropGit(list), err
}

type gitlessFolder struct{ fs.ReadDirFile }

func (f gitlessFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	for {
		list, err := f.ReadDirFile.ReadDir(n)
		if list = dropGit(list); len(list) > 0 || err != nil || n <= 0 {
			return list, err
		}
	}
}

func dropGit(list []fs.DirEntry) []fs.DirEntry {
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return gits(e.Name()) })
}
