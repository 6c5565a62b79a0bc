package searchindex

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// twoSlips is the minimum key of words with two wrong letters.
const twoSlips = 8

// correct finds words that differ from a mistyped word by one letter or, if it is long, by two. It first looks in the
// shard that would contain the mistyped word, if that is loaded. It only reads the list of words if it finds no word
// there that differs by one letter.
func (x *reading) correct(term string, prefix bool) (out []candidate, err error) {
	letters := []rune(term)
	if len(letters) < 4 || len(letters) > 24 || classOf(letters[0]) != word {
		return nil, nil
	}
	words, err := x.beside(term)
	if err != nil {
		return nil, err
	}
	near := nearest(words, letters, prefix)
	if len(near) == 0 || near[0].key >= twoSlips {
		if words, err = x.spellings(); err != nil {
			return nil, err
		}
		if more := nearest(words, letters, prefix); len(more) > 0 {
			near = more
		}
	}
	for _, o := range near {
		if i := x.part(o.text); !x.parts[i] && x.read < x.terms {
			x.parts[i] = true
			x.read++
		}
		data, ok, err := x.lookup(o.text)
		if err != nil {
			return nil, err
		}
		if ok {
			factor := nearly
			if o.key >= twoSlips {
				factor = remotely
			}
			out = append(out, candidate{o.text, factor, data})
		}
	}
	return out, nil
}

// correction is a possible correction. A lower key is nearer.
type correction struct {
	spelling
	key int
}

// nearest returns the words nearest to a mistyped one. Of equally near words, the most common one comes first.
func nearest(words []spelling, letters []rune, prefix bool) (out []correction) {
	m := newMeter(letters)
	for _, w := range words {
		if key, ok := m.compare(w.text, prefix); ok {
			out = append(out, correction{w, key})
		}
	}
	slices.SortStableFunc(out, func(a, b correction) int { return cmp.Or(a.key-b.key, b.rank-a.rank) })
	for i, o := range out {
		if i == corrections || o.key > out[0].key+2 {
			return out[:i]
		}
	}
	return out
}

// beside returns the words in the shard that would contain a term, in the same form as the list of words. It returns
// none if that shard is not loaded.
func (x *reading) beside(term string) (out []spelling, err error) {
	i := x.part(term)
	if i < 0 || !x.parts[i] {
		return nil, nil
	}
	part, err := x.termPart(i)
	if err != nil {
		return nil, err
	}
	for i, text := range part.terms {
		data := part.data[i]
		n := min(size(data), len(data))
		heading := slices.ContainsFunc([]byte(data[len(data)-n:]), func(c byte) bool { return digitOf(c) >= headingLevel })
		if spelled(text) && listable(n, heading) {
			out = append(out, spelling{text, rankOf(n, heading)})
		}
	}
	return out, nil
}

// spellings returns the list of words, unless the query has read the maximum number of files.
func (x *reading) spellings() ([]spelling, error) {
	if x.words != nil || x.read >= x.terms {
		return x.words, nil
	}
	x.read++
	var err error
	x.words, err = x.Index.words()
	return x.words, err
}

// meter computes the distance of words to a mistyped one.
type meter struct {
	term     []rune
	most     int
	word     []rune
	two, one []int // the preceding rows of the table
	row      []int
}

func newMeter(term []rune) *meter {
	m := &meter{term: term, most: 1, one: make([]int, len(term)+1), two: make([]int, len(term)+1),
		row: make([]int, len(term)+1)}
	if len(term) >= 8 {
		m.most = 2
	}
	return m
}

// compare computes the key by which words are ordered: four for each letter that is wrong, missing, extra or
// swapped with its neighbour; two if the word continues after the typed text; one if the first letter differs.
func (m *meter) compare(text string, prefix bool) (key int, ok bool) {
	n := utf8.RuneCountInString(text)
	if n < len(m.term)-m.most || n > len(m.term)+m.most && !prefix {
		return 0, false
	}
	m.word = m.word[:0]
	for _, r := range text {
		m.word = append(m.word, r)
	}
	w, t := m.word, m.term
	if w[0] != t[0] && w[1] != t[0] && w[0] != t[1] && w[1] != t[1] {
		return 0, false
	}
	whole, begun := m.distance(prefix)
	key = 4 * whole
	if prefix && begun < whole {
		key = 4*begun + 2
		whole = begun
	}
	if w[0] != t[0] {
		key++
	}
	return key, whole <= m.most
}

// distance returns the number of errors between the word and the term, and between a prefix of the word and the
// term. Results above the maximum may be too high.
func (m *meter) distance(prefix bool) (whole, begun int) {
	w, t := m.word, m.term
	if limit := len(t) + m.most; len(w) > limit && prefix {
		w = w[:limit]
	}
	two, one, row := m.two, m.one, m.row
	for j := range one {
		one[j] = j
	}
	begun = len(t)
	for i := 1; i <= len(w); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if w[i-1] == t[j-1] {
				cost = 0
			}
			d := min(one[j]+1, row[j-1]+1, one[j-1]+cost)
			if i > 1 && j > 1 && w[i-1] == t[j-2] && w[i-2] == t[j-1] {
				d = min(d, two[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		begun = min(begun, row[len(t)])
		if least > m.most {
			return m.most + 1, begun
		}
		two, one, row = one, row, two
	}
	if whole = one[len(t)]; len(w) < len(m.word) {
		whole = m.most + 1
	}
	return whole, begun
}
