package searchindex

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Cache stores records of indexes. It may lose them at any time.
type Cache interface {
	Get(key [32]byte) (value []byte, ok bool)
	Put(key [32]byte, value []byte)
}

// past describes the term shards of an earlier index whose pages had the same numbers of chunks. Numbers in its record
// are varints; texts are written as their length and bytes.
//
//	record = checksum segments key* shards shard*
//	shard  = start first size sha256 words word*
//	word   = common rest score
type past struct {
	data     []byte     // the record
	segments [][32]byte // cache keys of their heads
	shards   []*pastShard
	changed  []string // terms whose lists differ now, sorted
}

// pastShard describes a shard.
type pastShard struct {
	start string // first term; "" in the first shard
	first string // its beginning, as in the entry
	size  int64
	sum   [32]byte
	words []listed // its terms that the list of words may contain
}

// changedMax limits the number of segments that are compared with the earlier index. After a larger change, most shards
// differ.
const changedMax = 16

// pastKey is the cache key of the record. The key is only used to find the record. The segments that the record lists
// decide whether it still fits.
func (b *Builder) pastKey() [32]byte {
	return sha256.Sum256(slices.Concat([]byte("terms of a search index\n"), b.opt.Program[:], b.pages))
}

// loadPast returns the earlier index. It returns nil if no record was stored, if too many segments have changed, or if
// the output has none of its shards.
func (b *Builder) loadPast() (p *past) {
	if !b.cached() {
		return nil
	}
	defer func() {
		if recover() != nil { // a damaged record that passed all checks
			p = nil
		}
	}()
	data, _ := b.opt.Cache.Get(b.pastKey())
	p, ok := readPast(data)
	if !ok || len(p.segments) != len(b.segments) || !b.holdsAny(p.shards) {
		return nil
	}
	differ := 0
	for i, key := range p.segments {
		if key == b.segments[i].key {
			continue
		}
		if differ++; differ > changedMax || !b.compare(p, i) {
			return nil
		}
	}
	slices.Sort(p.changed)
	return p
}

// holdsAny reports whether the output has one of the shards.
func (b *Builder) holdsAny(shards []*pastShard) bool {
	for i, s := range shards {
		if b.opt.Holds(s.name(i), s.sum) {
			return true
		}
	}
	return false
}

// cached reports whether the index can have a record. For that, all segments must have a key.
func (b *Builder) cached() bool {
	return b.opt.Cache != nil && b.opt.Holds != nil && !slices.ContainsFunc(b.segments, func(s segmentRef) bool { return s.key == [32]byte{} })
}

// compare adds the terms to p.changed whose lists differ in a segment. ok is false if the old segment is unknown, or if
// its pages have different names, because shards contain the names too.
func (b *Builder) compare(p *past, i int) (ok bool) {
	head, _ := b.opt.Cache.Get(p.segments[i])
	s, err := readRecord(head)
	if err != nil || s.chunks != b.runs[i].chunks || !b.samePages(s.pages, b.segments[i].page) {
		return false
	}
	terms, err := differing(s.run(), b.runs[i])
	p.changed = append(p.changed, terms...)
	return err == nil
}

// samePages reports whether the pages of an old segment are the same as the current pages that start at from.
func (b *Builder) samePages(pages []sealedPage, from int) bool {
	for i, p := range pages {
		at := from + i
		if at >= len(b.names.ends) || b.names.marks[at] != p.marks {
			return false
		}
		if meta, err := b.names.page(at); err != nil || !bytes.Equal(meta, p.meta) {
			return false
		}
	}
	return true
}

// storePast stores the record of the written shards, unless it is the same as that of the earlier index.
func (b *Builder) storePast(old *past, shards []*pastShard) {
	p := past{shards: shards}
	for _, s := range b.segments {
		p.segments = append(p.segments, s.key)
	}
	if data := p.record(); old == nil || !bytes.Equal(old.data, data) {
		b.opt.Cache.Put(b.pastKey(), data)
	}
}

func (p *past) record() []byte {
	out := appendUvarints(make([]byte, 4), len(p.segments))
	for _, key := range p.segments {
		out = append(out, key[:]...)
	}
	out = appendUvarints(out, len(p.shards))
	for _, s := range p.shards {
		out = appendUvarints(appendText(appendText(out, s.start), s.first), int(s.size))
		out = appendUvarints(append(out, s.sum[:]...), len(s.words))
		last := ""
		for _, w := range s.words {
			same := shared(last, w.text)
			out = appendUvarints(appendText(appendUvarints(out, same), w.text[same:]), w.score)
			last = w.text
		}
	}
	binary.LittleEndian.PutUint32(out, checksum(out[4:]))
	return out
}

func readPast(data []byte) (p *past, ok bool) {
	if len(data) < 4 || checksum(data[4:]) != binary.LittleEndian.Uint32(data) {
		return nil, false
	}
	p = &past{data: data}
	r := fieldReader{data: data[4:]}
	for range r.count(32) {
		p.segments = append(p.segments, r.sum())
	}
	for range r.count(36) {
		s := &pastShard{start: string(r.text()), first: string(r.text()), size: int64(r.number()), sum: r.sum()}
		last := ""
		for range r.count(3) {
			same, rest := r.number(), r.text()
			if same > len(last) {
				return nil, false
			}
			last = last[:same] + string(rest)
			s.words = append(s.words, listed{last, r.number()})
		}
		p.shards = append(p.shards, s)
	}
	return p, !r.bad && len(r.data) == 0
}

func (r *fieldReader) sum() (sum [32]byte) {
	copy(sum[:], r.bytes(len(sum)))
	return sum
}
