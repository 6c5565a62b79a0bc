package filestamp

import (
	"crypto/sha256"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
)

// Check examines every file from earlier runs in the folder root and records those that are unchanged; see Has. whole
// reports whether all of them are unchanged. Check takes about a microsecond of processor time per file.
func (x *Index) Check(root *os.Root) (whole bool) {
	if x == nil {
		return false
	}
	found := make([]bool, len(x.known))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for i := range workers {
		from, to := len(x.known)*i/workers, len(x.known)*(i+1)/workers
		wg.Go(func() {
			folder := openFolder{root: root}
			defer folder.close()
			for i := from; i < to; i++ {
				stamp, ok := folder.stamp(x.known[i].name)
				found[i] = ok && stamp == x.stamp(i)
			}
		})
	}
	wg.Wait()
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, unchanged := range found {
		if unchanged {
			x.found[i] = true
		}
	}
	return !slices.Contains(found, false)
}

// Names returns the sorted paths of the files from earlier runs.
func (x *Index) Names() []string {
	if x == nil {
		return nil
	}
	names := make([]string, len(x.known))
	for i, f := range x.known {
		names[i] = f.name
	}
	return names
}

// Has returns the digest of a file that Check or Find found unchanged, or that Keep recorded.
func (x *Index) Has(name string) (sum [sha256.Size]byte, ok bool) {
	if x == nil {
		return sum, false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if e, ok := x.kept[name]; ok {
		return e.sum, e.stamp != Stamp{}
	}
	i, ok := x.locate(name)
	if !ok || !x.found[i] || x.stamp(i) == (Stamp{}) {
		return sum, false
	}
	return x.sum(i), true
}

// openFolder caches the folder of the last file. Consecutive files are mostly in the same folder, and opening
// folders is slow.
type openFolder struct {
	root *os.Root
	sub  *os.File
	name string // of sub
}

func (o *openFolder) stamp(name string) (s Stamp, ok bool) {
	if dir := path.Dir(name); o.sub == nil || o.name != dir {
		sub, err := o.root.Open(filepath.FromSlash(dir))
		if err != nil {
			return s, false
		}
		o.close()
		o.sub, o.name = sub, dir
	}
	return stampIn(o.sub, path.Base(name))
}

func (o *openFolder) close() {
	if o.sub != nil {
		_ = o.sub.Close() // opened for reading only
	}
}
