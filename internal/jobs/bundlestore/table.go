package bundlestore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// The table is a hash table in a file, so that memory use does not grow with the number of pages:
//
//	table = magic { slot }     the number of slots is a power of two, at most two thirds of them in use
//	slot  = key[16] sum[16] size[8] packed[8]
//
// The key is the start of the path's SHA-256, so nobody can construct two paths that collide. An empty slot is all
// zeros.
const (
	tableMagic = "lectern table 1\n"
	slotSize   = 48
)

// File is the table's entry for a path.
type File struct {
	Sum    [16]byte // start of the content's SHA-256
	Size   int64    // bytes
	Packed int64    // bytes of the compressed form; 0 if there is none
}

type pathKey [16]byte

func keyOf(path string) pathKey {
	sum := sha256.Sum256([]byte(path))
	return pathKey(sum[:16])
}

// entry is an unpacked file.
type entry struct {
	sum          output.Digest
	size, packed int64
	listed       bool // listed in the manifest
}

// tableOf encodes the table.
func tableOf(entries map[pathKey]*entry) []byte {
	slots := 4
	for slots*2 < len(entries)*3 {
		slots *= 2
	}
	out := make([]byte, len(tableMagic)+slots*slotSize)
	copy(out, tableMagic)
	body := out[len(tableMagic):]
	for key, e := range entries {
		at := slotOf(key, slots)
		for !bytes.Equal(body[at*slotSize:at*slotSize+16], make([]byte, 16)) {
			at = (at + 1) % slots
		}
		slot := body[at*slotSize:]
		copy(slot, key[:])
		copy(slot[16:], e.sum[:16])
		binary.BigEndian.PutUint64(slot[32:], uint64(e.size))
		binary.BigEndian.PutUint64(slot[40:], uint64(e.packed))
	}
	return out
}

func slotOf(key pathKey, slots int) int { return int(binary.BigEndian.Uint64(key[:]) % uint64(slots)) }

// table reads a stored table. It is safe for concurrent use.
type table struct {
	file  *os.File
	slots int
	known [knownSlots]atomic.Pointer[lookup] // cache of recent lookups, because every page needs the same few files
}

// knownSlots is the number of cached lookups per table.
const knownSlots = 1024

// lookup is a cached lookup.
type lookup struct {
	key pathKey
	File
	ok bool
}

// openTable opens a table and checks that its digest is sum.
func openTable(root *os.Root, name string, sum output.Digest) (*table, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open table: %w", missing(err))
	}
	if err := errors.Join(share(f), still(root, name, f)); err != nil {
		return nil, errors.Join(fmt.Errorf("open table: %w", err), f.Close())
	}
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err == nil && output.Digest(h.Sum(nil)) != sum {
		err = damaged(errors.New("its digest differs from the record"))
	}
	slots := (n - int64(len(tableMagic))) / slotSize
	if err == nil && slots < 1 {
		err = damaged(errors.New("it is empty"))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read table: %w", err), f.Close())
	}
	return &table{file: f, slots: int(slots)}, nil
}

// find looks up a path. ok is false if the version has no such file.
func (t *table) find(path string) (f File, ok bool, err error) {
	key := keyOf(path)
	place := &t.known[binary.BigEndian.Uint16(key[14:])%knownSlots]
	if l := place.Load(); l != nil && l.key == key {
		return l.File, l.ok, nil
	}
	if f, ok, err = t.read(key); err == nil {
		place.Store(&lookup{key, f, ok})
	}
	return f, ok, err
}

// read looks up a path's key in the file.
func (t *table) read(key pathKey) (f File, ok bool, err error) {
	var slot [slotSize]byte
	for at, tried := slotOf(key, t.slots), 0; tried < t.slots; tried++ {
		if _, err := t.file.ReadAt(slot[:], int64(len(tableMagic)+at*slotSize)); err != nil {
			return f, false, fmt.Errorf("read table: %w", err)
		}
		switch pathKey(slot[:16]) {
		case key:
			f.Sum = [16]byte(slot[16:32])
			f.Size, f.Packed = int64(binary.BigEndian.Uint64(slot[32:])), int64(binary.BigEndian.Uint64(slot[40:]))
			if f.Size < 0 || f.Packed < 0 {
				return File{}, false, damaged(errors.New("read table: invalid file size"))
			}
			return f, true, nil
		case pathKey{}:
			return f, false, nil
		}
		at = (at + 1) % t.slots
	}
	return f, false, nil
}
