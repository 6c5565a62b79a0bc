package bundlestore

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Version is an open version. It is safe for concurrent use until it is closed.
type Version struct {
	Record
	table         *table
	files, packed *os.Root
}

// OpenVersion opens a stored version.
func (v *Volume) OpenVersion(digest string) (*Version, error) {
	r, err := v.Find(digest)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(v.path(versionsName, digest))
	if err != nil {
		return nil, fmt.Errorf("open version: %w", missing(err))
	}
	defer func() { _ = root.Close() }() // files opened below it stay open
	out := &Version{Record: r}
	if out.table, err = openTable(root, tableName, r.Table); err != nil {
		return nil, err
	}
	if out.files, err = root.OpenRoot(filesName); err == nil {
		out.packed, err = root.OpenRoot(packedName)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open version: %w", missing(err)), out.Close())
	}
	return out, nil
}

// Close closes the version's files.
func (v *Version) Close() error {
	err := v.table.file.Close()
	for _, root := range []*os.Root{v.files, v.packed} {
		if root != nil {
			err = errors.Join(err, root.Close())
		}
	}
	return err
}

// Lookup finds a path in the version.
func (v *Version) Lookup(path string) (f File, ok bool, err error) { return v.table.find(path) }

// Open opens a file found by Lookup, in its compressed form if packed. It fails if the file does not have the
// verified size.
func (v *Version) Open(path string, f File, packed bool) (*os.File, error) {
	root, size := v.files, f.Size
	if packed {
		root, size = v.packed, f.Packed
	}
	in, err := root.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open file of version %s: %w", v.Name(), missing(err))
	}
	info, err := in.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Size() != size) {
		err = damaged(fmt.Errorf("the size of %q differs from the verified one", path))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open file of version %s: %w", v.Name(), err), in.Close())
	}
	return in, nil
}

// Check verifies that the version is complete: every file exists with its size and, if full, with its content.
func (v *Version) Check(ctx context.Context, full bool) error {
	m, err := Expect{}.readManifest(v.files)
	if fault.HasCode(err, CodeRefused) {
		err = damaged(err)
	}
	if err != nil {
		return fmt.Errorf("check version %s: %w", v.Name(), err)
	}
	if m.Hash() != v.TreeHash {
		return damaged(fmt.Errorf("check version %s: its manifest differs from the verified one", v.Name()))
	}
	for _, listed := range m.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := v.checkFile(listed, full); err != nil {
			return fmt.Errorf("check version %s: %w", v.Name(), err)
		}
	}
	return nil
}

func (v *Version) checkFile(listed output.ManifestFile, full bool) error {
	f, ok, err := v.Lookup(listed.Path)
	if err == nil && !ok {
		err = damaged(fmt.Errorf("%q is not in the table", listed.Path))
	}
	if err != nil {
		return err
	}
	if !full {
		err := sized(v.files, listed.Path, f.Size)
		if err == nil && f.Packed > 0 {
			err = sized(v.packed, listed.Path, f.Packed)
		}
		return err
	}
	in, err := v.Open(listed.Path, f, false)
	if err != nil {
		return err
	}
	if err := errors.Join(contentIs(in, listed.SHA256), in.Close()); err != nil || f.Packed == 0 {
		return err
	}
	return v.checkPacked(listed, f)
}

func sized(root *os.Root, name string, size int64) error {
	info, err := root.Lstat(name)
	if err == nil && (!info.Mode().IsRegular() || info.Size() != size) {
		err = damaged(fmt.Errorf("the size of %q differs from the verified one", name))
	}
	return missing(err)
}

// contentIs reads a file to its end and compares its digest.
func contentIs(r io.Reader, want output.Digest) error {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return err
	}
	if output.Digest(h.Sum(nil)) != want {
		return damaged(errors.New("a file's content differs from the verified one"))
	}
	return nil
}

// checkPacked decompresses a file's compressed form and compares it with the file.
func (v *Version) checkPacked(listed output.ManifestFile, f File) error {
	file, err := v.Open(listed.Path, f, true)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // read only
	in := &input{Reader: file}
	gz, err := gzip.NewReader(in)
	if err == nil {
		err = contentIs(io.LimitReader(gz, f.Size+1), listed.SHA256)
	}
	if err != nil && in.failed == nil {
		err = damaged(err)
	}
	if err != nil {
		return fmt.Errorf("unpack %q: %w", listed.Path, err)
	}
	return nil
}
