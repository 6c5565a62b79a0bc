package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Open opens the file; a later Put or Delete does not affect the reader.
func (s *Store) Open(ctx context.Context, key string) (io.ReadSeekCloser, blob.Info, error) {
	if err := blob.CheckKey(key); err != nil {
		return nil, blob.Info{}, err
	}
	if err := ctx.Err(); err != nil {
		return nil, blob.Info{}, err
	}
	file, info, err := s.open(key)
	if err != nil {
		return nil, blob.Info{}, err
	}
	return file, info, nil
}

func (s *Store) open(key string) (*os.File, blob.Info, error) {
	file, err := s.root.Open(key)
	if errors.Is(err, fs.ErrNotExist) || isShapeError(err) {
		return nil, blob.Info{}, blob.NotFound(key)
	}
	if err != nil {
		return nil, blob.Info{}, fmt.Errorf("open blob %s: %w", key, err)
	}
	stat, err := file.Stat()
	if err == nil && stat.IsDir() {
		err = blob.NotFound(key)
	}
	if err != nil {
		return nil, blob.Info{}, errors.Join(err, file.Close())
	}
	return file, blob.Info{Key: key, Size: stat.Size(), ModTime: stat.ModTime()}, nil
}

// Delete deletes the file, and folders that become empty. It does not sync, because a blob that reappears after a crash
// is found and deleted again.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := blob.CheckKey(key); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := s.root.Remove(key)
	// The system returns "exists" if key is a folder with entries.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || isShapeError(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("delete blob %s: %w", key, err)
	}
	for folder := path.Dir(key); folder != "."; folder = path.Dir(folder) {
		if s.root.Remove(folder) != nil {
			break // not empty, or already gone
		}
	}
	return nil
}

// List walks the folders that may contain keys with the prefix.
func (s *Store) List(ctx context.Context, prefix string, yield func(blob.Info) error) error {
	if err := blob.CheckPrefix(prefix); err != nil {
		return err
	}
	start := "."
	if slash := strings.LastIndexByte(prefix, '/'); slash >= 0 {
		start = prefix[:slash]
	}
	var yieldErr error
	err := fs.WalkDir(s.root.FS(), start, func(name string, entry fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return ignoreAbsent(err)
		}
		if entry.IsDir() {
			return skipFolder(name, prefix)
		}
		if !strings.HasPrefix(name, prefix) || !entry.Type().IsRegular() {
			return nil
		}
		stat, err := entry.Info()
		if err != nil {
			return ignoreAbsent(err)
		}
		yieldErr = yield(blob.Info{Key: name, Size: stat.Size(), ModTime: stat.ModTime()})
		return yieldErr
	})
	if err != nil && yieldErr == nil {
		return fmt.Errorf("list blobs %q: %w", prefix, err)
	}
	return yieldErr
}

// skipFolder returns fs.SkipDir for a folder that contains no key with the prefix.
func skipFolder(name, prefix string) error {
	related := name == "." || strings.HasPrefix(name+"/", prefix) || strings.HasPrefix(prefix, name+"/")
	if name == tempFolder || !related {
		return fs.SkipDir
	}
	return nil
}

// ignoreAbsent drops the error for a file that disappeared during the walk, and for a start folder that does not exist
// or is a file.
func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) || isShapeError(err) {
		return nil
	}
	return err
}
