package exportjob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/lectern-docs/lectern/internal/export"
	"github.com/lectern-docs/lectern/internal/outtree"
)

// bundleWriter streams an archive into the blob store while it is made: no second copy, and memory does not grow with it.
type bundleWriter struct {
	key     string
	format  export.Format
	archive *outtree.Archive
	pipe    *io.PipeWriter
	sum     hash.Hash
	size    int64
	stored  chan error // receives once
}

func (e *Exporter) startBundle(ctx context.Context, key string, format export.Format) *bundleWriter {
	pr, pw := io.Pipe()
	b := &bundleWriter{key: key, format: format, pipe: pw, sum: sha256.New(), stored: make(chan error, 1)}
	if format == export.Zip {
		b.archive = outtree.NewZip(b)
	} else {
		b.archive = outtree.NewTarGz(b)
	}
	go func() {
		_, err := e.Blob.Put(ctx, key, pr)
		_ = pr.CloseWithError(errors.Join(err, io.ErrClosedPipe)) // a writer must not wait for a reader that left
		b.stored <- err
	}()
	return b
}

// Write counts and digests what goes into the blob store.
func (b *bundleWriter) Write(p []byte) (int, error) {
	n, err := b.pipe.Write(p)
	b.sum.Write(p[:n])
	b.size += int64(n)
	return n, err
}

// close finishes the archive, or breaks it off when cause is not nil so that nothing of it is stored.
func (b *bundleWriter) close(cause error) (export.Bundle, error) {
	err := b.archive.Close()
	if cause != nil {
		err = cause
	}
	b.pipe.CloseWithError(err)
	if err := errors.Join(err, <-b.stored); err != nil {
		return export.Bundle{}, fmt.Errorf("store bundle: %w", err)
	}
	return export.Bundle{Format: b.format, Key: b.key, Size: b.size, SHA256: hex.EncodeToString(b.sum.Sum(nil))}, nil
}
