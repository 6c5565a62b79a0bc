package searchindex

import (
	"math"
	"strings"
)

// Fields of a chunk.
const (
	inTitle = iota
	inHeading
	inKeywords
	inDescription
	inPath
	inAround // crumbs, headings above
	inText
	inCode
	fields
)

// boostMax limits the boosts of a record, in hundredths.
const boostMax = 10_000

// boost returns the page's weight in hundredths: the square root of the author's value.
func boost(p *Page) int {
	b := p.Boost
	if !(b > 0) {
		b = 1
	}
	b = math.Sqrt(min(max(b, 0.01), 100)) // authors boost whole sections; without the root, that would outweigh the words
	if p.Deprecated {
		b *= 0.7
	}
	if p.Unlisted {
		b *= 0.6
	}
	if p.Reference {
		b *= 0.9
	}
	if p.kept() {
		b *= 0.5
	}
	return int(math.Round(b * 100))
}

// kept reports whether a page is kept only for the record. Such pages are changelogs, which mention everything, pages
// in a folder for outdated pages, and decision records, which explain why something is so and not how to use it.
func (p *Page) kept() bool {
	switch strings.ToLower(p.Title) {
	case "changelog", "change log", "release notes", "product updates", "what's new":
		return true
	}
	for part := range strings.SplitSeq(p.Path, "/") {
		switch part {
		case "changelog", "changelogs", "release-notes", "legacy", "deprecated", "archive", "archived",
			"adr", "adrs", "decisions", "decision-records":
			return true
		}
	}
	return false
}

// shares are the weights of a term in each short field: most / (1 + spread × (words − 1)), so that a field with fewer
// words counts for more. Decision 16 explains how they were fitted.
var shares = [...]struct{ most, spread float64 }{
	inTitle: {10, 0.15}, inHeading: {6, 0.3}, inKeywords: {4, 0.02}, inDescription: {3.5, 0.025}, inPath: {2.5, 0.05},
	inAround: {1.6, 0.015},
}

// weight returns the relevance of a chunk for a term. In text, each repetition of the term counts for less than the one
// before it.
func weight(count *[fields]uint16, length *[fields]int) float64 {
	w := 0.0
	for field, share := range shares {
		if count[field] > 0 {
			w += share.most / (1 + float64(share.spread*float64(length[field]-1)))
		}
	}
	if count[inTitle] > 1 {
		w += 1.5
	}
	if n := float64(count[inText]); n > 0 {
		w += 3 * n / (n + 0.5 + float64(0.7*float64(length[inText]))/150)
	}
	if n := float64(count[inCode]); n > 0 {
		w += n / (n + 1.5)
	}
	return w
}

// level returns the level nearest to a weight.
func level(w float64) uint8 {
	at := int(w * 64)
	low, high := 1, 31
	for low < high {
		if mid := (low + high) / 2; at*2 < levels[mid]+levels[mid+1] {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return uint8(low)
}

// levels are weights times 64 by level: 64 × (2^(level/6.5) − 1).
var levels = [32]int{
	0, 7, 15, 24, 34, 45, 57, 71, 86, 103, 122, 143, 166, 192, 221, 253, 289, 328, 372, 421, 476, 537, 604, 680, 763,
	856, 960, 1075, 1203, 1346, 1505, 1681,
}
