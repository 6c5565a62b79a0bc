package searchindex

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// Record is a sealed segment in two parts. An output that already has the text shards only needs the head. Numbers in
// it are varints; texts are written as their length and bytes.
//
//	head  = version pages chunks facets facet* page* shards shard* checksum-of-texts terms term* checksum
//	texts = (deflated | content)*
//	facet = language version tags tag*
//	page  = chunks boost facet mark mark description
//	shard = chunks size crc32 sha256 (length-of-deflated | 0)
//	term  = common rest 2·postings+heading first [span length distances] levels
//
// Chunks and facets are relative to the first of the segment. See list.go for the data after a term.
type Record struct {
	Head  []byte
	Texts []byte
	Load  func() (texts []byte, ok bool) // returns Texts if it is nil and needed; may be nil
	Key   [32]byte                       // under which Options.Cache has Head; zero = unknown
}

const recordVersion = 4

// ErrRecord is returned by AddSegment for a record that it cannot read; the index is then unchanged.
var ErrRecord = errors.New("the record of a search segment is damaged or of another version")

// checksum protects a record against accidental damage. It does not have to protect against forgery: anyone who can
// forge a record can also forge the site.
func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// sealed is a parsed record. It refers to the record's memory.
type sealed struct {
	chunks int
	facets []facet
	pages  []sealedPage
	shards []sealedShard
	texts  uint32 // checksum
	// hexadecimal digest of all text shards, which is part of their file names
	textSum string
	terms   int
	lists   []byte // of the terms
}

type sealedPage struct {
	chunks, boost, facet int
	marks                [2]uint16 // marks of its title and of its title in the navigation
	meta                 []byte    // JSON: path, title, crumbs and, unless it is the title, its name
}

type sealedShard struct {
	chunks int
	size   int // size of its content in the texts
	file   File
}

// readRecord parses a head except for its terms, which are read when they are merged.
func readRecord(record []byte) (*sealed, error) {
	n := len(record) - 4
	if n < 1 || record[0] != recordVersion || checksum(record[:n]) != binary.LittleEndian.Uint32(record[n:]) {
		return nil, ErrRecord
	}
	r := fieldReader{data: record[1:n]}
	s := &sealed{}
	pages := r.count(6)
	s.chunks = r.number()
	for range r.count(3) {
		s.facets = append(s.facets, r.facet())
	}
	left := s.chunks
	for range pages {
		p := sealedPage{chunks: r.number(), boost: r.number(), facet: r.number()}
		p.marks = [2]uint16{uint16(r.number()), uint16(r.number())}
		p.meta = r.text()
		if p.chunks < 1 || p.facet >= len(s.facets) || p.boost > boostMax {
			return nil, ErrRecord
		}
		left -= p.chunks
		s.pages = append(s.pages, p)
	}
	if left != 0 || r.bad {
		return nil, ErrRecord
	}
	if err := s.readShards(&r); err != nil {
		return nil, fmt.Errorf("read text shards: %w", err)
	}
	if sum := r.bytes(4); !r.bad {
		s.texts = binary.LittleEndian.Uint32(sum)
	}
	s.terms = r.number()
	s.lists = r.data
	if r.bad {
		return nil, ErrRecord
	}
	return s, nil
}

func (s *sealed) readShards(r *fieldReader) error {
	left := s.chunks
	for range r.count(40) {
		sh := sealedShard{chunks: r.number()}
		p := &output.Packed{Size: int64(r.number())}
		if sum := r.bytes(4 + len(p.SHA256)); !r.bad {
			p.CRC32 = binary.LittleEndian.Uint32(sum)
			copy(p.SHA256[:], sum[4:])
		}
		if sh.size = r.number(); sh.size == 0 {
			sh.size = int(p.Size)
		} else {
			p.Deflated = []byte{} // its content is read with the texts
		}
		sh.file.Packed = p
		if left -= sh.chunks; sh.chunks < 1 || left < 0 || r.bad {
			return ErrRecord
		}
		s.shards = append(s.shards, sh)
	}
	if left != 0 {
		return ErrRecord
	}
	s.nameShards()
	return nil
}

// nameShards names the files of the text shards. They share one digest, so that the entry contains one for about 64
// pages instead of one for each shard.
func (s *sealed) nameShards() {
	all := sha256.New()
	for i := range s.shards {
		_, _ = all.Write(s.shards[i].file.Packed.SHA256[:]) // a hash never fails
	}
	s.textSum = hex.EncodeToString(all.Sum(nil)[:textSum/2])
	for i := range s.shards {
		s.shards[i].file.Name = textFile(i, s.textSum)
	}
}

// addTexts reads the contents of the shards, unless the output has all of them.
func (s *sealed) addTexts(record Record, holds func(name string, sum [32]byte) bool) error {
	missing, size := false, 0
	for i := range s.shards {
		sh := &s.shards[i]
		sh.file.Held = holds(sh.file.Name, sh.file.Packed.SHA256)
		missing = missing || !sh.file.Held
		size += sh.size
	}
	if !missing {
		return nil
	}
	texts := record.Texts
	if texts == nil && record.Load != nil {
		texts, _ = record.Load()
	}
	if len(texts) != size || checksum(texts) != s.texts {
		return ErrRecord
	}
	for i := range s.shards {
		sh := &s.shards[i]
		part := texts[:sh.size:sh.size]
		texts = texts[sh.size:]
		if sh.file.Packed.Deflated != nil {
			sh.file.Packed.Deflated = part
		} else {
			sh.file.Data = part
		}
		sh.file.Held = false
	}
	return nil
}

// run returns the terms as a run.
func (s *sealed) run() run {
	return run{from: bytes.NewReader(s.lists), size: int64(len(s.lists)), terms: s.terms, chunks: s.chunks}
}

// fieldReader reads the fields of a record. After the end it returns zeros and sets bad.
type fieldReader struct {
	data []byte
	bad  bool
}

func (r *fieldReader) fail() int {
	r.bad, r.data = true, nil
	return 0
}

// number reads a number of at most 31 bits.
func (r *fieldReader) number() int {
	if len(r.data) > 0 && r.data[0] < 0x80 { // most are small
		v := r.data[0]
		r.data = r.data[1:]
		return int(v)
	}
	return r.long()
}

func (r *fieldReader) long() int {
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v >= 1<<31 {
		return r.fail()
	}
	r.data = r.data[n:]
	return int(v)
}

// count reads the number of fields that follow, each of at least size bytes. If the data is too short for that many
// fields, the record is damaged.
func (r *fieldReader) count(size int) int {
	n := r.number()
	if n > len(r.data)/size {
		return r.fail()
	}
	return n
}

// bytes reads n bytes, which share the record's memory. It returns nil if fewer are left.
func (r *fieldReader) bytes(n int) []byte {
	if n > len(r.data) {
		r.fail()
		return nil
	}
	out := r.data[:n:n]
	r.data = r.data[n:]
	return out
}

func (r *fieldReader) text() []byte { return r.bytes(r.number()) }

func (r *fieldReader) facet() (f facet) {
	f.Language, f.Version = string(r.text()), string(r.text())
	for range r.count(1) {
		f.Tags = append(f.Tags, string(r.text()))
	}
	return f
}
