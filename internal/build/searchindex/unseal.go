package searchindex

import (
	"bytes"
	"fmt"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// unsealMax limits the size of a text shard that Unseal reads, in bytes. A shard is usually no larger than textShard.
// Only a page with an extremely long title makes it larger.
const unsealMax = 1 << 20

// Unseal reverses Seal: it returns the pages of a record, so that a segment can be sealed again after one of them
// changed. If they are added to a segment in this order, the record is the same. They do not refer to the record's
// memory.
func Unseal(record Record) ([]*Prepared, error) {
	s, err := readRecord(record.Head)
	if err == nil {
		err = s.addTexts(record, func(string, [32]byte) bool { return false })
	}
	if err != nil {
		return nil, fmt.Errorf("read search segment: %w", err)
	}
	u := unsealing{}
	for _, p := range s.pages {
		u.pages = append(u.pages, &Prepared{facet: s.facets[p.facet], boost: p.boost, marks: p.marks,
			meta: bytes.Clone(p.meta)})
	}
	if err := u.addTexts(s); err != nil {
		return nil, err
	}
	if err := u.addTerms(s); err != nil {
		return nil, err
	}
	return u.pages, nil
}

// unsealing collects the pages of a record.
type unsealing struct {
	pages []*Prepared
	page  []int32 // by chunk of the segment: its page, and its number in the page
	chunk []int32
}

// addTexts distributes the chunks of the text shards.
func (u *unsealing) addTexts(s *sealed) error {
	at := 0
	for i := range s.shards {
		f := &s.shards[i].file
		if f.Packed.Size > unsealMax {
			return ErrRecord
		}
		data, err := output.File{Data: f.Data, Packed: f.Packed}.Bytes()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrRecord, err)
		}
		chunks, ok := chunksOf(data)
		if !ok || len(chunks) != s.shards[i].chunks {
			return ErrRecord
		}
		for _, c := range chunks {
			p := u.pages[at]
			u.page, u.chunk = append(u.page, int32(at)), append(u.chunk, int32(len(p.ends)))
			p.text = append(p.text, c...)
			if p.ends = append(p.ends, int32(len(p.text))); len(p.ends) == s.pages[at].chunks {
				at++
			}
		}
	}
	return nil
}

// addTerms distributes the postings of the terms.
func (u *unsealing) addTerms(s *sealed) error {
	r := termReader{cursor: s.run().open(bufferMin)}
	for {
		if err := r.step(); err != nil || !r.more {
			return err
		}
		if !u.addTerm(string(r.term), &r.list) {
			return ErrRecord
		}
	}
}

// addTerm distributes the postings of a term. It reports whether the list is valid.
func (u *unsealing) addTerm(term string, l *list) bool {
	at, next, last := l.first, 0, int32(-1)
	for i, level := range l.levels {
		if i > 0 {
			var d int
			d, next = numberAt(l.rest, next)
			at += d + 1
		}
		if at >= len(u.page) || digitOf(level) < 1 || digitOf(level) > 31 {
			return false
		}
		p := u.pages[u.page[at]]
		if u.page[at] != last {
			last = u.page[at]
			p.terms, p.counts = append(p.terms, term), append(p.counts, 0)
		}
		p.counts[len(p.counts)-1]++
		p.postings = append(p.postings, posting{u.chunk[at], uint8(digitOf(level))})
	}
	return true
}

// chunksOf returns the JSON of each chunk of a text shard.
func chunksOf(shard []byte) (chunks [][]byte, ok bool) {
	rest, ok := bytes.CutPrefix(shard, []byte(`lecternIndex("`+textName+`",{"p":`))
	if !ok {
		return nil, false
	}
	if _, rest, ok = splitArray(rest); !ok {
		return nil, false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"c":`)); ok {
		chunks, _, ok = splitArray(rest)
	}
	return chunks, ok
}

// splitArray returns the JSON of each element of an array of arrays, and what follows it.
func splitArray(text []byte) (elements [][]byte, rest []byte, ok bool) {
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '[':
			if depth++; depth == 2 {
				start = i
			}
		case ']':
			switch depth--; depth {
			case 1:
				elements = append(elements, text[start:i+1])
			case 0:
				return elements, text[i+1:], true
			}
		}
	}
	return nil, nil, false
}
