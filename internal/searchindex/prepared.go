package searchindex

import (
	"errors"
	"strings"
)

// Prepared is a page ready to be added. It holds no more than the index will.
type Prepared struct {
	facet
	boost    int     // in hundredths
	meta     []byte  // JSON: path, title, crumbs
	text     []byte  // of each chunk, JSON: anchor, heading, text, code
	ends     []int32 // of the chunks in text
	terms    []string
	counts   []int32 // postings of each term
	postings []posting
}

// facet is what a question may be narrowed by: language, version, tags.
type facet struct {
	Language string   `json:"l,omitempty"`
	Version  string   `json:"v,omitempty"`
	Tags     []string `json:"t,omitempty"`
}

// key is the same for the same facet.
func (f *facet) key() string {
	return strings.Join(append([]string{f.Language, f.Version}, f.Tags...), "\x00")
}

// posting says how much a chunk of the page is about a term.
type posting struct {
	chunk int32
	level uint8 // 1 to 31
}

// Size is about what it takes in memory, in bytes; 0 for nil.
func (p *Prepared) Size() int {
	if p == nil {
		return 0
	}
	return len(p.meta) + len(p.text) + 28*len(p.terms) + 8*len(p.postings)
}

// preparedVersion changes when an older form would be misread.
const preparedVersion = 1

var errPrepared = errors.New("the words of a page are damaged or of another version")

// Append adds the page to dst in a form that can be kept; DecodePrepared reads it. Numbers are varints; a text is its length and its bytes:
//
//	version facet boost meta text chunks size* spellings terms (length postings)* (distance level)*
//
// The spellings of all terms stand after each other.
func (p *Prepared) Append(dst []byte) []byte {
	dst = append(dst, preparedVersion)
	dst = appendUvarints(appendFacet(dst, &p.facet), p.boost)
	dst = appendText(appendText(dst, p.meta), p.text)
	dst = appendUvarints(dst, len(p.ends))
	last := int32(0)
	for _, end := range p.ends {
		dst = appendUvarints(dst, int(end-last))
		last = end
	}
	size := 0
	for _, t := range p.terms {
		size += len(t)
	}
	dst = appendUvarints(dst, size)
	for _, t := range p.terms {
		dst = append(dst, t...)
	}
	dst = appendUvarints(dst, len(p.terms))
	for i, t := range p.terms {
		dst = appendUvarints(dst, len(t), int(p.counts[i]))
	}
	next := 0
	for _, n := range p.counts {
		last := int32(-1)
		for _, at := range p.postings[next : next+int(n)] {
			dst = append(appendUvarints(dst, int(at.chunk-last)-1), at.level)
			last = at.chunk
		}
		next += int(n)
	}
	return dst
}

// DecodePrepared reads what Append wrote, and nothing after it. The page refers to data, which must not change any more.
func DecodePrepared(data []byte) (*Prepared, error) {
	if len(data) == 0 || data[0] != preparedVersion {
		return nil, errPrepared
	}
	r := fieldReader{data: data[1:]}
	p := &Prepared{facet: r.facet(), boost: r.number(), meta: r.text(), text: r.text()}
	p.readEnds(&r)
	p.readTerms(&r)
	p.readPostings(&r)
	if r.bad || len(r.data) > 0 || p.boost > boostMax || len(p.ends) == 0 {
		return nil, errPrepared
	}
	return p, nil
}

func (p *Prepared) readEnds(r *fieldReader) {
	p.ends = make([]int32, r.count(1))
	at := 0
	for i := range p.ends {
		n := r.number()
		if n > len(p.text)-at {
			r.fail()
			return
		}
		at += n
		p.ends[i] = int32(at)
	}
}

func (p *Prepared) readTerms(r *fieldReader) {
	all := string(r.text())
	n := r.count(2)
	p.terms, p.counts = make([]string, n), make([]int32, n)
	postings := 0
	for i := range p.terms {
		size, count := r.number(), r.number()
		if size == 0 || size > len(all) || size > termMax || count == 0 || count > len(p.ends) {
			r.fail()
			return
		}
		p.terms[i], p.counts[i], all = all[:size], int32(count), all[size:]
		postings += count
	}
	if postings > len(r.data)/2 || all != "" {
		r.fail()
		return
	}
	p.postings = make([]posting, 0, postings)
}

func (p *Prepared) readPostings(r *fieldReader) {
	for _, n := range p.counts {
		at := -1
		for range n {
			at += r.number() + 1
			level := r.bytes(1)
			if r.bad || at >= len(p.ends) || level[0] == 0 || level[0] > 31 {
				r.fail()
				return
			}
			p.postings = append(p.postings, posting{int32(at), level[0]})
		}
	}
}
