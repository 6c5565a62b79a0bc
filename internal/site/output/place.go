package output

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"strings"
)

// Places are the names of a tree that are taken. Names that differ in letter case only are one, since some file systems would lay one
// file over the other. It keeps digests instead of names, to be small at a quarter of a million files; nobody can make two names that share
// one. They stand in a table of their own, which takes half the memory of a map.
type Places struct {
	table  []place // each at or after the slot that it names itself; zero = free
	count  int     // of slots taken
	folder string  // the one that was entered last; most files stand beside the one before
	low    []byte  // reused
}

// place is the digest of a name. Its last bit is set for a file.
type place [16]byte

const fileBit = 1 // of a place's last byte

// NewPlaces has none taken.
func NewPlaces() *Places { return &Places{table: make([]place, 64)} }

// find is the place of a name in small letters, as a folder.
func find(low []byte) place {
	sum := sha256.Sum256(low)
	at := place(sum[:len(place{})])
	at[len(at)-1] &^= fileBit
	return at
}

func (at place) isFile() bool { return at[len(at)-1]&fileBit != 0 }

// slot is where a place stands in the table, or could.
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

// look tells what a place is taken by.
func (p *Places) look(low []byte) (taken, file bool) {
	there := p.table[p.slot(find(low))]
	return there != place{}, there.isFile()
}

// take enters a place that is free.
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

// fold is the name in small letters, valid until the next call.
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

// parent is the folder that a name stands in; nil at the top.
func parent(low []byte) []byte {
	return low[:max(0, bytes.LastIndexByte(low, '/'))]
}

// Has tells whether a file of this name was entered.
func (p *Places) Has(name string) bool {
	_, file := p.look(p.fold(name))
	return file
}

// Free tells whether a file of this name can be entered: no file or folder has the name, and no file stands where it needs a folder.
func (p *Places) Free(name string) bool {
	low := p.fold(name)
	if taken, _ := p.look(low); taken || !ValidPath(name) {
		return false
	}
	for low = parent(low); len(low) > 0 && string(low) != p.folder; low = parent(low) {
		taken, file := p.look(low)
		if file {
			return false
		}
		if taken { // a folder, so all above it are folders
			break
		}
	}
	return true
}

// Enter takes the place of a file, which must be free, and those of its folders.
func (p *Places) Enter(name string) {
	low := p.fold(name)
	p.take(find(low), true)
	low = parent(low)
	if string(low) == p.folder {
		return
	}
	p.folder = string(low)
	for ; len(low) > 0; low = parent(low) {
		if taken, _ := p.look(low); taken {
			return
		}
		p.take(find(low), false)
	}
}
