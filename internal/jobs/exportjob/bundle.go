package exportjob

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// bundleWriter writes an archive and streams it to storage. Both formats use the same compressed files.
type bundleWriter struct {
	key     string
	format  export.Format
	archive *output.Archive
	buf     *bufio.Writer // buffers writes to this writer
	blob    *blob.Writer
	sum     hash.Hash
}

// bundleBuffer is the size of writes to storage, in bytes: an archive is written in tens of thousands of small
// pieces.
const bundleBuffer = 1 << 18

func (e *Exporter) startBundle(ctx context.Context, key string, format export.Format) *bundleWriter {
	b := &bundleWriter{key: key, format: format, blob: blob.Create(ctx, e.Blob, key), sum: sha256.New()}
	b.buf = bufio.NewWriterSize(b, bundleBuffer)
	if format == export.Zip {
		b.archive = output.NewZip(b.buf)
	} else {
		b.archive = output.NewTarGz(b.buf)
	}
	return b
}

// Write writes to the blob store and updates the digest.
func (b *bundleWriter) Write(p []byte) (int, error) {
	n, err := b.blob.Write(p)
	b.sum.Write(p[:n])
	return n, err
}

// close finishes the archive or, if cause is not nil, aborts it without storing anything.
func (b *bundleWriter) close(cause error) (export.Bundle, error) {
	err := cause
	if err == nil {
		err = b.archive.Close()
	}
	if err == nil {
		err = b.buf.Flush()
	}
	if err := b.blob.Close(err); err != nil {
		return export.Bundle{}, fmt.Errorf("store bundle: %w", err)
	}
	return export.Bundle{Format: b.format, Key: b.key, Size: b.blob.Size(), SHA256: hex.EncodeToString(b.sum.Sum(nil))},
		nil
}
