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

// bundleWriter makes an archive and stores it on the way, from the same packed files as the other format's.
type bundleWriter struct {
	key     string
	format  export.Format
	archive *output.Archive
	buf     *bufio.Writer // before this writer
	blob    *blob.Writer
	sum     hash.Hash
}

// bundleBuffer is how much is stored at once, in bytes: an archive comes in tens of thousands of small pieces.
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

// Write digests what goes into the blob store.
func (b *bundleWriter) Write(p []byte) (int, error) {
	n, err := b.blob.Write(p)
	b.sum.Write(p[:n])
	return n, err
}

// close finishes the archive, or breaks it off when cause is not nil so that nothing of it is stored.
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
