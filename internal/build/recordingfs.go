package build

import (
	"io/fs"
	"path"
	"sync"
)

// recordingFS records which files a build reads, including those that do not exist, so that Live knows which
// changes matter. It is safe for concurrent use.
type recordingFS struct {
	fs.FS
	mu    sync.Mutex
	names map[string]bool // true for folders that were listed
}

func newRecordingFS(src fs.FS) *recordingFS { return &recordingFS{FS: src, names: map[string]bool{}} }

// underlyingFS returns the folder without recording, for reads that are tracked in other ways: those of the scan and
// those of each page's own source.
func underlyingFS(src fs.FS) fs.FS {
	if a, ok := src.(*recordingFS); ok {
		return a.FS
	}
	return src
}

func (a *recordingFS) record(name string, listed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.names[name] = a.names[name] || listed
}

// affectedBy reports whether the build read this file or listed its folder, so that a change to the file affects the
// site.
func (a *recordingFS) affectedBy(file string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, asked := a.names[file]
	return asked || a.names[path.Dir(file)]
}

// Open implements fs.FS.
func (a *recordingFS) Open(name string) (fs.File, error) {
	a.record(name, false)
	return a.FS.Open(name)
}

// ReadFile implements fs.ReadFileFS.
func (a *recordingFS) ReadFile(name string) ([]byte, error) {
	a.record(name, false)
	return fs.ReadFile(a.FS, name)
}

// Stat implements fs.StatFS.
func (a *recordingFS) Stat(name string) (fs.FileInfo, error) {
	a.record(name, false)
	return fs.Stat(a.FS, name)
}

// Lstat implements fs.ReadLinkFS.
func (a *recordingFS) Lstat(name string) (fs.FileInfo, error) {
	a.record(name, false)
	return fs.Lstat(a.FS, name)
}

// ReadLink implements fs.ReadLinkFS.
func (a *recordingFS) ReadLink(name string) (string, error) {
	a.record(name, false)
	return fs.ReadLink(a.FS, name)
}

// ReadDir implements fs.ReadDirFS.
func (a *recordingFS) ReadDir(name string) ([]fs.DirEntry, error) {
	a.record(name, true)
	return fs.ReadDir(a.FS, name)
}
