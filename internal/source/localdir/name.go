package localdir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"

	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// Name returns the Commit that a snapshot of the folder would have, without making one. A file that may not be read
// counts by its path.
func Name(ctx context.Context, src fs.FS, limits sourcetree.Limits) (string, error) {
	entries, err := list(ctx, src, "", limits.OrDefault())
	if err != nil {
		return "", err
	}
	files, _, err := sourcetree.Plan(entries, limits)
	if err != nil {
		return "", err
	}
	tree := sha256.New()
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return "", fmt.Errorf("read folder: %w", err)
		}
		if err := addFile(src, f, tree); err != nil {
			return "", fmt.Errorf("read folder: %w", err)
		}
	}
	return "tree-" + hex.EncodeToString(tree.Sum(nil)), nil
}

// addFile reads a file for the tree's hash.
func addFile(src fs.FS, f sourcetree.File, tree hash.Hash) error {
	in, err := src.Open(f.Entry.Key)
	if errors.Is(err, fs.ErrPermission) {
		addLine(tree, f.Path, -1, sha256.New())
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // read only
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no longer a regular file", f.Path)
	}
	sum := sha256.New()
	size, err := io.Copy(sum, in)
	if err != nil {
		return err
	}
	addLine(tree, f.Path, size, sum)
	return nil
}
