package searchindex

import (
	"cmp"
	"container/heap"
	"math/bits"
	"slices"
	"strings"
)

// wordsMax limits the list of words.
const wordsMax = 12_000

// wordList is the list of words for corrections of mistyped words and completions of short prefixes: words that consist
// of letters and occur in more than one chunk or in a heading. It only contains the most common ones and, among equally
// common ones, the first. It is a heap with the least common on top.
type wordList []listed

type listed struct {
	text  string
	score int
}

// put adds a term that is listable and spelled. Terms must be added in byte order.
func (w *wordList) put(term string, score int) {
	switch {
	case len(*w) < wordsMax:
		heap.Push(w, listed{term, score})
	case score > (*w)[0].score:
		(*w)[0] = listed{term, score}
		heap.Fix(w, 0)
	}
}

// listable reports whether a word is common enough for the list: it is in more than one chunk or in a heading.
func listable(n int, heading bool) bool { return n > 1 || heading }

// scoreOf returns how common a word is that occurs in n chunks.
func scoreOf(n int, heading bool) int {
	if heading {
		return 8 * n
	}
	return n
}

// rankOf returns scoreOf as one digit.
func rankOf(n int, heading bool) int { return min(bits.Len(uint(scoreOf(n, heading))), 31) }

func (w wordList) Len() int      { return len(w) }
func (w wordList) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w wordList) Less(i, j int) bool {
	return w[i].score < w[j].score || w[i].score == w[j].score && w[i].text > w[j].text
}
func (w *wordList) Push(x any) { *w = append(*w, x.(listed)) }
func (w *wordList) Pop() any {
	n := len(*w) - 1
	out := (*w)[n]
	*w = (*w)[:n]
	return out
}

// frequentMax limits the most common words in the entry.
const frequentMax = 256

// frequent returns the most common words, the most common first.
func (w wordList) frequent() string {
	all := slices.Clone(w)
	slices.SortFunc(all, func(a, b listed) int { return cmp.Or(b.score-a.score, cmp.Compare(a.text, b.text)) })
	var out []string
	for _, one := range all[:min(len(all), frequentMax)] {
		out = append(out, one.text)
	}
	return strings.Join(out, " ")
}

// text returns the list in byte order. Each word is written like a term, followed by its rank in one digit.
func (w wordList) text() (out []byte) {
	slices.SortFunc(w, func(a, b listed) int { return cmp.Compare(a.text, b.text) })
	last := ""
	for _, one := range w {
		same := shared(last, one.text)
		out = append(appendNumber(out, units16(one.text[:same])), one.text[same:]...)
		out = append(out, ' ', digits[min(bits.Len(uint(one.score)), 31)])
		last = one.text
	}
	return out
}

// spelled reports whether a word consists of letters and has a length at which typing errors are likely.
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
