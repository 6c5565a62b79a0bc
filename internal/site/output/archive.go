package output

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Archive is a Sink that writes an archive, entry by entry. The same files in the same order always produce the same
// bytes, because times, modes, owners, block sizes and compression levels are fixed. Close finishes the archive, but
// does not close the writer.
type Archive struct {
	format archiveFormat
	failed error // the first error; nothing is written after it
	closed bool
}

// archiveFormat is the interface that each archive format implements.
type archiveFormat interface {
	put(f File) error
	close() error
}

var errClosed = errors.New("put file: archive is closed")

// Put writes one entry.
func (a *Archive) Put(ctx context.Context, f File) error {
	if a.closed {
		return errClosed
	}
	if a.failed != nil {
		return a.failed
	}
	if a.failed = check(ctx, f); a.failed == nil {
		a.failed = a.format.put(f)
	}
	return a.failed
}

// Close finishes the archive and returns the first error since the archive was created. A second call does nothing.
func (a *Archive) Close() error {
	if a.closed {
		return a.failed
	}
	a.closed = true
	err := a.format.close()
	if a.failed == nil {
		a.failed = err
	}
	return a.failed
}

var _ io.Closer = (*Archive)(nil)

// WantsPacked returns true: archives are assembled from packed files.
func (a *Archive) WantsPacked() bool { return true }

// content returns the file's packed form and checks its size. A wrong size cannot be corrected later in an archive.
func (f File) content() (*Packed, error) {
	p := f.pack()
	if p.Deflated == nil && int64(len(f.Data)) != p.Size || p.Size < 0 {
		return nil, fmt.Errorf("put file: %q has %d bytes of content instead of %d", f.Path, len(f.Data), p.Size)
	}
	return p, nil
}
