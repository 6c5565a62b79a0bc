package bundlecheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// File is one file of a bundle. Body is valid until the visit ends. Unread bytes are skipped.
type File struct {
	Path string // valid for output.ValidPath, and unique regardless of letter case
	Size int64  // bytes of Body
	Body io.Reader
	Read int64 // bytes of the bundle read so far, for progress
}

// Source is a bundle that can be read more than once.
type Source struct {
	archive io.ReaderAt // nil for a folder
	size    int64
	folder  fs.FS
}

// Archive returns a bundle in one file: tar.gz or zip, recognized by content. r must not change while it is read.
func Archive(r io.ReaderAt, size int64) Source { return Source{archive: r, size: size} }

// Folder returns a source for an unpacked bundle. root should refuse symlinks that leave it, as os.Root does.
func Folder(root fs.FS) Source { return Source{folder: root} }

// Walk visits every file in the order of the bundle. It returns a *Refusal if the bundle breaks a rule, the error that
// visit returned, or a read error. Only regular files and folders are permitted.
func Walk(ctx context.Context, src Source, limits Limits, visit func(File) error) error {
	w := &walker{ctx: ctx, meter: meter{Limits: limits}, names: newNames(), visit: visit}
	if src.folder != nil {
		return w.walkFolder(src.folder)
	}
	in := &input{r: src.archive}
	magic := make([]byte, 4)
	n, err := in.ReadAt(magic, 0)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return fmt.Errorf("read bundle: %w", err)
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		err = w.walkTarGz(in, src.size)
	case n == 4 && (string(magic) == "PK\x03\x04" || string(magic) == "PK\x05\x06"):
		err = w.walkZip(in, src.size)
	default:
		return refuse(Damaged, "", "This is neither a tar.gz nor a zip archive.")
	}
	if in.failed != nil { // an error of the disk, not of the archive
		return fmt.Errorf("read bundle: %w", in.failed)
	}
	return err
}

// walker holds the state of one walk.
type walker struct {
	ctx context.Context
	meter
	names *names
	visit func(File) error
}

// admit checks an entry's name. It only counts folders.
func (w *walker) admit(name string, dir bool) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if err := w.entry(name); err != nil {
		return err
	}
	return w.names.take(name, dir)
}

// give passes a file to the visitor.
func (w *walker) give(name string, size int64, body io.Reader) error {
	if err := w.size(name, size); err != nil {
		return err
	}
	return w.visit(File{Path: name, Size: size, Body: body, Read: w.packed})
}

// input distinguishes read errors from truncated archives.
type input struct {
	r      io.ReaderAt
	failed error
}

// ReadAt implements io.ReaderAt.
func (in *input) ReadAt(p []byte, off int64) (int, error) {
	n, err := in.r.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		in.failed = err
	}
	return n, err
}

// damaged converts the error of a format's reader to a Refusal. It returns a Refusal or a context error unchanged.
func damaged(entry string, err error) error {
	var ours *Refusal
	if err == nil || errors.As(err, &ours) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return refuse(Damaged, entry, "The archive is truncated.")
	}
	return refuse(Damaged, entry, "The archive is damaged: %v.", err)
}
