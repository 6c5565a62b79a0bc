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

// storage knows whether the data folder can be written to and stored files be read. It is safe for concurrent use.
type storage struct {
	dir  string
	blob blob.Store
	now  func() time.Time
	log  *slog.Logger

	mu    sync.Mutex
	asked time.Time // when it was looked last; guarded by mu, like the next
	err   error     // what was found; nil = all is well
}

const (
	storageLife = 2 * time.Second // how long an answer holds
	roomEnough  = 64 << 20        // bytes free from which on nothing is written to find out
	roomProbe   = 256 << 10       // bytes that must fit otherwise: a few pages of the database and its log
	mayWrite    = 0x2             // asks access(2) about writing, which a read-only disk refuses to everybody
	blobLife    = 3 * time.Second // how long the blob store may take to answer
	// noBlob is the key of a file that is never stored. A store that reports it missing works.
	noBlob = "readiness/probe"
)

// check returns what is wrong with the storage; nil if nothing is. Changes are logged.
func (s *storage) check(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if age := now.Sub(s.asked); !s.asked.IsZero() && age >= 0 && age < storageLife {
		return s.err
	}
	err := errors.Join(s.checkSpace(), s.readable(ctx))
	if ctx.Err() != nil {
		return errors.Join(err, ctx.Err()) // the caller gave up; the result says nothing
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

// checkSpace checks that the data folder can be opened, which takes a file descriptor, and that its disk has space. It
// writes only where little space is left or the disk looks read-only.
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

// ample says why there is not plenty of room for a job right now; nil when there is. A disk that is almost full, or a
// quota, counts as full: a job that ran out of space there is not to blame.
func (s *storage) ample() error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(s.dir, &disk); err != nil || !takesMore(&disk) {
		return fmt.Errorf("the disk of the data folder is almost full, bytes left: %d: %w", free(&disk), syscall.ENOSPC)
	}
	return s.probe()
}

// free returns how many bytes a disk has left for us.
func free(disk *syscall.Statfs_t) int64 { return int64(disk.Bavail) * int64(disk.Bsize) }

// probe writes a little to the data folder.
func (s *storage) probe() error {
	f, err := os.CreateTemp(s.dir, ".room-*")
	if err != nil {
		return fmt.Errorf("write to the data folder: %w", err)
	}
	removeErr := os.Remove(f.Name()) // at once: it needs no name, and must not outlive the process
	_, err = f.Write(make([]byte, roomProbe))
	if err := errors.Join(err, f.Sync(), f.Close(), removeErr); err != nil {
		return fmt.Errorf("write to the data folder: %w", err)
	}
	return nil
}

// takesMore reports whether a disk has space left, and room for another file where it counts files.
func takesMore(disk *syscall.Statfs_t) bool {
	return free(disk) >= roomEnough && (disk.Files == 0 || disk.Ffree > 0)
}

// readable asks the blob store for a file that it does not have.
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

// catchUp is what a start could not do on a full disk.
type catchUp struct {
	name string
	do   func(ctx context.Context) error
}

// orLater runs a startup step now, or on a full disk as soon as there is space again.
func (s *server) orLater(ctx context.Context, name string, do func(context.Context) error) error {
	if len(s.later) > 0 { // parts keep their order
		s.later = append(s.later, catchUp{name, do})
		return nil
	}
	err := do(ctx)
	if !fault.IsFull(err) {
		return err
	}
	s.Logger.Error("disk full, startup step postponed until space is free; sites are served",
		"part", name, "error", err)
	s.later = append(s.later, catchUp{name, do})
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
			s.Logger.Info("postponed startup step done", "part", part.name)
			s.later = s.later[1:]
		}
	}
}
