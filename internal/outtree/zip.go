package outtree

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// zipLevel is fixed: the level is part of the bytes.
const zipLevel = 6

// zipDate is epoch in the archive's own notation (year since 1980, month, day).
const zipDate = 1<<5 | 1

// utf8Names is the flag that says an entry's name is UTF-8.
const utf8Names = 0x800

type zipped struct {
	zip    *zip.Writer
	packer *flate.Writer // one for all entries: its tables are large
	buf    bytes.Buffer
}

// NewZip starts a zip archive on w. w needs no seeking: sizes are known before an entry starts.
func NewZip(w io.Writer) *Archive {
	z := &zipped{zip: zip.NewWriter(w)}
	packer, err := flate.NewWriter(&z.buf, zipLevel)
	if err != nil { // only a constant of ours could cause it
		panic(fmt.Sprintf("start deflate: %v", err))
	}
	z.packer = packer
	return &Archive{format: z}
}

func (z *zipped) put(f File) error {
	h := &zip.FileHeader{
		Name: f.Path, Method: zip.Store, Flags: utf8Names, CRC32: crc32.ChecksumIEEE(f.Data),
		UncompressedSize64: uint64(len(f.Data)), CompressedSize64: uint64(len(f.Data)),
	}
	//lint:ignore SA1019 CreateRaw writes this field and does not look at Modified
	h.ModifiedDate = zipDate
	h.SetMode(0o644)
	body := f.Data
	if !packed(f.ContentType) {
		packed, err := z.deflate(f.Data)
		if err != nil {
			return err
		}
		if len(packed) < len(body) {
			h.Method, h.CompressedSize64, body = zip.Deflate, uint64(len(packed)), packed
		}
	}
	w, err := z.zip.CreateRaw(h)
	if err == nil {
		_, err = w.Write(body)
	}
	if err != nil {
		return fmt.Errorf("write zip entry: %w", err)
	}
	return nil
}

// deflate packs data; the result is valid until the next call.
func (z *zipped) deflate(data []byte) ([]byte, error) {
	z.buf.Reset()
	z.packer.Reset(&z.buf)
	if _, err := z.packer.Write(data); err != nil {
		return nil, fmt.Errorf("deflate zip entry: %w", err)
	}
	if err := z.packer.Close(); err != nil {
		return nil, fmt.Errorf("deflate zip entry: %w", err)
	}
	return z.buf.Bytes(), nil
}

func (z *zipped) close() error {
	if err := z.zip.Close(); err != nil {
		return fmt.Errorf("finish zip: %w", err)
	}
	return nil
}
