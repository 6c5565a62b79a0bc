package output

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"strings"
)

// Places is the set of paths of a tree. Names that differ only in letter case count as equal, because one file would
// overwrite the other on some file systems. To save memory for trees with 250,000 files, it stores hashes instead of
// names. The hashes have 128 bits and secret seeds, so authors cannot choose names that collide. A custom hash table
// takes half as much memory as a map.
type Places struct {
	seeds  [2]maphash.Seed
	table  []place // the slot of each place is at or after the position given by its hash; zero = free
	count  int     // number of used slots
	folder string  // the folder of the last entry; consecutive files are mostly in the same folder
	low    []byte  // reused
}

// place is the hash of a name. Its last bit is set if the name belongs to a file.
type place [16]byte

const fileBit = 1 // in the last byte of a place

// NewPlaces returns an empty set.
func NewPlaces() *Places {
	return &Places{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, table: make([]place, 64)}
}

// find returns the place of a lower-case name. The place is marked as a folder.
func (p *Places) find(low []byte) (at place) {
	for i, seed := range p.seeds {
		binary.BigEndian.PutUint64(at[8*i:], maphash.Bytes(seed, low))
	}
	at[len(at)-1] &^= fileBit
	return at
}

func (at place) isFile() bool { return at[len(at)-1]&fileBit != 0 }

// slot returns the index of a place in the table, or of the free slot for it.
func (p *Places) slot(at place) int {
	first, _ := bits.Mul64(binary.BigEndian.Uint64(at[:]), uint64(len(p.table)))
	for i := int(first); ; i++ {
		if i == len(p.table) {
			i = 0
		}
		there := p.table[i]
		if there[len(there)-1] &^= fileBit; there == at || p.table[i] == (place{}) {
			return i
		}
	}
}

// kindAt reports whether a name is taken, and whether a file has taken it.
func (p *Places) kindAt(low []byte) (taken, file bool) {
	there := p.table[p.slot(p.find(low))]
	return there != place{}, there.isFile()
}

// take adds a place, which must be free.
func (p *Places) take(at place, file bool) {
	if p.count++; p.count*8 > len(p.table)*7 {
		old := p.table
		p.table = make([]place, len(old)/2*3)
		for _, there := range old {
			if there != (place{}) {
				p.set(there)
			}
		}
	}
	if file {
		at[len(at)-1] |= fileBit
	}
	p.set(at)
}

func (p *Places) set(at place) {
	name := at
	name[len(name)-1] &^= fileBit
	p.table[p.slot(name)] = at
}

// fold returns the name in lower case. The result is valid until the next call.
func (p *Places) fold(name string) []byte {
	p.low = p.low[:0]
	for i := range len(name) {
		c := name[i]
		if c >= 0x80 {
			p.low = append(p.low[:0], strings.ToLower(name)...)
			return p.low
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		p.low = append(p.low, c)
	}
	return p.low
}

// parent returns the folder of a name. It is empty at the top level.
func parent(low []byte) []byte {
	return low[:max(0, bytes.LastIndexByte(low, '/'))]
}

// Has reports whether a file with this name was added.
func (p *Places) Has(name string) bool {
	_, file := p.kindAt(p.fold(name))
	return file
}

// Free reports whether a file with this name can be added: no file or folder has this name, and none of its parent
// folders is a file.
func (p *Places) Free(name string) bool {
	low := p.fold(name)
	if taken, _ := p.kindAt(low); taken || !ValidPath(name) {
		return false
	}
	for low = parent(low); len(low) > 0 && string(low) != p.folder; low = parent(low) {
		taken, file := p.kindAt(low)
		if file {
			return false
		}
		if taken { // it is a folder, so all its parents are folders
			break
		}
	}
	return true
}

// Enter adds a file, whose path must be free, and its folders.
func (p *Places) Enter(name string) {
	low := p.fold(name)
	p.take(p.find(low), true)
	low = parent(low)
	if string(low) == p.folder {
		return
	}
	p.folder = string(low)
	for ; len(low) > 0; low = parent(low) {
		if taken, _ := p.kindAt(low); taken {
			return
		}
		p.take(p.find(low), false)
	}
}
