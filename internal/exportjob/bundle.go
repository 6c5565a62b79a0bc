package exportjob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/lectern-docs/lectern/internal/blob"
	"github.com/lectern-docs/lectern/internal/export"
	"github.com/lectern-docs/lectern/internal/outtree"
)

// bundleWriter makes an archive and stores it on the way.
type bundleWriter struct {
	key     string
	format  export.Format
	archive *outtree.Archive
	blob    *blob.Writer
	sum     hash.Hash
}

func (e *Exporter) startBundle(ctx context.Context, key string, format export.Format) *bundleWriter {
	b := &bundleWriter{key: key, format: format, blob: blob.Create(ctx, e.Blob, key), sum: sha256.New()}
	if format == export.Zip {
		b.archive = outtree.NewZip(b)
	} else {
		b.archive = outtree.NewTarGz(b)
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
	err := b.archive.Close() // always, for the compressor's sake
	if cause != nil {
		err = cause
	}
	if err := b.blob.Close(err); err != nil {
		return export.Bundle{}, fmt.Errorf("store bundle: %w", err)
	}
	return export.Bundle{Format: b.format, Key: b.key, Size: b.blob.Size(), SHA256: hex.EncodeToString(b.sum.Sum(nil))}, nil
}
