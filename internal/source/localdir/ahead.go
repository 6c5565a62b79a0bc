package localdir

import (
	"io/fs"
	"path"
	"slices"
	"sync"
)

// aheadFS lists folders, including file information, in other goroutines before a walk reaches them. It is used only by
// the walk's goroutine, which closes it.
type aheadFS struct {
	fs.FS
	next  []string // folders that the walk will reach, in order
	ready map[string]*listing
	ended sync.WaitGroup
}

type listing struct {
	done    chan struct{} // closed when the fields below are set
	entries []fs.DirEntry
	err     error
}

// aheadMax is the number of folders that are listed ahead of the walk.
const aheadMax = 8

// ReadDir implements fs.ReadDirFS.
func (a *aheadFS) ReadDir(name string) ([]fs.DirEntry, error) {
	l := a.ready[name]
	if l == nil {
		l = a.start(name)
	}
	a.next = slices.DeleteFunc(a.next, func(s string) bool { return s == name })
	delete(a.ready, name)
	<-l.done
	var folders []string
	for _, e := range l.entries {
		if e.IsDir() && covers(e.Name()) {
			folders = append(folders, path.Join(name, e.Name()))
		}
	}
	a.next = append(folders, a.next...)
	for len(a.ready) < aheadMax && len(a.next) > 0 {
		a.ready[a.next[0]] = a.start(a.next[0])
		a.next = a.next[1:]
	}
	return l.entries, l.err
}

func (a *aheadFS) start(name string) *listing {
	l := &listing{done: make(chan struct{})}
	a.ended.Go(func() {
		defer close(l.done)
		l.entries, l.err = fs.ReadDir(a.FS, name)
		for i, e := range l.entries {
			if !e.Type().IsRegular() {
				continue
			}
			if info, err := e.Info(); err == nil { // after an error, the walk tries again
				l.entries[i] = fs.FileInfoToDirEntry(info)
			}
		}
	})
	return l
}

// ReadLink implements fs.ReadLinkFS.
func (a *aheadFS) ReadLink(name string) (string, error) { return fs.ReadLink(a.FS, name) }

// Lstat implements fs.ReadLinkFS.
func (a *aheadFS) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(a.FS, name) }

// close waits for listings of folders that the walk did not reach.
func (a *aheadFS) close() { a.ended.Wait() }
