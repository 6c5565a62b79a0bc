package blob

import (
	"context"
	"errors"
	"io"
)

// Writer streams into a blob while its content is generated, without a second copy in memory or on disk. It is not
// safe for concurrent use.
type Writer struct {
	pipe   *io.PipeWriter
	stored chan error // receives exactly one value
	size   int64
}

// Create starts a blob. The caller must always end it with Close. If ctx ends, the blob is canceled.
func Create(ctx context.Context, s Store, key string) *Writer {
	pr, pw := io.Pipe()
	w := &Writer{pipe: pw, stored: make(chan error, 1)}
	go func() {
		_, err := s.Put(ctx, key, pr)
		_ = pr.CloseWithError(errors.Join(err, io.ErrClosedPipe)) // unblocks a writer whose reader is gone
		w.stored <- err
	}()
	return w
}

// Write appends to the blob. It fails once the store has returned an error.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.pipe.Write(p)
	w.size += int64(n)
	return n, err
}

// Size returns the number of bytes written so far.
func (w *Writer) Size() int64 { return w.size }

// Close ends the blob and returns when it is stored. With a cause, it cancels the blob instead: nothing is stored, and
// the returned error includes the cause. It must be called only once.
func (w *Writer) Close(cause error) error {
	w.pipe.CloseWithError(cause)
	return errors.Join(cause, <-w.stored)
}

// Abandon cancels the blob without waiting. It is for use after a panic, and does nothing after Close.
func (w *Writer) Abandon() { w.pipe.CloseWithError(errAbandoned) }

var errAbandoned = errors.New("the blob was abandoned")
