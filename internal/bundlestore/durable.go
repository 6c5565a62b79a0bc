package bundlestore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// replace writes a small file as a whole: whoever reads it finds the old content or the new one, after a power cut too.
func (v *Volume) replace(name string, data []byte) error {
	f, err := os.CreateTemp(v.dir, "."+name+"-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	v.at(name + " written")
	if err == nil {
		err = os.Rename(f.Name(), v.path(name))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), os.Remove(f.Name()))
	}
	v.at(name + " replaced")
	return syncPath(v.dir)
}

// syncPath makes a file's content, or a folder's list, outlast a power cut.
func syncPath(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncers is how many files are synced at once: file systems take many into one step.
const syncers = 16

// syncTree syncs everything below a folder.
func syncTree(dir string) error {
	names := make(chan string, syncers)
	var (
		work   sync.WaitGroup
		mu     sync.Mutex
		failed error
	)
	for range syncers {
		work.Go(func() {
			for name := range names {
				if err := syncPath(name); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
				}
			}
		})
	}
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err == nil {
			names <- name
		}
		return err
	})
	close(names)
	work.Wait()
	return errors.Join(err, failed)
}
