package searchindex

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A list that is too long keeps its best postings, in the order of chunks. Among equally good postings, it keeps the
// first. Sorting the postings gives the same result.
func TestLongListKeepsBestHits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, listMax, listMax + 1, 3 * listMax, 60_000} {
		for _, levels := range []int{1, 3, 31} {
			var l list
			var all []posting
			chunk := 0
			for range n {
				chunk += 1 + r.IntN(40)
				p := posting{int32(chunk), uint8(31 - r.IntN(levels))}
				all = append(all, p)
				l.add(chunk, p.level)
			}
			slices.SortStableFunc(all, func(a, b posting) int { return cmp.Compare(b.level, a.level) })
			all = all[:min(n, listMax)]
			slices.SortFunc(all, func(a, b posting) int { return cmp.Compare(a.chunk, b.chunk) })
			want := appendNumber(nil, len(all)-1)
			last := int32(-1)
			for _, p := range all {
				want = appendNumber(want, int(p.chunk-last)-1)
				last = p.chunk
			}
			for _, p := range all {
				want = append(want, digits[p.level])
			}
			if got := l.best(nil); !bytes.Equal(got, want) {
				t.Errorf("%d postings of %d levels: the list differs", n, levels)
			}
		}
	}
}

// The list of words is limited to the most common ones. Among equally common ones, the first are kept.
func TestVocabularyKeepsMostCommonWords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	letter := func(n int) byte { return 'a' + byte(n%26) }
	var terms []string
	for i := range 26 * 26 * 26 {
		terms = append(terms, fmt.Sprintf("%c%c%c%c", letter(i/676), letter(i/26), letter(i), 'a'+r.IntN(26)))
	}
	type scored struct {
		term  string
		score int
	}
	var words wordList
	var all []scored
	for _, term := range terms {
		l := list{n: 1 + r.IntN(60), heading: r.IntN(9) == 0}
		if listable(l.n, l.heading) && spelled(term) {
			words.put(term, scoreOf(l.n, l.heading))
		}
		switch {
		case l.heading:
			all = append(all, scored{term, 8 * l.n})
		case l.n > 1:
			all = append(all, scored{term, l.n})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var want, got []string
	for _, s := range all[:wordsMax] {
		want = append(want, s.term)
	}
	for _, w := range words {
		got = append(got, w.text)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%d words, which are not the most common of %d", len(got), len(all))
	}
}
