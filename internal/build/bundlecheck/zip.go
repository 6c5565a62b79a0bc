package bundlecheck

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
)

// A zip archive is read entry by entry and never as a whole, because its directory may claim anything:
//
//	archive = { local-header name extra data [descriptor] } { central-header name extra comment } [zip64-end zip64-locator] end
//
// Entries must be in the order of the directory, must not overlap, and must have the same name in both places.
const (
	localHeader, centralHeader, endHeader       = 0x04034b50, 0x02014b50, 0x06054b50
	zip64End, zip64Locator                      = 0x06064b50, 0x07064b50
	localSize, centralSize, endSize             = 30, 46, 22
	zip64EndSize, zip64LocatorSize, zip64Extra  = 56, 20, 1
	commentMax                                  = 1<<16 - 1
	stored, deflated                            = 0, 8
	unixKind, unixFile, unixFolder, unixSymlink = 0xf000, 0x8000, 0x4000, 0xa000
)

var (
	le         = binary.LittleEndian
	errZipList = refuse(Damaged, "", "The archive's central directory is damaged.")
)

// zipEntry is an entry as described in the directory.
type zipEntry struct {
	name           string
	dir            bool
	flags, method  uint16
	crc            uint32
	packed, size   int64
	offset, length int64 // of the local header; of the entry in the directory
}

func (w *walker) walkZip(in io.ReaderAt, size int64) error {
	first, end, err := zipList(in, size)
	if err != nil {
		return err
	}
	list := bufio.NewReaderSize(io.NewSectionReader(in, first, end-first), 1<<16)
	z := &zipReader{walker: w, in: in, end: first, body: flate.NewReader(nil)}
	for at := first; at < end; {
		e, err := readCentral(list)
		if err != nil {
			return err
		}
		at += e.length
		if err := w.admit(strings.TrimSuffix(e.name, "/"), e.dir); err != nil {
			return err
		}
		if err := z.entry(e); err != nil {
			return err
		}
	}
	return nil
}

// zipList returns the offsets of the start and the end of the central directory.
func zipList(in io.ReaderAt, size int64) (first, end int64, err error) {
	tail := make([]byte, min(size, endSize+commentMax))
	if _, err := in.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return 0, 0, damaged("", err)
	}
	at := len(tail) - endSize
	for ; at >= 0; at-- {
		if le.Uint32(tail[at:]) == endHeader && at+endSize+int(le.Uint16(tail[at+20:])) == len(tail) {
			break
		}
	}
	if at < 0 {
		return 0, 0, refuse(Damaged, "", "The archive is truncated.")
	}
	end = size - int64(len(tail)-at)
	length, first := int64(le.Uint32(tail[at+12:])), int64(le.Uint32(tail[at+16:]))
	if length == 1<<32-1 || first == 1<<32-1 || le.Uint16(tail[at+10:]) == 1<<16-1 {
		if first, length, end, err = zip64List(in, first, length, end); err != nil {
			return 0, 0, err
		}
	}
	if first < 0 || length < 0 || first > end || end-first != length {
		return 0, 0, errZipList
	}
	return first, end, nil
}

// zip64List reads the end record of a large archive. If there is none, it returns the values of the normal end record.
func zip64List(in io.ReaderAt, first, length, end int64) (int64, int64, int64, error) {
	loc := make([]byte, zip64LocatorSize)
	if _, err := in.ReadAt(loc, max(0, end-zip64LocatorSize)); err != nil || le.Uint32(loc) != zip64Locator {
		return first, length, end, nil
	}
	at := int64(le.Uint64(loc[8:]))
	rec := make([]byte, zip64EndSize)
	if at < 0 || at > end-zip64LocatorSize-zip64EndSize {
		return 0, 0, 0, errZipList
	}
	if _, err := in.ReadAt(rec, at); err != nil || le.Uint32(rec) != zip64End {
		return 0, 0, 0, errZipList
	}
	return int64(le.Uint64(rec[48:])), int64(le.Uint64(rec[40:])), at, nil
}

