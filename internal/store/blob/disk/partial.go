package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/filelock"
)

// RemovePartial removes temporary files whose writer has died. A live writer holds a lock on its file, even if it does
// not write for a long time. Ages are relative to the time of a newly created file, so that both times come from the
// file system's clock.
func (s *Store) RemovePartial(ctx context.Context, age time.Duration) (removed int, err error) {
	now, err := s.fileTime()
	if err != nil {
		return 0, fmt.Errorf("remove partial blobs: %w", err)
	}
	entries, err := fs.ReadDir(s.root.FS(), tempFolder)
	if err != nil {
		return 0, fmt.Errorf("remove partial blobs: %w", err)
	}
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return removed, err
		}
		name := tempFolder + "/" + entry.Name()
		old, err := entry.Info()
		if err != nil || now.Sub(old.ModTime()) < age || s.isHeld(name) {
			continue // its writer has finished in the meantime, or it is still in use
		}
		if err := s.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, fmt.Errorf("remove partial blob: %w", err)
		}
		removed++
	}
	return removed, nil
}

// fileTime returns the file system's current time.
func (s *Store) fileTime() (time.Time, error) {
	probe, err := s.createTemp()
	if err != nil {
		return time.Time{}, err
	}
	info, err := probe.Stat()
	if err := errors.Join(err, probe.Close(), s.root.Remove(probe.Name())); err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// isHeld reports whether a process has locked the file.
func (s *Store) isHeld(name string) bool {
	file, err := s.root.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return false // gone, or not accessible; in the second case, removing it fails
	}
	defer func() { _ = file.Close() }() // nothing was written
	return errors.Is(filelock.Try(file, filelock.Exclusive), filelock.ErrHeld)
}
