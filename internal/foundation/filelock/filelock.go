// Package filelock locks open files against other processes, and against other open files of the same process.
//
// Inputs: an open file, or the path of a lock file. Outputs: a lock that is held until every process that has the
// descriptor closes it or dies, including child processes that inherited it. It never removes a lock file, because
// another process may be waiting for it.
//
// These are the advisory locks of flock(2). Some file systems, such as NFS without its lock service, do not support
// them. There, every function returns the kernel's error (ENOLCK, ENOTSUP), which is not ErrHeld. Callers decide
// what to do then: a cache treats the file as locked, a reader continues without a lock.
//
// github.com/gofrs/flock does not fit: it opens the file itself, by path, and keeps the descriptor private. Our callers
// lock files that they opened below an os.Root, created with O_EXCL or gave to another owner; they pass the descriptor
// to git, and compare the open file with the file that currently has its name.
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

// ErrHeld means that a conflicting lock is held elsewhere.
var ErrHeld = errors.New("the file is locked by another process")

// Kind is the kind of a lock.
type Kind int

// A Shared lock conflicts with exclusive locks only. An Exclusive lock conflicts with all others.
const (
	Shared    Kind = syscall.LOCK_SH
	Exclusive Kind = syscall.LOCK_EX
)

// poll is the interval between attempts to get a lock. The kernel could wait for the lock itself, but a context cannot
// interrupt such a wait.
const poll = 25 * time.Millisecond

// Try locks f. It returns ErrHeld at once if a conflicting lock is held.
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

// Wait locks f as soon as no conflicting lock is held, or returns the error of ctx.
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

// TryFile opens a lock file that only its owner can read and locks it exclusively, or returns ErrHeld. Closing the
// file releases the lock.
func TryFile(path string) (*os.File, error) {
	return lockFile(path, func(f *os.File) error { return Try(f, Exclusive) })
}

// WaitFile is like TryFile, but waits for the lock.
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
