package searchindex

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// Segment collects consecutive pages and seals them into a record. The record does not depend on the position of the
// pages, so a later build with the same pages can use it unchanged even if they have moved. A Segment belongs to one
// goroutine.
type Segment struct {
	draft
	pack   bool
	facets facetSet

	ids   map[string]int32 // of terms
	terms []string
	sizes []int32 // postings of each term
	posts []termPosting

	text  []byte // chunks of the current text shard
	metas []byte // pages of the current text shard
	textN int    // chunks in it
	from  int    // index of its first chunk within the page
}

// textShard is the size of a text shard in bytes before compression.
const textShard = 48 << 10

// NewSegment returns an empty segment. If pack is set, text is compressed when the segment is sealed, for the cache and
// for outputs that take compressed files.
func NewSegment(pack bool) *Segment {
	return &Segment{pack: pack, ids: map[string]int32{}}
}

// Pages returns the number of pages added since the start or the last Seal.
func (s *Segment) Pages() int { return s.pages }

// Add adds a page. It keeps only the strings of the page's terms in memory. A path must occur only once in an index.
func (s *Segment) Add(p *Prepared) {
	s.addPage(len(p.ends), p, s.facets.id(&p.facet))
	next := 0
	for i, term := range p.terms {
		id, ok := s.ids[term]
		if !ok {
			id = int32(len(s.terms))
			s.ids[term] = id
			s.terms, s.sizes = append(s.terms, term), append(s.sizes, 0)
		}
		n := int(p.counts[i])
		for _, at := range p.postings[next : next+n] {
			s.posts = append(s.posts, termPosting{id, posting{int32(s.chunks) + at.chunk, at.level}})
		}
		s.sizes[id] += int32(n)
		next += n
	}
	s.chunks += len(p.ends)
	s.addText(p)
}

// addText adds a page's text to the current shard. If a page continues in the next shard, its description is repeated
// there.
func (s *Segment) addText(p *Prepared) {
	described := false
	start := int32(0)
	for i, end := range p.ends {
		c := p.text[start:end]
		start = end
		if s.textN > 0 && len(s.text)+len(s.metas)+len(c) > textShard {
			s.endText()
			described = false
		}
		if s.textN == 0 {
			s.from = i
		}
		if !described {
			s.metas = append(append(s.metas, ','), p.meta...)
			described = true
		}
		s.text = append(append(s.text, ','), c...)
		s.textN++
	}
}

// endText packs the current shard. If the shard's first chunk is not the first chunk of a page, the shard contains the
// chunk's number. This makes all shards of a site different, which is necessary because their names are derived from
// their contents.
func (s *Segment) endText() {
	if s.textN == 0 {
		return
	}
	value := slices.Concat([]byte(`{"p":[`), s.metas[1:], []byte(`],"c":[`), s.text[1:], []byte("]"))
	if s.from > 0 {
		value = strconv.AppendInt(append(value, `,"f":`...), int64(s.from), 10)
	}
	data := script(textName, append(value, '}'))
	pack := output.Digested
	if s.pack {
		pack = Pack
	}
	s.addShard(s.textN, data, pack(data))
	s.text, s.metas, s.textN = s.text[:0], s.metas[:0], 0
}

// Seal returns the record of the pages and empties the segment. The same pages give the same bytes.
func (s *Segment) Seal() Record {
	s.endText()
	s.appendTerms()
	out := s.seal(s.facets.all)
	clear(s.ids)
	clear(s.terms) // they keep pages in memory
	*s = Segment{
		draft: draft{about: s.about[:0], shards: s.shards[:0], texts: s.texts[:0], lists: s.lists[:0]}, pack: s.pack,
		ids: s.ids, terms: s.terms[:0], sizes: s.sizes[:0], posts: s.posts[:0], text: s.text[:0], metas: s.metas[:0],
	}
	return out
}

// appendTerms writes the terms in byte order, each with its postings in page order.
func (s *Segment) appendTerms() {
	starts := make([]int32, len(s.terms)+1)
	for i, n := range s.sizes {
		starts[i+1] = starts[i] + n
	}
	byTerm := make([]posting, len(s.posts))
	next := slices.Clone(starts)
	for _, p := range s.posts {
		byTerm[next[p.at]] = p.posting
		next[p.at]++
	}
	var w listWriter
	for _, id := range s.order() {
		w.list.reset()
		for _, p := range byTerm[starts[id]:starts[id+1]] {
			if w.list.n == 0 || int(p.chunk) > w.list.last { // damaged words from the cache may contain a term twice
				w.list.add(int(p.chunk), p.level)
			}
		}
		s.lists = w.append(s.lists, s.terms[id])
	}
	s.termsN = len(s.terms)
}

// order returns the terms in byte order. It compares their first eight bytes as a number, which decides most cases.
func (s *Segment) order() []int32 {
	type keyed struct {
		key uint64
		id  int32
	}
	all := make([]keyed, len(s.terms))
	for i, t := range s.terms {
		all[i] = keyed{prefixKey(t), int32(i)}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Compare(s.terms[a.id], s.terms[b.id])
	})
	out := make([]int32, len(all))
	for i, k := range all {
		out[i] = k.id
	}
	return out
}

// prefixKey returns the first eight bytes of a term as a number. If the keys of two terms differ, they have the same
// order as the terms.
func prefixKey[T string | []byte](term T) uint64 {
	var b [8]byte
	copy(b[:], term)
	return binary.BigEndian.Uint64(b[:])
}
