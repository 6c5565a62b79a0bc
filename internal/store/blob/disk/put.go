package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// publishTries is the maximum number of times that a Put retries when a concurrent Delete removes its empty folder.
const publishTries = 100

// Put writes a temporary file, syncs it, renames it to the key and syncs the folder. After a crash, the blob therefore
// exists either completely or not at all.
func (s *Store) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	if err := blob.CheckKey(key); err != nil {
		return 0, err
	}
	temp, err := s.createTemp()
	if err != nil {
		return 0, fmt.Errorf("create blob %s: %w", key, err)
	}
	size, err := fill(ctx, temp, r)
	if err == nil {
		err = s.stamp(temp.Name())
	}
	if err == nil {
		err = s.publish(temp.Name(), key)
	}
	if err != nil {
		// After a rename, the temporary file no longer exists. That is not an error.
		if removeErr := s.root.Remove(temp.Name()); !errors.Is(removeErr, fs.ErrNotExist) {
			err = errors.Join(err, removeErr)
		}
		return 0, fmt.Errorf("write blob %s: %w", key, err)
	}
	return size, nil
}

// fill copies r to temp, syncs and closes it.
func fill(ctx context.Context, temp tempFile, r io.Reader) (int64, error) {
	size, err := io.Copy(temp.File, contextReader{ctx, r})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = temp.Sync()
	}
	return size, errors.Join(err, temp.Close())
}

// stamp sets the file's time with nanosecond resolution. File systems themselves use a resolution of milliseconds, with
// which two consecutive Puts could get the same ETag. It uses the real clock because it replaces the file system's own
// time.
func (s *Store) stamp(temp string) error {
	now := time.Now()
	return s.root.Chtimes(temp, now, now)
}

// publish moves the temporary file to its key, creating folders as needed.
func (s *Store) publish(temp, key string) error {
	folder := path.Dir(key)
	for try := 1; ; try++ {
		err := s.makeFolder(folder)
		if err == nil {
			err = s.root.Rename(temp, key)
		}
		if err == nil {
			break
		}
		if isShapeError(err) || errors.Is(err, fs.ErrExist) {
			return fault.New(fault.Conflict, "blob_key_conflict",
				"A stored object and a folder of stored objects cannot have the same name.").WithCause(err)
		}
		if !errors.Is(err, fs.ErrNotExist) || try == publishTries {
			return err
		}
	}
	err := s.syncFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another process or goroutine has already deleted and pruned it
	}
	return err
}

// makeFolder creates a folder and its parents, and syncs each parent that got a new entry.
func (s *Store) makeFolder(folder string) error {
	if folder == "." {
		return nil
	}
	err := s.root.Mkdir(folder, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.makeFolder(path.Dir(folder)); err != nil {
			return err
		}
		err = s.root.Mkdir(folder, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil // if it is a file, the rename fails
	}
	if err != nil {
		return err
	}
	return s.syncFolder(path.Dir(folder))
}

// syncFolder makes the folder's entries durable.
func (s *Store) syncFolder(folder string) error {
	dir, err := s.root.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// isShapeError reports whether err means that a file was found where a folder was expected, or the other way round.
func isShapeError(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR)
}

// contextReader ends a copy at the first read after the context has ended.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
