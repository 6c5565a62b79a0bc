package outtree

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/pgzip"
)

// Compression is cut in blocks that are packed in parallel. The bytes depend on the block size and the level, never on
// how many blocks are in flight, so both are constants.
const (
	gzipBlock  = 1 << 18 // bytes
	gzipBlocks = 4       // in flight: bounds memory at a few times gzipBlock
	gzipLevel  = 6
)

// epoch is the time of every entry: the first moment that a zip entry can hold.
var epoch = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

type tarGz struct {
	gz  *pgzip.Writer
	tar *tar.Writer
}

// NewTarGz starts a gzip-compressed tar archive on w.
func NewTarGz(w io.Writer) *Archive {
	gz, err := pgzip.NewWriterLevel(w, gzipLevel)
	if err == nil {
		err = gz.SetConcurrency(gzipBlock, gzipBlocks)
	}
	if err != nil { // only constants of ours could cause it
		panic(fmt.Sprintf("start gzip: %v", err))
	}
	return &Archive{format: &tarGz{gz: gz, tar: tar.NewWriter(gz)}}
}

func (a *tarGz) put(f File) error {
	h := &tar.Header{Typeflag: tar.TypeReg, Name: f.Path, Size: int64(len(f.Data)), Mode: 0o644, ModTime: epoch}
	if err := a.tar.WriteHeader(h); err != nil {
		return fmt.Errorf("write tar entry: %w", err)
	}
	if _, err := a.tar.Write(f.Data); err != nil {
		return fmt.Errorf("write tar entry: %w", err)
	}
	return nil
}

func (a *tarGz) close() error {
	if err := errors.Join(a.tar.Close(), a.gz.Close()); err != nil {
		return fmt.Errorf("finish tar.gz: %w", err)
	}
	return nil
}