// readCentral reads the next entry of the directory.
func readCentral(list *bufio.Reader) (e zipEntry, err error) {
	h := make([]byte, centralSize)
	if _, err := io.ReadFull(list, h); err != nil || le.Uint32(h) != centralHeader {
		return e, errZipList
	}
	nameLen, extraLen, commentLen := int(le.Uint16(h[28:])), int(le.Uint16(h[30:])), int(le.Uint16(h[32:]))
	rest := make([]byte, nameLen+extraLen+commentLen)
	if _, err := io.ReadFull(list, rest); err != nil {
		return e, errZipList
	}
	e = zipEntry{
		name: string(rest[:nameLen]), flags: le.Uint16(h[8:]), method: le.Uint16(h[10:]), crc: le.Uint32(h[16:]),
		packed: int64(le.Uint32(h[20:])), size: int64(le.Uint32(h[24:])), offset: int64(le.Uint32(h[42:])),
		length: int64(centralSize + len(rest)),
	}
	if !e.large(rest[nameLen : nameLen+extraLen]) {
		return e, errZipList
	}
	e.dir = strings.HasSuffix(e.name, "/")
	if system := h[5]; system == 3 || system == 19 { // Unix, macOS: the upper half contains the kind of file
		switch le.Uint32(h[38:]) >> 16 & unixKind {
		case 0, unixFile:
		case unixFolder:
			e.dir = true
		case unixSymlink:
			return e, refuse(Unsafe, e.name, "The entry is a symbolic link.")
		default:
			return e, refuse(Unsafe, e.name, "The entry is neither a file nor a folder.")
		}
	}
	return e, nil
}

// large reads sizes that need more than four bytes.
func (e *zipEntry) large(extra []byte) bool {
	for len(extra) >= 4 {
		id, n := le.Uint16(extra), int(le.Uint16(extra[2:]))
		if extra = extra[4:]; n > len(extra) {
			return false
		}
		if field := extra[:n]; id == zip64Extra {
			for _, v := range []*int64{&e.size, &e.packed, &e.offset} {
				if *v != 1<<32-1 {
					continue
				}
				if len(field) < 8 {
					return false
				}
				*v, field = int64(le.Uint64(field)), field[8:]
			}
		}
		extra = extra[n:]
	}
	return e.size >= 0 && e.packed >= 0 && e.offset >= 0
}

// zipReader reads the content of entries.
type zipReader struct {
	*walker
	in   io.ReaderAt
	past int64 // end of the preceding entry
	end  int64 // end of all entries
	body io.ReadCloser
}

func (z *zipReader) entry(e zipEntry) error {
	start, err := z.start(e)
	if err != nil {
		return err
	}
	z.past = start + e.packed
	z.packed += z.past - e.offset
	if e.dir {
		if e.size != 0 {
			return refuse(Unsafe, e.name, "The folder entry has content.")
		}
		return nil
	}
	packed := bufio.NewReader(io.NewSectionReader(z.in, start, e.packed))
	var body io.Reader = packed
	switch {
	case e.flags&1 != 0:
		return refuse(Unsafe, e.name, "The entry is encrypted.")
	case e.method == deflated:
		if err := z.body.(flate.Resetter).Reset(packed, nil); err != nil {
			return damaged(e.name, err)
		}
		body = z.body
	case e.method != stored:
		return refuse(Damaged, e.name, "The entry's compression method is not supported.")
	}
	return z.give(e.name, e.size,
		&checked{r: &bounded{w: z.walker, r: body, entry: e.name}, left: e.size, want: e.crc, entry: e.name})
}

// start returns the offset of an entry's data.
func (z *zipReader) start(e zipEntry) (int64, error) {
	if e.offset < z.past || e.offset > z.end-localSize {
		return 0, refuse(Unsafe, e.name, "The entries overlap or are out of order.")
	}
	h := make([]byte, localSize+len(e.name))
	if _, err := z.in.ReadAt(h, e.offset); err != nil {
		return 0, damaged(e.name, err)
	}
	if le.Uint32(h) != localHeader || int(le.Uint16(h[26:])) != len(e.name) || string(h[localSize:]) != e.name {
		return 0, refuse(Damaged, e.name, "The entry does not match the archive's central directory.")
	}
	start := e.offset + int64(len(h)) + int64(le.Uint16(h[28:]))
	if start > z.end || e.packed > z.end-start {
		return 0, refuse(Damaged, e.name, "The entry is larger than the archive.")
	}
	return start, nil
}

// checked reads the content of an entry. It fails if the length or the checksum differs from the header.
type checked struct {
	r     io.Reader
	left  int64
	sum   uint32
	want  uint32
	entry string
	done  bool
}

// Read implements io.Reader.
func (c *checked) Read(p []byte) (int, error) {
	if c.done {
		return 0, io.EOF
	}
	n, err := c.r.Read(p)
	c.left -= int64(n)
	c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
	switch {
	case c.left < 0:
		return 0, refuse(Damaged, c.entry, "The file is larger than its entry says.")
	case errors.Is(err, io.EOF):
		if c.left > 0 || c.sum != c.want {
			return 0, refuse(Damaged, c.entry, "The file's checksum is wrong.")
		}
		c.done = true
		return n, io.EOF
	case err != nil:
		return n, damaged(c.entry, err)
	}
	return n, nil
}
