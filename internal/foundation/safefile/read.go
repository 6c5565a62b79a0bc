package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

var errNotPlain = errors.New("not a regular file in plain folders")

// Read returns the file's bytes, at most one more than most: more than most means that the file is too large.
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
			return nil, fmt.Errorf("read file: %w", errNotPlain)
		}
	}
	info, err := fs.Lstat(src, name)
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read file: %w", errNotPlain)
	}
	f, err := src.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	defer func() { _ = f.Close() }() // read only: nothing to lose
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	return data, nil
}
