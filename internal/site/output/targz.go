package output

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"time"
)

// epoch is the time of every entry. It is the earliest time that a zip entry can represent.
var epoch = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// tarGz writes one gzip member from the packed pieces of the files. It compresses only the headers of entries, and
// computes the checksum from the checksums of the pieces.
type tarGz struct {
	w     io.Writer
	shift *crcShift
	crc   uint32 // CRC of everything so far
	size  uint64 // bytes of the tar archive so far
	begun bool
	plain bytes.Buffer // padding of the last entry and header of the next one; not written yet
	piece []byte       // the same data in deflated form; reused
}

// NewTarGz starts a gzip-compressed tar archive on w. Each entry takes at least two writes, so w should be
// buffered.
func NewTarGz(w io.Writer) *Archive { return &Archive{format: &tarGz{w: w, shift: newCRCShift()}} }

// gzipHead contains neither a time nor an operating system, so it is always the same (RFC 1952).
const gzipHead = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

func (a *tarGz) put(f File) error {
	p, err := f.content()
	if err != nil {
		return err
	}
	if err := tarHead(&a.plain, f.Path, p.Size); err != nil {
		return err
	}
	if err := a.flush(); err != nil {
		return fmt.Errorf("write tar entry: %w", err)
	}
	if err := a.body(p, f.Data); err != nil {
		return fmt.Errorf("write tar entry: %w", err)
	}
	a.crc = a.shift.join(a.crc, p.CRC32, p.Size)
	a.size += uint64(p.Size)
	a.zeros(int(-p.Size & (tarBlock - 1)))
	return nil
}

// tarBlock is the block size of a tar, in bytes.
const tarBlock = 512

func (a *tarGz) zeros(n int) { a.plain.Write(make([]byte, 2*tarBlock)[:n]) }

// body writes the content of a file: its packed piece, or stored blocks.
func (a *tarGz) body(p *Packed, data []byte) error {
	if p.Deflated != nil {
		_, err := a.w.Write(p.Deflated)
		return err
	}
	for len(data) > 0 {
		n := min(len(data), storedBlock)
		if _, err := a.w.Write(storedHead(n)); err != nil {
			return err
		}
		if _, err := a.w.Write(data[:n]); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// flush writes pending data.
func (a *tarGz) flush() error {
	a.piece = a.piece[:0]
	if !a.begun {
		a.begun = true
		a.piece = append(a.piece, gzipHead...)
	}
	a.crc = crc32.Update(a.crc, crc32.IEEETable, a.plain.Bytes())
	a.size += uint64(a.plain.Len())
	a.piece = appendRuns(a.piece, a.plain.Bytes())
	a.plain.Reset()
	_, err := a.w.Write(a.piece)
	return err
}

func (a *tarGz) close() error {
	a.zeros(2 * tarBlock)
	err := a.flush()
	if err == nil {
		_, err = a.w.Write(append32([]byte(finalBlock), a.crc, uint32(a.size))) // the format requires the size modulo 2³²
	}
	if err != nil {
		return fmt.Errorf("finish tar.gz: %w", err)
	}
	return nil
}
