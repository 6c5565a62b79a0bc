package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

var errNotRegular = errors.New("not a regular file, or behind a symbolic link")

// Read returns at most most+1 bytes of the file. If the result is longer than most, the file is too large.
func Read(src fs.FS, name string, most int64) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("read file: %w", fs.ErrInvalid)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := fs.Lstat(src, dir)
		if err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("read file: %w", errNotRegular)
		}
	}
	info, err := fs.Lstat(src, name)
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read file: %w", errNotRegular)
	}
	f, err := src.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	defer func() { _ = f.Close() }() // opened for reading: an error on close does not matter
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	return data, nil
}
