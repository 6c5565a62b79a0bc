package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// syncers is how many files are synced at once: file systems take many into one step.
const syncers = 16

// syncTree makes everything below a folder outlast a power cut.
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
				if err := syncFolder(name); err != nil {
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

// syncFolder syncs one file, or one folder's list.
func syncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	return errors.Join(f.Sync(), f.Close())
}
