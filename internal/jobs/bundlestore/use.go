package bundlestore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/lectern-docs/lectern/internal/foundation/filelock"
)

// Processes on the same volume may serve different versions. Each holds a shared lock on the table of every version
// that it has open, and only a process that gets an exclusive lock may delete the version. The lock is on the table
// rather than the folder because some network file systems can lock only files.

// share marks a version as in use while its table is open. It fails if the version is being deleted. On a file system
// without locks it succeeds anyway, but claim fails, so nothing is deleted.
func share(table *os.File) error {
	if err := filelock.Try(table, filelock.Shared); errors.Is(err, filelock.ErrHeld) {
		return errors.New("another process is deleting the version")
	}
	return nil
}

// still fails if name no longer refers to the open file: another process may have deleted the version between opening
// and locking it.
func still(root *os.Root, name string, f *os.File) error {
	now, err := root.Lstat(name)
	if err != nil {
		return missing(err)
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(now, info) {
		err = errors.New("another process is replacing the version")
	}
	return err
}

// claim reserves a version's folder for deletion. ok is false if a process has the version open, or if the file
// system has no locks.
func claim(folder string) (release func(), ok bool) {
	f, err := os.OpenFile(filepath.Join(folder, tableName), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return func() {}, true // no process can open it as a version
	}
	if err != nil {
		return nil, false
	}
	if err := filelock.Try(f, filelock.Exclusive); err != nil {
		_ = f.Close() // nothing was written
		return nil, false
	}
	return func() { _ = f.Close() }, true
}
