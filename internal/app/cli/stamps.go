package cli

import (
	"io/fs"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/lectern-docs/lectern/internal/foundation/filestamp"
	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/source/localdir"
)

// stamps contains data that earlier commands stored about the files at a path: a docs folder, or an output. Its Index
// is nil without a cache, and on file systems where stamps are unreliable.
type stamps struct {
	*filestamp.Index
	cache  caching
	key    fingerprint.Sum
	record []byte // data stored by the earlier command
}

// stamps returns the data about the files at a path, which may not exist yet.
func (c caching) stamps(r *run, name string) stamps {
	at, err := realPath(name)
	if err != nil || c.session == nil || !filestamp.Local(at) {
		return stamps{}
	}
	s := stamps{cache: c, key: fingerprint.Of("stamps", filepath.ToSlash(at))}
	s.record, _ = c.session.Get(s.key)
	s.Index = filestamp.New(s.record, r.Now)
	return s
}

// keep stores the data for the next command, and returns its digest.
func (s stamps) keep() (sum fingerprint.Sum) {
	if s.Index == nil {
		return sum
	}
	if record, changed := s.Record(); changed {
		s.record = record
		s.cache.session.Put(s.key, record)
	}
	return fingerprint.Of(s.record)
}

// examinedFS is a docs folder. It records whether anything was read that localdir.Examine does not cover.
type examinedFS struct {
	fs.FS
	strayed *atomic.Bool
	listed  *listedFolders
}

// listedFolders passes the folder lists read while a docs folder was examined to the build, which needs each of them
// once. Changes made in between are found when the folder is examined again after the build.
type listedFolders struct {
	mu      sync.Mutex
	folders map[string][]fs.DirEntry
	keeping bool
}

// start stores the lists that are read until stop is called.
func (l *listedFolders) start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keeping, l.folders = true, map[string][]fs.DirEntry{}
}

func (l *listedFolders) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keeping = false
}

// forget drops the lists that were not taken.
func (l *listedFolders) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.folders = nil
}

func (l *listedFolders) add(name string, list []fs.DirEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keeping {
		l.folders[name] = list
	}
}

// take returns the list of a folder of fsys and forgets it, because lists of a large folder take much memory.
func (l *listedFolders) take(fsys fs.FS, name string) (list []fs.DirEntry, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keeping {
		return nil, false
	}
	old, ok := l.folders[name]
	delete(l.folders, name)
	entries := make([]listedEntry, len(old))
	for i, e := range old {
		entries[i] = listedEntry{e, fsys, name}
		list = append(list, &entries[i])
	}
	return list, ok
}

// listedEntry is an entry of a list that was read some time ago. A file's size may have changed since.
type listedEntry struct {
	fs.DirEntry
	fsys   fs.FS
	folder string
}

// Info implements fs.DirEntry.
func (e *listedEntry) Info() (fs.FileInfo, error) {
	return fs.Lstat(e.fsys, path.Join(e.folder, e.Name()))
}

func (x examinedFS) note(name string) {
	if !localdir.Covers(name) {
		x.strayed.Store(true)
	}
}

// Open implements fs.FS.
func (x examinedFS) Open(name string) (fs.File, error) { x.note(name); return x.FS.Open(name) }

// ReadDir implements fs.ReadDirFS.
func (x examinedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	x.note(name)
	if list, ok := x.listed.take(x.FS, name); ok {
		return list, nil
	}
	list, err := fs.ReadDir(x.FS, name)
	if err == nil {
		x.listed.add(name, list)
	}
	return list, err
}

// ReadFile implements fs.ReadFileFS.
func (x examinedFS) ReadFile(name string) ([]byte, error) {
	x.note(name)
	return fs.ReadFile(x.FS, name)
}

// Stat implements fs.StatFS.
func (x examinedFS) Stat(name string) (fs.FileInfo, error) { x.note(name); return fs.Stat(x.FS, name) }

// ReadLink implements fs.ReadLinkFS.
func (x examinedFS) ReadLink(name string) (string, error) {
	x.note(name)
	return fs.ReadLink(x.FS, name)
}

// Lstat implements fs.ReadLinkFS.
func (x examinedFS) Lstat(name string) (fs.FileInfo, error) {
	x.note(name)
	return fs.Lstat(x.FS, name)
}
