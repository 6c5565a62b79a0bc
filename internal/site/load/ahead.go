package load

import (
	"io/fs"
	"sync"
)

// ahead lists folders in other goroutines before a walk comes to them. It belongs to the walk's goroutine, which closes it.
type ahead struct {
	src   fs.FS
	ready map[string]*listing
	ended sync.WaitGroup
}

type listing struct {
	done    chan struct{} // closed when what follows is there
	entries []fs.DirEntry
	err     error
}

// aheadMax is how many folders are listed before they are asked for.
const aheadMax = 8

func newAhead(src fs.FS) *ahead { return &ahead{src: src, ready: map[string]*listing{}} }

// full tells that there is no room for more.
func (a *ahead) full() bool { return len(a.ready) >= aheadMax }

// start begins to list a folder.
func (a *ahead) start(dir string) {
	l := &listing{done: make(chan struct{})}
	a.ready[dir] = l
	a.ended.Go(func() {
		defer close(l.done)
		l.entries, l.err = fs.ReadDir(a.src, dir)
	})
}

// list is what a folder holds.
func (a *ahead) list(dir string) ([]fs.DirEntry, error) {
	l := a.ready[dir]
	if l == nil {
		return fs.ReadDir(a.src, dir)
	}
	delete(a.ready, dir)
	<-l.done
	return l.entries, l.err
}

// close waits for folders that nobody came to.
func (a *ahead) close() { a.ended.Wait() }
