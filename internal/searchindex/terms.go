package searchindex

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// listMax bounds the chunks kept of one term: the best by level, the first among equals. A term in more says little about any.
const listMax = 8192

// list is the postings of one term: distance to the chunk before and level, packed.
type list struct {
	packed []byte
	last   int32 // the chunk of the last posting, plus 1
	kept   int32
	total  int32
	best   uint8 // highest level
}

// add appends the postings of one page, whose first chunk has the number base.
func (l *list) add(base int, postings []posting) {
	for _, p := range postings {
		at := int32(base) + p.chunk
		l.packed = append(binary.AppendUvarint(l.packed, uint64(at+1-l.last)), p.level)
		l.last = at + 1
		l.best = max(l.best, p.level)
	}
	l.kept += int32(len(postings))
	l.total += int32(len(postings))
	if l.kept >= 4*listMax {
		l.shrink()
	}
}

// postings unpacks the list.
func (l *list) postings() []posting {
	out := make([]posting, 0, l.kept)
	at, data := int32(0), l.packed
	for len(data) > 0 {
		d, n := binary.Uvarint(data)
		at += int32(d)
		out = append(out, posting{at - 1, data[n]})
		data = data[n+1:]
	}
	return out
}

// shrink keeps the best.
func (l *list) shrink() {
	kept := best(l.postings())
	l.packed, l.last, l.kept = l.packed[:0], 0, int32(len(kept))
	for _, p := range kept {
		l.packed = append(binary.AppendUvarint(l.packed, uint64(p.chunk+1-l.last)), p.level)
		l.last = p.chunk + 1
	}
}

// best is at most listMax postings, in their order.
func best(all []posting) []posting {
	if len(all) <= listMax {
		return all
	}
	var have [32]int
	for _, p := range all {
		have[p.level]++
	}
	least, left := 31, listMax // everything above least is kept, and left of those at it
	for ; least > 0 && have[least] <= left; least-- {
		left -= have[least]
	}
	out := make([]posting, 0, listMax)
	for _, p := range all {
		if int(p.level) > least {
			out = append(out, p)
		} else if int(p.level) == least && left > 0 {
			out = append(out, p)
			left--
		}
	}
	return out
}

// rarity is the weight of a term by the share of chunks that have it, times 16.
func rarity(chunks, with int) int {
	n, d := float64(chunks), float64(with)
	return max(1, int(math.Round(16*math.Log(1+(n-d+0.5)/(d+0.5)))))
}

// writeTerms writes the shards of terms and the list of words. Terms are in the order of their bytes; each is written as what it has
// in common with the one before, its rest, a space, and its numbers: rarity, whether the list was cut, chunks less one, distances, levels.
func (b *Builder) writeTerms(e *entry) error {
	sorted := slices.Sorted(maps.Keys(b.terms))
	w := termWriter{b: b}
	for _, term := range sorted {
		l := &b.lists[b.terms[term]]
		if err := w.add(term, l); err != nil {
			return err
		}
	}
	if err := w.end(); err != nil {
		return err
	}
	e.First, e.Sums = strings.Join(w.first, " "), string(w.sums)
	var err error
	e.Words, err = b.put("words", quotedText(b.words(sorted)))
	return err
}

type termWriter struct {
	b     *Builder
	text  []byte
	last  string // term
	first []string
	sums  []byte
}

func (w *termWriter) add(term string, l *list) error {
	record := w.record(term, l)
	if len(w.text) > 0 && len(w.text)+len(record) > termShard {
		before := w.last
		if err := w.end(); err != nil {
			return err
		}
		_, size := utf8.DecodeRuneInString(term[shared(before, term):])
		w.first = append(w.first, term[:shared(before, term)+size])
		record = w.record(term, l)
	} else if len(w.first) == 0 {
		w.first = append(w.first, "")
	}
	w.text = append(w.text, record...)
	w.last = term
	return nil
}

// record writes one term.
func (w *termWriter) record(term string, l *list) []byte {
	same := shared(w.last, term)
	out := append(appendNumber(nil, units16(term[:same])), term[same:]...)
	out = append(out, ' ')
	cut := 0
	all := l.postings()
	if int(l.total) > listMax {
		all, cut = best(all), 1
	}
	out = appendNumber(appendNumber(out, rarity(w.b.chunks, int(l.total))), cut)
	out = appendNumber(out, len(all)-1)
	last := int32(0)
	for _, p := range all {
		out = appendNumber(out, int(p.chunk+1-last)-1)
		last = p.chunk + 1
	}
	for _, p := range all {
		out = append(out, digits[p.level])
	}
	return append(out, ',')
}

// shared is how many bytes two terms have in common, up to the end of a character.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(b) && b[n]&0xC0 == 0x80 {
		n--
	}
	return n
}

// units16 is the length of a text as browsers count it.
func units16(text string) (n int) {
	for _, r := range text {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}

func (w *termWriter) end() error {
	if len(w.text) == 0 {
		return nil
	}
	sum, err := w.b.put("t"+strconv.Itoa(len(w.first)-1), quotedText(w.text))
	w.sums = append(w.sums, sum...)
	w.text, w.last = w.text[:0], ""
	return err
}

func quotedText(text []byte) []byte {
	out, _ := json.Marshal(string(text)) // a string always can be
	return out
}
