package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// storage checks whether the data folder is writable and stored files are readable. It is safe for concurrent use.
type storage struct {
	dir  string
	blob blob.Store
	now  func() time.Time
	log  *slog.Logger

	mu    sync.Mutex
	asked time.Time // time of the last check; guarded by mu, like err
	err   error     // result of the last check; nil = no problem
}

const (
	storageLife = 2 * time.Second // how long a result is cached
	roomEnough  = 64 << 20        // with this many free bytes, no test file is written
	roomProbe   = 256 << 10       // size of the test file: a few pages of the database and its log
	mayWrite    = 0x2             // W_OK of access(2), which fails for every user on a read-only disk
	blobLife    = 3 * time.Second // timeout of the blob store
	// noBlob is the key of a file that never exists. A store that reports the key as missing works.
	noBlob = "readiness/probe"
)

// check returns the problem with the storage, or nil if there is none. Changes are logged.
func (s *storage) check(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if age := now.Sub(s.asked); !s.asked.IsZero() && age >= 0 && age < storageLife {
		return s.err
	}
	err := errors.Join(s.checkSpace(), s.readable(ctx))
	if ctx.Err() != nil {
		return errors.Join(err, ctx.Err()) // the caller gave up, so the result says nothing
	}
	switch {
	case err != nil && (s.err == nil || s.err.Error() != err.Error()):
		s.log.Error("storage failing: changes and publishing are stopped, sites are still served",
			"error", err, "data", s.dir,
			"hint",
			"free disk space, raise the limit of open files or repair the storage; the server then continues automatically, and lectern doctor shows the details")
	case err == nil && s.err != nil:
		s.log.Info("storage recovered")
	}
	s.asked, s.err = now, err
	return err
}

// checkSpace checks that the data folder can be opened, which requires a file descriptor, and that its disk has
// space. It writes a test file only if little space is left or the disk seems to be read-only.
func (s *storage) checkSpace() error {
	d, err := os.Open(s.dir)
	if err != nil {
		return fmt.Errorf("open the data folder: %w", err)
	}
	_ = d.Close() // nothing was read
	var disk syscall.Statfs_t
	if err := syscall.Statfs(s.dir, &disk); err == nil && takesMore(&disk) && syscall.Access(s.dir, mayWrite) == nil {
		return nil
	}
	return s.probe()
}

// ample returns an error if there is little space for a job right now. An almost full disk or quota counts as full: a
// job that runs out of space on it is not to blame for that.
func (s *storage) ample() error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(s.dir, &disk); err != nil || !takesMore(&disk) {
		return fmt.Errorf("the disk of the data folder is almost full, bytes left: %d: %w", free(&disk), syscall.ENOSPC)
	}
	return s.probe()
}

// free returns the number of available bytes on a disk.
func free(disk *syscall.Statfs_t) int64 { return int64(disk.Bavail) * int64(disk.Bsize) }

// probe writes a test file to the data folder.
func (s *storage) probe() error {
	f, err := os.CreateTemp(s.dir, ".room-*")
	if err != nil {
		return fmt.Errorf("write to the data folder: %w", err)
	}
	removeErr := os.Remove(f.Name()) // immediately: it needs no name, and must not outlive the process
	_, err = f.Write(make([]byte, roomProbe))
	if err := errors.Join(err, f.Sync(), f.Close(), removeErr); err != nil {
		return fmt.Errorf("write to the data folder: %w", err)
	}
	return nil
}

// takesMore reports whether a disk has enough free space and, if the number of inodes is limited, free inodes.
func takesMore(disk *syscall.Statfs_t) bool {
	return free(disk) >= roomEnough && (disk.Files == 0 || disk.Ffree > 0)
}

// readable requests a nonexistent file from the blob store.
func (s *storage) readable(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, blobLife)
	defer cancel()
	r, _, err := s.blob.Open(ctx, noBlob)
	if err == nil {
		return r.Close()
	}
	if fault.HasCode(err, "blob_not_found") {
		return nil
	}
	return fmt.Errorf("%w: query the blob store: %w", fault.ErrUnavailable, err)
}

// postponedStep is a startup step that a full disk postponed.
type postponedStep struct {
	name string
	do   func(ctx context.Context) error
}

// orLater runs a startup step now or, if the disk is full, as soon as there is space again.
func (s *server) orLater(ctx context.Context, name string, do func(context.Context) error) error {
	if len(s.later) > 0 { // later steps must run in order
		s.later = append(s.later, postponedStep{name, do})
		return nil
	}
	err := do(ctx)
	if !fault.IsFull(err) {
		return err
	}
	s.Logger.Error("disk full, startup step postponed until space is free; sites are served",
		"part", name, "error", err)
	s.later = append(s.later, postponedStep{name, do})
	return nil
}

// watchStorage checks the storage until ctx ends, and completes startup steps that a full disk postponed.
func (s *server) watchStorage(ctx context.Context) {
	tick := time.NewTicker(storageLife)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if s.storage.check(ctx) != nil {
			continue
		}
		for len(s.later) > 0 {
			part := s.later[0]
			if err := part.do(ctx); err != nil {
				if ctx.Err() == nil {
					s.Logger.Error("postponed startup step failed, will retry", "part", part.name, "error", err)
				}
				break
			}
			s.Logger.Info("postponed startup step completed", "part", part.name)
			s.later = s.later[1:]
		}
	}
}
