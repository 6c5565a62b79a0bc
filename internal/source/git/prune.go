package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/filelock"
)

// Prune removes mirrors last used before the given time. They belong to deleted projects, or to repositories so
// inactive that fetching them again is cheap. Mirrors in use stay. It also removes work folders of dead processes (J8),
// and returns the number of removed mirrors.
func (c *Cache) Prune(before time.Time) (removed int, err error) {
	locks, err := filepath.Glob(filepath.Join(c.mirrors(), "*.lock"))
	if err != nil {
		return 0, fmt.Errorf("list mirrors: %w", err)
	}
	_, err = c.sweepWorkFolders()
	errs := []error{err}
	for _, lock := range locks {
		gone, err := pruneOne(lock, before)
		errs = append(errs, err)
		if gone {
			removed++
		}
	}
	return removed, errors.Join(errs...)
}

// pruneOne removes the mirror of a lock file, but not the lock file itself: another process may be waiting for it.
func pruneOne(lock string, before time.Time) (gone bool, err error) {
	file, err := os.OpenFile(lock, os.O_RDWR, 0o600)
	if err != nil {
		return false, fmt.Errorf("open mirror lock: %w", err)
	}
	defer func() { _ = file.Close() }()
	if err := filelock.Try(file, filelock.Exclusive); err != nil {
		return false, nil // in use
	}
	info, err := file.Stat()
	if err != nil || !info.ModTime().Before(before) {
		return false, err
	}
	m := &mirror{path: strings.TrimSuffix(lock, ".lock") + ".git"}
	if _, err := os.Stat(m.path); err != nil {
		return false, nil // already pruned
	}
	if err := errors.Join(os.RemoveAll(m.path), os.RemoveAll(m.history()), os.RemoveAll(m.dirty())); err != nil {
		return false, fmt.Errorf("remove mirror: %w", err)
	}
	return true, nil
}

// used records the use of the mirror in the lock file's modification time.
func (m *mirror) used() error {
	if _, err := m.file.WriteAt([]byte{'\n'}, 0); err != nil {
		return fmt.Errorf("update last use of mirror: %w", err)
	}
	return nil
}
