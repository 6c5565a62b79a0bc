package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/filelock"
)

// lockFile is a file in the data folder that keeps the blob sweep and a backup from running at the same time.
// Otherwise, a blob that the copied database refers to could be removed before it is copied.
const lockFile = "backup.lock"

// lockPatience is how long a backup waits for another backup, or for the sweep, which holds the lock only briefly.
const lockPatience = 5 * time.Minute

// Pause prevents backups of a data folder until release is called. ok is false while a backup is running; then
// nothing may be removed.
func Pause(data string) (release func(), ok bool, err error) {
	release, err = lock(data, func(f *os.File) error { return filelock.Try(f, filelock.Exclusive) })
	if errors.Is(err, filelock.ErrHeld) {
		return nil, false, nil
	}
	return release, err == nil, err
}

// hold waits until no sweep and no other backup is running. It has a time limit, because another backup may be stuck
// writing to its destination.
func hold(ctx context.Context, data string, patience time.Duration) (release func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	release, err = lock(data, func(f *os.File) error { return filelock.Wait(waiting, f, filelock.Exclusive) })
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, fmt.Errorf("wait for the retention sweep: %w", ctx.Err())
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fault.Newf(fault.Conflict, "backup_running",
			"No backup was made: another backup of %s, or the cleanup of unused files, did not finish within %s.", data,
			patience).WithField("data").
			WithHint("Look for another running lectern backup, and try again when it has finished. fuser " +
				filepath.Join(data, lockFile) + " shows the process.")
	}
	return release, err
}

// lock opens the lock file, which belongs to the owner of the data folder, and locks it. release closes it, which
// releases the lock.
func lock(data string, take func(*os.File) error) (release func(), err error) {
	f, err := openOwned(data, filepath.Join(data, lockFile))
	if err != nil {
		return nil, fmt.Errorf("open backup lock: %w", err)
	}
	if err := take(f); err != nil {
		return nil, errors.Join(fmt.Errorf("acquire backup lock: %w", err), f.Close())
	}
	return func() { _ = f.Close() }, nil
}
