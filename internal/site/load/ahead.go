package load

import (
	"io/fs"
	"sync"
)

// ahead lists folders concurrently before a walk reaches them. Only the goroutine that walks may use it. It must also
// close it.
type ahead struct {
	src   fs.FS
	ready map[string]*listing
	ended sync.WaitGroup
}

type listing struct {
	done    chan struct{} // closed when the fields below are set
	entries []fs.DirEntry
	err     error
}

// aheadMax is the number of folders listed ahead of the walk.
const aheadMax = 8

func newAhead(src fs.FS) *ahead { return &ahead{src: src, ready: map[string]*listing{}} }

// full reports whether aheadMax folders are pending.
func (a *ahead) full() bool { return len(a.ready) >= aheadMax }

// start starts listing a folder.
func (a *ahead) start(dir string) {
	l := &listing{done: make(chan struct{})}
	a.ready[dir] = l
	a.ended.Go(func() {
		defer close(l.done)
		l.entries, l.err = fs.ReadDir(a.src, dir)
	})
}

// list returns the entries of a folder.
func (a *ahead) list(dir string) ([]fs.DirEntry, error) {
	l := a.ready[dir]
	if l == nil {
		return fs.ReadDir(a.src, dir)
	}
	delete(a.ready, dir)
	<-l.done
	return l.entries, l.err
}

// close waits for folders that were started but not used.
func (a *ahead) close() { a.ended.Wait() }
