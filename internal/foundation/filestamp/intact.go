package filestamp

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
)

// Intact reports whether every file of a record is in the folder and has its stamp. Other files may be there too.
func Intact(root *os.Root, record []byte) bool {
	type file struct {
		name  string
		stamp Stamp
	}
	var files []file
	if !read(record, func(name string, e entry) { files = append(files, file{name, e.stamp}) }) {
		return false
	}
	workers := runtime.GOMAXPROCS(0)
	var changed atomic.Bool
	var wg sync.WaitGroup
	for i := range workers {
		part := files[len(files)*i/workers : len(files)*(i+1)/workers]
		wg.Go(func() {
			folder := openFolder{root: root}
			defer folder.close()
			for _, f := range part {
				info, err := folder.lstat(f.name)
				if err != nil || changed.Load() {
					changed.Store(true)
					return
				}
				if stamp, ok := Of(info); !ok || stamp != f.stamp {
					changed.Store(true)
					return
				}
			}
		})
	}
	wg.Wait()
	return !changed.Load()
}

// openFolder is the folder of the last file: most files share it with the one before, and opening folders is slow.
type openFolder struct {
	root, sub *os.Root
	name      string // of sub
}

func (o *openFolder) lstat(name string) (fs.FileInfo, error) {
	dir := path.Dir(name)
	if dir == "." {
		return o.root.Lstat(name)
	}
	if o.sub == nil || o.name != dir {
		sub, err := o.root.OpenRoot(filepath.FromSlash(dir))
		if err != nil {
			return nil, err
		}
		o.close()
		o.sub, o.name = sub, dir
	}
	return o.sub.Lstat(path.Base(name))
}

func (o *openFolder) close() {
	if o.sub != nil {
		_ = o.sub.Close() // only read
	}
}
