package output

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// zipped writes a zip archive (APPNOTE 6.3), with zip64 fields for values that do not fit. The standard library's
// writer would keep some 250 bytes per entry until the end; this one keeps only the data for the directory.
type zipped struct {
	w       io.Writer
	at      uint64 // bytes written
	entries uint64
	dir     [][]byte // the directory so far, in blocks, so that it is never reallocated
	dirSize uint64
	head    []byte // reused
	comment func() (string, error)
}

// NewZip starts a zip archive on w. w does not need to be seekable, because sizes are known before an entry starts. It
// should be buffered.
func NewZip(w io.Writer) *Archive {
	return NewZipWithComment(w, func() (string, error) { return "", nil })
}

// NewZipWithComment is like NewZip, but the archive has a comment. comment is called when everything except the end
// record has been written; its result may have at most 65,535 bytes.
func NewZipWithComment(w io.Writer, comment func() (string, error)) *Archive {
	return &Archive{format: &zipped{w: w, comment: comment}}
}

const (
	zipDate    = 1<<5 | 1       // epoch in zip's date format: years since 1980, month, day
	utf8Names  = 0x800          // flag: the name is in UTF-8
	zipMode    = 0o100644 << 16 // a regular file in Unix notation
	zipMade    = 3 << 8         // created on Unix
	zipStored  = 0
	zipDeflate = 8
	dirBlock   = 1 << 16 // bytes
)

// zipEntry is the metadata of a file in its local header and in the directory.
type zipEntry struct {
	name         string
	method       uint16
	crc          uint32
	packed, size uint64 // bytes
	at           uint64 // offset of its local header
}

func (z *zipped) put(f File) error {
	p, err := f.content()
	if err != nil {
		return err
	}
	e := zipEntry{name: f.Path, method: zipStored, crc: p.CRC32, packed: uint64(p.Size), size: uint64(p.Size), at: z.at}
	body, end := f.Data, ""
	if p.Deflated != nil {
		body, end = p.Deflated, finalBlock
		e.method, e.packed = zipDeflate, uint64(len(body)+len(end))
	}
	z.head = e.local(z.head[:0])
	if err := errors.Join(z.write(z.head), z.write(body), z.write([]byte(end))); err != nil {
		return fmt.Errorf("write zip entry: %w", err)
	}
	z.list(e)
	return nil
}

func (z *zipped) write(data []byte) error {
	n, err := z.w.Write(data)
	z.at += uint64(n)
	return err
}

// local appends the header that precedes the content of a file.
func (e zipEntry) local(out []byte) []byte {
	var long []byte
	if e.size >= math.MaxUint32 || e.packed >= math.MaxUint32 { // a local header must have both or neither
		long = append64(nil, e.size, e.packed)
		e.size, e.packed = math.MaxUint32, math.MaxUint32
	}
	out = append(out, "PK\x03\x04"...)
	out = e.facts(out, long)
	out = append(out, e.name...)
	return appendLong(out, long)
}

// facts appends the fields that local headers and directory entries share.
func (e zipEntry) facts(out, long []byte) []byte {
	out = append16(out, zipVersion(long != nil), utf8Names, e.method, 0, zipDate)
	out = append32(out, e.crc, clip32(e.packed), clip32(e.size))
	extra := 0
	if long != nil {
		extra = 4 + len(long)
	}
	return append16(out, uint16(len(e.name)), uint16(extra))
}

// list adds a file to the directory.
func (z *zipped) list(e zipEntry) {
	var long []byte
	for _, v := range []uint64{e.size, e.packed, e.at} { // the values that do not fit, in this order
		if v >= math.MaxUint32 {
			long = append64(long, v)
		}
	}
	need := 46 + len(e.name) + 4 + len(long)
	if last := len(z.dir) - 1; last < 0 || len(z.dir[last])+need > dirBlock {
		z.dir = append(z.dir, make([]byte, 0, dirBlock))
	}
	block := &z.dir[len(z.dir)-1]
	out := append(*block, "PK\x01\x02"...)
	out = append16(out, zipMade|zipVersion(long != nil))
	out = e.facts(out, long)
	out = append16(out, 0, 0, 0) // no comment, first disk, no internal attributes
	out = append32(out, zipMode, clip32(e.at))
	out = append(out, e.name...)
	out = appendLong(out, long)
	z.dirSize += uint64(len(out) - len(*block))
	*block = out
	z.entries++
}

func (z *zipped) close() error {
	start := z.at
	var err error
	for _, block := range z.dir {
		err = errors.Join(err, z.write(block))
	}
	comment, commentErr := z.comment()
	if err = errors.Join(err, commentErr, z.write(z.end(start, comment))); err != nil {
		return fmt.Errorf("finish zip: %w", err)
	}
	return nil
}

// end returns the end record, which locates the directory.
func (z *zipped) end(start uint64, comment string) (out []byte) {
	if z.entries >= math.MaxUint16 || start >= math.MaxUint32 || z.dirSize >= math.MaxUint32 {
		out = append64(append(out, "PK\x06\x06"...), 44) // size of the rest of this record
		out = append16(out, zipMade|zipVersion(true), zipVersion(true))
		out = append32(out, 0, 0) // disks
		out = append64(out, z.entries, z.entries, z.dirSize, start)
		out = append32(append(out, "PK\x06\x07"...), 0)
		out = append64(out, start+z.dirSize)
		out = append32(out, 1) // total number of disks
	}
	n := uint16(min(z.entries, math.MaxUint16))
	out = append16(append(out, "PK\x05\x06"...), 0, 0, n, n)
	out = append32(out, clip32(z.dirSize), clip32(start))
	return append(append16(out, uint16(len(comment))), comment...)
}

// zipVersion returns the version that a reader must support, times ten.
func zipVersion(long bool) uint16 {
	if long {
		return 45
	}
	return 20
}

// appendLong appends the zip64 field, which contains the numbers that do not fit in a header.
func appendLong(out, long []byte) []byte {
	if long == nil {
		return out
	}
	return append(append16(out, 1, uint16(len(long))), long...)
}

// clip32 returns v, or the marker which says that the value is in the zip64 field.
func clip32(v uint64) uint32 { return uint32(min(v, math.MaxUint32)) }

func append16(out []byte, list ...uint16) []byte {
	for _, v := range list {
		out = binary.LittleEndian.AppendUint16(out, v)
	}
	return out
}

func append32(out []byte, list ...uint32) []byte {
	for _, v := range list {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}

func append64(out []byte, list ...uint64) []byte {
	for _, v := range list {
		out = binary.LittleEndian.AppendUint64(out, v)
	}
	return out
}
