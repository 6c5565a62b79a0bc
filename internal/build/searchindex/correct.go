package searchindex

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// correct finds words that differ from a mistyped one by a letter, in long words by two.
func (x *reading) correct(term string, prefix bool) (out []candidate, err error) {
	letters := []rune(term)
	if len(letters) < 4 || len(letters) > 24 || classOf(letters[0]) != word {
		return nil, nil
	}
	words, err := x.spellings()
	if err != nil {
		return nil, err
	}
	type option struct{ key, rank, at int }
	var all []option
	m := newMeter(letters)
	for i, w := range words {
		if key, ok := m.compare(w.text, prefix); ok {
			all = append(all, option{key, w.rank, i})
		}
	}
	slices.SortFunc(all, func(a, b option) int { return cmp.Or(a.key-b.key, b.rank-a.rank, a.at-b.at) })
	for _, o := range all[:min(len(all), corrections)] {
		if o.key > all[0].key+2 {
			break
		}
		if i := x.part(words[o.at].text); !x.parts[i] && x.read < x.terms {
			x.parts[i] = true
			x.read++
		}
		data, ok, err := x.lookup(words[o.at].text)
		if err != nil {
			return nil, err
		}
		if ok {
			factor := nearly
			if o.key >= 8 {
				factor = remotely
			}
			out = append(out, candidate{words[o.at].text, factor, data})
		}
	}
	return out, nil
}

// spellings returns the list of words, unless the query reads as many files as it may.
func (x *reading) spellings() ([]spelling, error) {
	if x.words != nil || x.read >= x.terms {
		return x.words, nil
	}
	x.read++
	var err error
	x.words, err = x.Index.words()
	return x.words, err
}

// meter measures how far words are from a mistyped one.
type meter struct {
	term     []rune
	most     int
	word     []rune
	two, one []int // rows of the table before the one at hand
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

// compare gives the key by which words are ordered: four for each letter that is wrong, missing, too many or in its
// neighbour's place; two when the word goes on behind what was typed; one when the first letter differs.
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

// distance returns the number of slips between the word and the term, and between a beginning of the word and the term.
// Beyond the most that counts, both may be more than they are.
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
