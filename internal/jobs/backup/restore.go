package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/filelock"
)

// Target describes where to restore a backup.
type Target struct {
	Data     string // must be missing or empty
	Now      func() time.Time
	Progress func(n int) // called with the number of bytes read; may be nil
}

// halfSuffix is the suffix of the folder next to the data folder in which a restore is prepared.
const halfSuffix = ".restoring"

// Restore creates a data folder from a backup. The folder appears under its name in one step, after everything was
// verified; until then, and after an error, nothing exists under that name.
func Restore(ctx context.Context, from io.Reader, to Target) (Manifest, error) {
	data, err := findTarget(to.Data)
	if err != nil {
		return Manifest{}, err
	}
	half, unlock, err := makeHalf(data)
	if err != nil {
		return Manifest{}, err
	}
	defer unlock()
	m, err := to.fill(ctx, from, half)
	if err == nil {
		err = place(half, data)
	}
	if err != nil {
		return m, errors.Join(err, os.RemoveAll(half))
	}
	return m, nil
}

// findTarget resolves links in name, so that a link to the data folder stays in place and the restore uses the disk
// it points to.
func findTarget(name string) (string, error) {
	data, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("find data folder: %w", err)
	}
	target, err := filepath.EvalSymlinks(data)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(data); err == nil {
			return "", fault.Newf(fault.Invalid, "dangling_link", "%s is a link to a folder that does not exist.",
				data).WithField("data").WithHint("Create that folder, or mount its disk, and try again.")
		}
		return data, nil
	}
	if err != nil {
		return "", fmt.Errorf("find data folder: %w", err)
	}
	if err := checkEmpty(target); err != nil {
		return "", err
	}
	return target, checkMount(target)
}

// checkMount rejects a mounted volume early, before the restore fills the surrounding disk: the finished folder could
// not replace a mount point.
func checkMount(data string) error {
	var in, around syscall.Stat_t
	if err := errors.Join(syscall.Stat(data, &in), syscall.Stat(filepath.Dir(data), &around)); err != nil {
		return fmt.Errorf("stat data folder: %w", err)
	}
	if in.Dev != around.Dev {
		return inUse(data, nil)
	}
	return nil
}

func inUse(data string, cause error) error {
	return fault.Newf(fault.Conflict, "data_in_use", "The folder %s cannot be replaced.", data).WithField("data").
		WithHint("A mounted volume cannot be replaced. Use a folder inside it.").WithCause(cause)
}

func checkEmpty(data string) error {
	entries, err := os.ReadDir(data)
	if err != nil {
		return fmt.Errorf("read data folder: %w", err)
	}
	if len(entries) > 0 {
		return fault.Newf(fault.Conflict, "data_not_empty",
			"The folder %s is not empty; a backup can only be restored to a new folder.", data).WithField("data").
			WithHint("Choose another folder with --data, or stop the server and move this one away.")
	}
	return nil
}

// makeHalf creates the folder next to data, after removing what a killed restore left there. It fails if another
// restore is running.
func makeHalf(data string) (half string, unlock func(), err error) {
	half = data + halfSuffix
	if err := os.MkdirAll(filepath.Dir(half), 0o700); err != nil {
		return "", nil, fmt.Errorf("create data folder: %w", err)
	}
	lock, err := os.OpenFile(half+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", nil, fmt.Errorf("create data folder: %w", err)
	}
	if err := filelock.Try(lock, filelock.Exclusive); err != nil {
		return "", nil, errors.Join(fault.Newf(fault.Conflict, "restore_running",
			"A backup is already being restored to %s.", data).WithCause(err), lock.Close())
	}
	unlock = func() { _ = os.Remove(lock.Name()); _ = lock.Close() }
	if err := errors.Join(os.RemoveAll(half), os.Mkdir(half, 0o700)); err != nil {
		unlock()
		return "", nil, fmt.Errorf("create data folder: %w", err)
	}
	return half, unlock, nil
}

// fill unpacks and verifies the backup.
func (to Target) fill(ctx context.Context, from io.Reader, half string) (Manifest, error) {
	root, err := os.OpenRoot(half)
	if err != nil {
		return Manifest{}, fmt.Errorf("open data folder: %w", err)
	}
	defer func() { _ = root.Close() }()
	room, err := freeBytes(half)
	if err != nil {
		return Manifest{}, err
	}
	m, err := read(ctx, from, room, to.Progress, func(name string, _ int64, content io.Reader) error {
		return unpack(root, name, content)
	})
	if err != nil {
		return m, err
	}
	return m, verify(ctx, half, root, m, to.Now)
}

// freeBytes returns the usable space on a folder's disk, less 5% reserved for other uses.
func freeBytes(folder string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, fmt.Errorf("measure free space: %w", err)
	}
	free := int64(s.Bavail) * int64(s.Bsize)
	return free - free/20, nil
}

func unpack(root *os.Root, name string, content io.Reader) error {
	if dir := path.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("create folder: %w", err)
		}
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}

// place renames the finished folder to its final name, after syncing it to disk.
func place(half, data string) error {
	if err := durable.SyncTree(half); err != nil {
		return err
	}
	if err := os.Remove(data); err != nil && !errors.Is(err, fs.ErrNotExist) { // removes only an empty folder
		return inUse(data, err)
	}
	if err := os.Rename(half, data); err != nil {
		return fmt.Errorf("put data folder in place: %w", err)
	}
	return durable.Sync(filepath.Dir(data))
}
