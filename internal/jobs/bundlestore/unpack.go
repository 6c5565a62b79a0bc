package bundlestore

import (
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"syscall"

	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// gzipFrom is the minimum size in bytes of files that are compressed.
const gzipFrom = 1024

// unpacker writes a bundle's files below a folder. os.Root confines every write to it.
type unpacker struct {
	files, packed *os.Root
	made          map[string]bool // folders created for files; folders for packed are created when needed
	entries       map[pathKey]*entry
	gz            *gzip.Writer // reused
	buf           []byte       // reused
	bytes         int64        // uncompressed bytes written
}

func newUnpacker(files, packed *os.Root) *unpacker {
	return &unpacker{files: files, packed: packed, made: map[string]bool{}, entries: map[pathKey]*entry{},
		gz: gzip.NewWriter(nil), buf: make([]byte, 1<<16)}
}

// visit writes one file of the bundle.
func (u *unpacker) visit(f bundlecheck.File) error {
	e := &entry{}
	h := sha256.New()
	var err error
	if f.Size >= gzipFrom && output.Compressible(output.ContentType(f.Path)) {
		err = u.both(f, h, e)
	} else {
		err = u.write(u.files, f.Path, func(w io.Writer) error { return u.copy(io.MultiWriter(w, h), f, e) })
	}
	if err != nil {
		return err
	}
	u.bytes += e.size
	e.sum = output.Digest(h.Sum(nil))
	u.entries[keyOf(f.Path)] = e
	return nil
}

// both writes a file and its compressed form in one pass. It drops the compressed form if that saves almost nothing.
func (u *unpacker) both(f bundlecheck.File, h io.Writer, e *entry) error {
	count := &counter{}
	err := u.write(u.files, f.Path, func(w io.Writer) error {
		return u.write(u.packed, f.Path, func(packed io.Writer) error {
			u.gz.Reset(io.MultiWriter(packed, count))
			return errors.Join(u.copy(io.MultiWriter(w, h, u.gz), f, e), u.gz.Close())
		})
	})
	if err != nil {
		return err
	}
	if e.packed = count.n; e.packed > e.size-e.size/16 {
		e.packed = 0
		return u.packed.Remove(f.Path)
	}
	return nil
}

func (u *unpacker) copy(w io.Writer, f bundlecheck.File, e *entry) (err error) {
	e.size, err = io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{f.Body}, u.buf)
	if err == nil && e.size != f.Size {
		err = &bundlecheck.Refusal{Reason: bundlecheck.Damaged, Entry: f.Path,
			Text: "The file's size does not match its entry."}
	}
	return err
}

// write creates a file with the content that fill writes.
func (u *unpacker) write(root *os.Root, name string, fill func(io.Writer) error) error {
	dir := path.Dir(name)
	if key := root.Name() + "\x00" + dir; !u.made[key] {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return tooLong(name, fmt.Errorf("create folder: %w", err))
		}
		u.made[key] = true
	}
	w, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return tooLong(name, fmt.Errorf("create file: %w", err))
	}
	return errors.Join(fill(w), w.Close())
}

// tooLong turns the error for a name that this file system cannot store into a Refusal, to distinguish it from disk
// errors.
func tooLong(name string, err error) error {
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return &bundlecheck.Refusal{Reason: bundlecheck.Unsafe, Entry: name,
			Text: "The name, or a part of it, is too long for a file name."}
	}
	return err
}

type counter struct{ n int64 }

// Write implements io.Writer by counting bytes.
func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }
