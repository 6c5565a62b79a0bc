package build

import (
	"io/fs"
	"path"
	"sync"
)

// askedFS notes which files a build asks for, found or not, so that a change of one of them is known to matter. It is safe for
// concurrent use.
type askedFS struct {
	fs.FS
	mu    sync.Mutex
	names map[string]bool // true for folders that were listed
}

func newAskedFS(src fs.FS) *askedFS { return &askedFS{FS: src, names: map[string]bool{}} }

// unwatched is the folder itself, for reads that are looked after otherwise: those of the scan, and each page's own source.
func unwatched(src fs.FS) fs.FS {
	if a, ok := src.(*askedFS); ok {
		return a.FS
	}
	return src
}

func (a *askedFS) note(name string, listed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.names[name] = a.names[name] || listed
}

// has tells whether a change of this file matters.
func (a *askedFS) has(file string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, asked := a.names[file]
	return asked || a.names[path.Dir(file)]
}

// Open implements fs.FS.
func (a *askedFS) Open(name string) (fs.File, error) {
	a.note(name, false)
	return a.FS.Open(name)
}

// ReadFile implements fs.ReadFileFS.
func (a *askedFS) ReadFile(name string) ([]byte, error) {
	a.note(name, false)
	return fs.ReadFile(a.FS, name)
}

// Stat implements fs.StatFS.
func (a *askedFS) Stat(name string) (fs.FileInfo, error) {
	a.note(name, false)
	return fs.Stat(a.FS, name)
}

// Lstat implements fs.ReadLinkFS.
func (a *askedFS) Lstat(name string) (fs.FileInfo, error) {
	a.note(name, false)
	return fs.Lstat(a.FS, name)
}

// ReadLink implements fs.ReadLinkFS.
func (a *askedFS) ReadLink(name string) (string, error) {
	a.note(name, false)
	return fs.ReadLink(a.FS, name)
}

// ReadDir implements fs.ReadDirFS.
func (a *askedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	a.note(name, true)
	return fs.ReadDir(a.FS, name)
}
