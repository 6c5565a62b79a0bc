package buildcache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"sync/atomic"
)

// A pack is
//
//	pack    = { record } { entry } trailer
//	record  = key (32 bytes) value
//	entry   = first 8 bytes of the key, offset of the record (8), length of the value (4), CRC-32C of the record (4);
//	          in ascending order, all different
//	trailer = magic (8), number of entries (8), offset of the first entry (8), CRC-32C of entries and trailer so far (4),
//	          zero (4)
//
// with numbers in big-endian order. Another format would have another file name extension.
const (
	magic       = "lectpack"
	keySize     = 32
	entrySize   = 24
	trailerSize = 32
)

// maxValue limits a value, in bytes. Larger values are not stored.
const maxValue = 64 << 20

// errDamaged means that a file is not a valid pack.
var errDamaged = errors.New("damaged pack")

// cutOff returns errDamaged for a file that ends too early, and err itself for a file that may be intact but currently
// cannot be read.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return err
}

// checksum computes CRC-32C, which processors support in hardware.
func checksum(parts ...[]byte) (sum uint32) {
	table := crc32.MakeTable(crc32.Castagnoli)
	for _, p := range parts {
		sum = crc32.Update(sum, table, p)
	}
	return sum
}

// place is the position of a record.
type place struct {
	offset int64 // offset of the key
	length uint32
	sum    uint32
}

// end returns the offset of the byte after the record.
func (p place) end() int64 { return p.offset + keySize + int64(p.length) }

// pack is an open pack. It does not change, so the sessions of a Store share it.
type pack struct {
	name    string
	file    *os.File
	entries []byte // the index as on disk: 24 bytes per record, without objects for the garbage collector
	start   int64  // start of the index, which is the end of the records
	damaged atomic.Bool
	users   int // number of sessions; guarded by Store.mu
}

// openPack reads a pack's index.
func openPack(root *os.Root, name string) (*pack, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open pack: %w", err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	p := &pack{name: name, file: f}
	if err == nil {
		p.start, p.entries, err = readIndex(f, info.Size())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read pack: %w", err), f.Close())
	}
	return p, nil
}

// readTrailer returns the start of a pack's index, its number of entries, and the trailer itself.
func readTrailer(r io.ReaderAt, size int64) (start int64, count int, trailer [trailerSize]byte, err error) {
	if size < trailerSize {
		return 0, 0, trailer, errDamaged
	}
	if n, err := r.ReadAt(trailer[:], size-trailerSize); n < trailerSize {
		return 0, 0, trailer, cutOff(err)
	}
	n, at := binary.BigEndian.Uint64(trailer[8:]), binary.BigEndian.Uint64(trailer[16:])
	room := uint64(size - trailerSize)
	if string(trailer[:8]) != magic || at > room || n > room/entrySize || at+n*entrySize != room {
		return 0, 0, trailer, errDamaged
	}
	return int64(at), int(n), trailer, nil
}

// readIndex reads the index of a pack of the given size. It never allocates more memory than the size of the pack.
func readIndex(r io.ReaderAt, size int64) (start int64, entries []byte, err error) {
	start, count, trailer, err := readTrailer(r, size)
	if err != nil {
		return 0, nil, err
	}
	entries = make([]byte, count*entrySize)
	if n, err := r.ReadAt(entries, start); n < len(entries) {
		return 0, nil, cutOff(err)
	}
	if checksum(entries, trailer[:24]) != binary.BigEndian.Uint32(trailer[24:]) {
		return 0, nil, errDamaged
	}
	return start, entries, nil
}

// count returns the number of records.
func (p *pack) count() int { return len(p.entries) / entrySize }

// prefix returns the part of a key that is in the index.
func prefix(key [keySize]byte) uint64 { return binary.BigEndian.Uint64(key[:]) }

// at returns the prefix of an entry.
func (p *pack) at(i int) uint64 { return binary.BigEndian.Uint64(p.entries[i*entrySize:]) }

// place returns the position of an entry's record.
func (p *pack) place(i int) place {
	e := p.entries[i*entrySize:][:entrySize]
	return place{int64(binary.BigEndian.Uint64(e[8:])), binary.BigEndian.Uint32(e[16:]),
		binary.BigEndian.Uint32(e[20:])}
}

// find finds the record of a key prefix. Digests are distributed evenly, so the entry is near the position that its
// prefix suggests. If it is not, the entry is still found by binary search.
func (p *pack) find(prefix uint64) (place, bool) {
	n := p.count()
	if n == 0 {
		return place{}, false
	}
	low, high := p.around(prefix, n)
	for low < high {
		if middle := int(uint(low+high) / 2); p.at(middle) < prefix {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == n || p.at(low) != prefix {
		return place{}, false
	}
	return p.place(low), true
}

// around returns bounds for the index of the first entry, out of n, that is not below prefix: low <= index <= high.
func (p *pack) around(prefix uint64, n int) (low, high int) {
	guess64, _ := bits.Mul64(prefix, uint64(n))
	guess, step := int(guess64), 8
	if p.at(guess) < prefix {
		for low, high = guess+1, guess+step; high < n && p.at(high) < prefix; high += step {
			low, step = high+1, step*2
		}
		return low, min(high, n)
	}
	for low, high = guess-step, guess; low >= 0 && p.at(low) >= prefix; low -= step {
		high, step = low, step*2
	}
	return max(low, 0), high
}

// read returns the value of a record. It returns false if the record cannot be read, has another key with the same
// prefix, or is damaged, in which case the pack is marked as damaged.
func (p *pack) read(at place, key [keySize]byte) ([]byte, bool) {
	record, err := readRecord(p.file, at, p.start)
	if errors.Is(err, errDamaged) {
		p.damaged.Store(true)
	}
	if err != nil {
		return nil, false
	}
	if [keySize]byte(record) != key {
		return nil, false
	}
	return record[keySize:], true
}

// readRecord reads and checks a record that must end before limit.
func readRecord(r io.ReaderAt, at place, limit int64) ([]byte, error) {
	if at.length > maxValue || at.offset < 0 || at.offset > limit || at.end() > limit {
		return nil, errDamaged
	}
	record := make([]byte, keySize+int(at.length))
	if n, err := r.ReadAt(record, at.offset); n < len(record) {
		return nil, cutOff(err)
	}
	if checksum(record) != at.sum {
		return nil, errDamaged
	}
	return record, nil
}
