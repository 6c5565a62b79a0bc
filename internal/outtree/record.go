package outtree

import (
	"crypto/sha256"
	"errors"
	"math"
	"slices"
)

// records are entries as a Ledger keeps them: in blocks that never move, paths in blocks of their own, media types by number.
type records struct {
	blocks [][]record
	paths  [][]byte
	types  []string
	byType map[string]uint16
	count  int
}

type record struct {
	sha256    [sha256.Size]byte
	size      int64
	block     uint32 // of paths
	start     uint32 // in that block
	length    uint16 // of the path
	kind      uint16 // place in types
	immutable bool
}

const (
	recordBlock = 1 << 10 // records
	pathBlock   = 1 << 16 // bytes; a path is at most 1024
)

// add keeps an entry; its path is valid.
func (r *records) add(e Entry) error {
	kind, ok := r.byType[e.ContentType]
	if !ok {
		if len(r.types) > math.MaxUint16 {
			return errors.New("put file: the tree has too many media types")
		}
		kind = uint16(len(r.types))
		r.types, r.byType[e.ContentType] = append(r.types, e.ContentType), kind
	}
	if r.count%recordBlock == 0 {
		r.blocks = append(r.blocks, make([]record, 0, recordBlock))
	}
	if last := len(r.paths) - 1; last < 0 || len(r.paths[last])+len(e.Path) > pathBlock {
		r.paths = append(r.paths, make([]byte, 0, pathBlock))
	}
	last := len(r.paths) - 1
	start := len(r.paths[last])
	r.paths[last] = append(r.paths[last], e.Path...)
	block := &r.blocks[len(r.blocks)-1]
	*block = append(*block, record{e.SHA256, e.Size, uint32(last), uint32(start), uint16(len(e.Path)), kind, e.Immutable})
	r.count++
	return nil
}

func (r *records) at(i uint32) *record { return &r.blocks[i/recordBlock][i%recordBlock] }

// path must not be changed.
func (r *records) path(i uint32) []byte {
	c := r.at(i)
	return slices.Clip(r.paths[c.block][c.start : c.start+uint32(c.length)])
}

func (r *records) entry(i uint32) Entry {
	c := r.at(i)
	return Entry{Path: string(r.path(i)), ContentType: r.types[c.kind], Size: c.size, SHA256: c.sha256, Immutable: c.immutable}
}
