// Package scratch creates temporary folders, one per task, and removes the folders of processes that died.
//
// Inputs: the server's data folder. Outputs: empty, private folders that are removed when the task ends; the next
// start removes what a dead process left behind (J8). It is for temporary files only; results go to the blob store.
package scratch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/filelock"
)

// Space is the folder that contains this process's work folders.
type Space struct {
	root string
	mu   sync.Mutex
	dir  string   // guarded by mu; "" while the disk is too full to create it
	lock *os.File // held while the process runs; the kernel releases the lock of a dead process
}

const lockName = "lock"

// Open creates the process's folder below root, and removes the folders of processes that have ended.
//
// If the disk is full, the first call of Folder that succeeds creates the folder instead. A server that only reads does
// not need it.
func Open(root string) (*Space, error) {
	s := &Space{root: root}
	if _, err := s.place(); err != nil && !fault.IsFull(err) {
		return nil, err
	}
	return s, nil
}

// place returns the process's own folder. It creates the folder if necessary.
func (s *Space) place() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir != "" {
		return s.dir, nil
	}
	if err := os.MkdirAll(s.root, 0o700); err != nil {
		return "", fmt.Errorf("create work folder: %w", err)
	}
	// Only one process does this at a time: it must create and lock its folder before another process checks whether
	// the folder's owner is alive.
	turn, err := filelock.WaitFile(context.Background(), filepath.Join(s.root, lockName))
	if err != nil {
		return "", fmt.Errorf("lock work folder: %w", err)
	}
	defer func() { _ = turn.Close() }()
	if err := removeDead(s.root); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(s.root, "process-")
	if err != nil {
		return "", fmt.Errorf("create work folder: %w", err)
	}
	if s.lock, err = filelock.TryFile(filepath.Join(dir, lockName)); err != nil {
		return "", errors.Join(fmt.Errorf("lock work folder: %w", err), os.RemoveAll(dir))
	}
	s.dir = dir
	return dir, nil
}

// removeDead removes every folder whose lock is free.
func removeDead(root string) error {
	places, err := filepath.Glob(filepath.Join(root, "process-*"))
	if err != nil {
		return fmt.Errorf("list work folders: %w", err)
	}
	for _, place := range places {
		lock, err := filelock.TryFile(filepath.Join(place, lockName))
		if err != nil {
			continue // its process is alive
		}
		err = os.RemoveAll(place)
		if err := errors.Join(err, lock.Close()); err != nil {
			return fmt.Errorf("remove old work folder: %w", err)
		}
	}
	return nil
}

// Folder creates an empty folder. The caller must always remove it with the returned function.
func (s *Space) Folder(name string) (dir string, remove func() error, err error) {
	place, err := s.place()
	if err != nil {
		return "", nil, err
	}
	dir, err = os.MkdirTemp(place, name+"-")
	if err != nil {
		return "", nil, fmt.Errorf("create work folder: %w", err)
	}
	return dir, func() error { return os.RemoveAll(dir) }, nil
}

// Close removes the process's folder with everything in it.
func (s *Space) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" {
		return nil
	}
	return errors.Join(os.RemoveAll(s.dir), s.lock.Close())
}
