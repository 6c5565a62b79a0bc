package outtree

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// Dir is a Sink that writes files below a folder. os.Root keeps every write inside it, links included.
type Dir struct {
	root *os.Root
	made map[string]bool // folders known to exist
}

// NewDir writes below root, which stays the caller's to close.
func NewDir(root *os.Root) *Dir { return &Dir{root: root, made: map[string]bool{".": true}} }

// Put writes one file, over an older one of the same name.
func (d *Dir) Put(ctx context.Context, f File) error {
	if err := check(ctx, f); err != nil {
		return err
	}
	if dir := path.Dir(f.Path); !d.made[dir] {
		if err := d.root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return fmt.Errorf("make folder: %w", err)
		}
		d.made[dir] = true
	}
	if err := d.root.WriteFile(filepath.FromSlash(f.Path), f.Data, 0o644); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	return nil
}
