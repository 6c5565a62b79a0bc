package blob

import (
	"context"
	"errors"
	"io"
)

// Writer streams into a blob while its content is made: no second copy, and memory does not grow with it. It is not
// safe for concurrent use.
type Writer struct {
	pipe   *io.PipeWriter
	stored chan error // receives once
	size   int64
}

// Create starts a blob. The caller ends it with Close, whatever happened; ending ctx breaks it off.
func Create(ctx context.Context, s Store, key string) *Writer {
	pr, pw := io.Pipe()
	w := &Writer{pipe: pw, stored: make(chan error, 1)}
	go func() {
		_, err := s.Put(ctx, key, pr)
		_ = pr.CloseWithError(errors.Join(err, io.ErrClosedPipe)) // a writer must not wait for a reader that left
		w.stored <- err
	}()
	return w
}

// Write appends to the blob. It fails once the store has given up.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.pipe.Write(p)
	w.size += int64(n)
	return n, err
}

// Size returns how many bytes were written so far.
func (w *Writer) Size() int64 { return w.size }

// Close ends the blob and returns when it is stored. With a cause it is broken off instead, nothing of it is stored,
// and the cause is part of what Close returns. Call it once.
func (w *Writer) Close(cause error) error {
	w.pipe.CloseWithError(cause)
	return errors.Join(cause, <-w.stored)
}

// Abandon breaks the blob off without waiting, for callers that a panic took out of their way. After Close it does
// nothing.
func (w *Writer) Abandon() { w.pipe.CloseWithError(errAbandoned) }

var errAbandoned = errors.New("the blob was abandoned")
