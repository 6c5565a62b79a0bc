// Package durable syncs files and folders to disk, so that they survive a power failure.
//
// Inputs: paths of files and folders. Outputs: their content on stable storage. It never writes or removes files,
// and creates only folders.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// syncers is the number of files that are synced concurrently. File systems combine concurrent syncs into one
// commit.
const syncers = 16

// Sync flushes a file's content, or a folder's entries, to disk.
func Sync(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	return errors.Join(f.Sync(), f.Close())
}

// MkdirAll creates a folder and its parents, and syncs the directory entry of each new one. It does nothing for
// existing folders.
func MkdirAll(dir string, mode fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := MkdirAll(parent, mode); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, mode); err != nil {
		if info, statErr := os.Stat(dir); statErr == nil && info.IsDir() {
			return nil // another process created it and syncs it
		}
		return err
	}
	return Sync(parent)
}

// SyncTree syncs a folder and everything in it.
func SyncTree(dir string) error {
	names := make(chan string, syncers)
	var (
		work   sync.WaitGroup
		mu     sync.Mutex
		failed error
	)
	for range syncers {
		work.Go(func() {
			for name := range names {
				if err := Sync(name); err != nil {
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
