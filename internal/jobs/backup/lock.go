package backup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// lockFile in the data folder keeps the sweep and a backup apart, so that no blob which the copied database names goes before it is copied.
const lockFile = "backup.lock"

// lockPoll is how often a backup looks whether the sweep has ended.
const lockPoll = 50 * time.Millisecond

// lockPatience is how long a backup waits for the sweep, which removes files for moments at a time, or for another backup.
const lockPatience = 5 * time.Minute

// Pause keeps backups of a data folder away until release is called. ok is false while a backup is being made: then nothing may be removed.
func Pause(data string) (release func(), ok bool, err error) {
	f, err := openOwned(data, filepath.Join(data, lockFile))
	if err != nil {
		return nil, false, fmt.Errorf("open backup lock: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, false, f.Close()
	}
	if err != nil {
		return nil, false, errors.Join(fmt.Errorf("lock backups: %w", err), f.Close())
	}
	return func() { _ = f.Close() }, true, nil // closing gives the lock up
}

// hold waits until no sweep and no other backup is under way, but not forever: another backup may write to a blocked
// destination.
func hold(ctx context.Context, data string, patience time.Duration) (release func(), err error) {
	poll, enough := time.NewTicker(lockPoll), time.NewTimer(patience)
	defer poll.Stop()
	defer enough.Stop()
	for {
		release, ok, err := Pause(data)
		if err != nil || ok {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the retention sweep: %w", ctx.Err())
		case <-enough.C:
			return nil, fault.Newf(fault.Conflict, "backup_running", "Another backup of %s, or the sweep, has not ended within %s; no backup was made.", data, patience).WithField("data").
				WithHint("Look for another lectern backup that still runs, and begin again once it has ended. fuser " + filepath.Join(data, lockFile) + " tells which process it is.")
		case <-poll.C:
		}
	}
}
