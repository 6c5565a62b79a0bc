package searchindex

import (
	"bytes"
	"encoding/binary"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// draft is a record that is being built, in its parts.
type draft struct {
	pages   int
	about   []byte // each page's chunks, boost, facet and description
	chunks  int
	shards  []byte // metadata of each text shard
	texts   []byte // their contents
	shardsN int
	lists   []byte
	termsN  int
}

func (d *draft) addPage(chunks int, p *Prepared, facet int) {
	d.about = appendUvarints(d.about, chunks, p.boost, facet, int(p.marks[0]), int(p.marks[1]))
	d.about = appendText(d.about, p.meta)
	d.pages++
}

// addShard adds a packed text shard.
func (d *draft) addShard(chunks int, data []byte, p *output.Packed) {
	d.shardsN++
	d.shards = appendUvarints(d.shards, chunks, int(p.Size))
	d.shards = binary.LittleEndian.AppendUint32(d.shards, p.CRC32)
	d.shards = append(d.shards, p.SHA256[:]...)
	d.shards = appendUvarints(d.shards, len(p.Deflated))
	if p.Deflated != nil {
		data = p.Deflated
	}
	d.texts = append(d.texts, data...)
}

// seal assembles the record.
func (d *draft) seal(facets []facet) Record {
	out := make([]byte, 0, len(d.shards)+len(d.about)+len(d.lists)+1024)
	out = appendUvarints(append(out, recordVersion), d.pages, d.chunks, len(facets))
	for i := range facets {
		out = appendFacet(out, &facets[i])
	}
	out = append(out, d.about...)
	out = append(appendUvarints(out, d.shardsN), d.shards...)
	out = binary.LittleEndian.AppendUint32(out, checksum(d.texts))
	out = append(appendUvarints(out, d.termsN), d.lists...)
	return Record{Head: binary.LittleEndian.AppendUint32(out, checksum(out)), Texts: bytes.Clone(d.texts)}
}

func appendFacet(to []byte, f *facet) []byte {
	to = appendUvarints(appendText(appendText(to, f.Language), f.Version), len(f.Tags))
	for _, t := range f.Tags {
		to = appendText(to, t)
	}
	return to
}

// facetSet numbers facets in the order of their first use.
type facetSet struct {
	ids map[string]int
	all []facet
}

func (s *facetSet) id(f *facet) int {
	key := f.key()
	id, ok := s.ids[key]
	if ok {
		return id
	}
	if s.ids == nil {
		s.ids = map[string]int{}
	}
	id = len(s.all)
	s.ids[key] = id
	s.all = append(s.all, *f)
	return id
}
