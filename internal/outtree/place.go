package outtree

import (
	"bytes"
	"crypto/sha256"
	"strings"
)

// Places are the names of a tree that are taken. Names that differ in letter case only are one, since some file systems would lay one
// file over the other. It keeps digests instead of names, to be small at a quarter of a million files; nobody can make two names that share one.
type Places struct {
	taken  map[place]bool // true for a file, false for a folder
	folder string         // the one that was entered last; most files stand beside the one before
	low    []byte         // reused
}

type place [16]byte

// NewPlaces has none taken.
func NewPlaces() *Places { return &Places{taken: map[place]bool{}} }

// find is the place of a name in small letters.
func find(low []byte) place {
	sum := sha256.Sum256(low)
	return place(sum[:len(place{})])
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
func (p *Places) Has(name string) bool { return p.taken[find(p.fold(name))] }

// Free tells whether a file of this name can be entered: no file or folder has the name, and no file stands where it needs a folder.
func (p *Places) Free(name string) bool {
	low := p.fold(name)
	if _, taken := p.taken[find(low)]; taken || !ValidPath(name) {
		return false
	}
	for low = parent(low); len(low) > 0 && string(low) != p.folder; low = parent(low) {
		file, taken := p.taken[find(low)]
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
	p.taken[find(low)] = true
	low = parent(low)
	if string(low) == p.folder {
		return
	}
	p.folder = string(low)
	for ; len(low) > 0; low = parent(low) {
		at := find(low)
		if _, taken := p.taken[at]; taken {
			return
		}
		p.taken[at] = false
	}
}
