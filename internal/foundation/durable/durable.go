// Package durable syncs files and folders to disk, so that they survive a power failure.
//
// Inputs: paths of files and folders.
// Outputs: their content on stable storage.
// It never writes or removes files; folders are the only thing it creates.
package durable

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

// Sync brings a file's content, or a folder's list, to the disk.
func Sync(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	return errors.Join(f.Sync(), f.Close())
}

// MkdirAll makes a folder and the folders above it, and brings the name of each that is new to the disk. Folders that are there cost nothing.
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
			return nil // another process was quicker, and syncs it
		}
		return err
	}
	return Sync(parent)
}

// SyncTree syncs everything below a folder, and the folder.
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
