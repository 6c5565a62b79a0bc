package outtree

import (
	"context"
	"errors"
	"io"
)

// Archive is a Sink that writes one archive, entry by entry. Equal files in equal order give equal bytes: times, modes,
// owners, block sizes and levels are fixed. Close must be called, after an error too; it does not close the writer.
type Archive struct {
	format archiveFormat
	failed error // the first error; nothing is written after it
	closed bool
}

// archiveFormat is what differs between the kinds of archive.
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

// Close finishes the archive and reports the first error of the whole run. A second call does nothing.
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
