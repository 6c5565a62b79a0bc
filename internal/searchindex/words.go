package searchindex

import (
	"math/bits"
	"slices"
)

// wordsMax bounds the list of words.
const wordsMax = 12_000

// words is the list of words that mistyped ones are compared with, and that short beginnings are completed from: those of letters
// that more than one chunk has, or a heading. Each is written as a term is, then how common it is, in one digit.
func (b *Builder) words(sorted []string) []byte {
	type candidate struct {
		at    int
		score int64
	}
	var all []candidate
	for i, term := range sorted {
		l := &b.lists[b.terms[term]]
		heading := l.best >= 17
		if l.total < 2 && !heading || !spelled(term) {
			continue
		}
		score := int64(l.total)
		if heading {
			score *= 8
		}
		all = append(all, candidate{i, score})
	}
	slices.SortStableFunc(all, func(x, y candidate) int { return int(min(max(y.score-x.score, -1), 1)) })
	all = all[:min(len(all), wordsMax)]
	slices.SortFunc(all, func(x, y candidate) int { return x.at - y.at })
	var out []byte
	last := ""
	for _, c := range all {
		term := sorted[c.at]
		same := shared(last, term)
		out = append(appendNumber(out, units16(term[:same])), term[same:]...)
		out = append(out, ' ', digits[min(bits.Len64(uint64(c.score)), 31)])
		last = term
	}
	return out
}

// spelled tells words of letters, not too short to be mistyped nor too long to be typed.
func spelled(term string) bool {
	n := 0
	for _, r := range term {
		if r < 'a' && r != '\'' || r > 'z' && r < 0x80 || isDense(r) {
			return false
		}
		n++
	}
	return n >= 3 && n <= 24
}
