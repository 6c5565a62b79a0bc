package searchindex

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// A record is a sealed segment. Numbers are varints; a text is its length and its bytes.
//
//	record = version pages chunks facets facet* page* shards shard* terms term* checksum
//	facet  = language version tags tag*
//	page   = chunks boost facet description
//	shard  = chunks size crc32 sha256 (deflated | 0 content)
//	term   = common rest 2·postings+heading first [span length distances] levels
//
// Chunks and facets are counted from the segment's own first. See list.go for what stands after a term.
const recordVersion = 2

// ErrRecord is what AddSegment returns for a record that it cannot read; then the index is as it was.
var ErrRecord = errors.New("the record of a search segment is damaged or of another version")

// checksum guards a record against what happens to files; who can forge one can forge the site.
func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// sealed is a record, read. It refers to the record's memory.
type sealed struct {
	chunks int
	facets []facet
	pages  []sealedPage
	shards []sealedShard
	terms  int
	lists  []byte // of the terms
}

type sealedPage struct {
	chunks, boost, facet int
	meta                 []byte // JSON: path, title, crumbs and, unless it is the title, its name
}

type sealedShard struct {
	chunks int
	data   []byte // nil when packed has it deflated
	packed output.Packed
}

// readRecord reads all of a record but its terms, which are read when they are merged.
func readRecord(record []byte) (*sealed, error) {
	n := len(record) - 4
	if n < 1 || record[0] != recordVersion || checksum(record[:n]) != binary.LittleEndian.Uint32(record[n:]) {
		return nil, ErrRecord
	}
	r := fieldReader{data: record[1:n]}
	s := &sealed{}
	pages := r.count(4)
	s.chunks = r.number()
	for range r.count(3) {
		s.facets = append(s.facets, r.facet())
	}
	left := s.chunks
	for range pages {
		p := sealedPage{r.number(), r.number(), r.number(), r.text()}
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
		p := &sh.packed
		p.Size = int64(r.number())
		if sum := r.bytes(4 + len(p.SHA256)); !r.bad {
			p.CRC32 = binary.LittleEndian.Uint32(sum)
			copy(p.SHA256[:], sum[4:])
		}
		if n := r.number(); n > 0 {
			p.Deflated = r.bytes(n)
		} else {
			sh.data = r.bytes(int(p.Size))
		}
		if left -= sh.chunks; sh.chunks < 1 || left < 0 || r.bad {
			return ErrRecord
		}
		s.shards = append(s.shards, sh)
	}
	if left != 0 {
		return ErrRecord
	}
	return nil
}

// fieldReader reads the fields of a record. After the end it gives zeros and bad is set.
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

// count reads how many fields follow, of which each takes at least so many bytes: more than can be there is damage.
func (r *fieldReader) count(size int) int {
	n := r.number()
	if n > len(r.data)/size {
		return r.fail()
	}
	return n
}

// bytes reads n bytes; they stay the record's. nil when there are not so many.
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
