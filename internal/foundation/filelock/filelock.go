// Package filelock locks open files against other processes, and against other open files of the same process.
//
// Inputs: an open file, or the path of a lock file.
// Outputs: a lock that lasts until the file is closed in every process that has it: also a child process that inherited
// the descriptor holds it, and the kernel releases it when the last of them dies.
// Never: removes a lock file, since another process may be waiting for it.
//
// These are the advisory locks of flock(2). Some file systems, such as NFS without its lock service, have none; there,
// every function returns the kernel's error (ENOLCK, ENOTSUP), which is not ErrHeld. What that means is for the caller
// to decide: a cache treats it as locked, a reader goes on without.
//
// github.com/gofrs/flock was considered and does not fit: it opens the file itself, by path, and keeps the descriptor
// private. Our callers lock files that they have opened below an os.Root, created with O_EXCL or given to another
// owner; they pass the descriptor to git and compare the open file with the one that has its name now.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// ErrHeld is the error of Try when someone else holds a lock that excludes the wanted one.
var ErrHeld = errors.New("the file is locked by another process")

// Kind says who else may lock the file at the same time.
type Kind int

// A Shared lock excludes exclusive ones only. An Exclusive lock excludes all others.
const (
	Shared    Kind = syscall.LOCK_SH
	Exclusive Kind = syscall.LOCK_EX
)

// poll is how often a held lock is tried again. The kernel could wait by itself, but no context ends that.
const poll = 25 * time.Millisecond

// Try locks f, or returns ErrHeld at once.
func Try(f *os.File, k Kind) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	err = conn.Control(func(fd uintptr) {
		for {
			if locked = syscall.Flock(int(fd), int(k)|syscall.LOCK_NB); !errors.Is(locked, syscall.EINTR) {
				return
			}
		}
	})
	switch {
	case err != nil:
		return err
	case errors.Is(locked, syscall.EWOULDBLOCK):
		return ErrHeld
	case locked != nil:
		return &fs.PathError{Op: "flock", Path: f.Name(), Err: locked}
	}
	return nil
}

// Wait locks f as soon as no other process holds it, or returns the error of ctx.
func Wait(ctx context.Context, f *os.File, k Kind) error {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		err := Try(f, k)
		if !errors.Is(err, ErrHeld) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// TryFile opens a lock file, which only its owner may read, and locks it exclusively, or returns ErrHeld. Closing the
// file releases the lock.
func TryFile(path string) (*os.File, error) {
	return lockFile(path, func(f *os.File) error { return Try(f, Exclusive) })
}

// WaitFile is TryFile, but waits for the lock.
func WaitFile(ctx context.Context, path string) (*os.File, error) {
	return lockFile(path, func(f *os.File) error { return Wait(ctx, f, Exclusive) })
}

func lockFile(path string, lock func(*os.File) error) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock file: %w", err)
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
