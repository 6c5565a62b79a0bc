package searchindex

import "slices"

// Words of a query between quotation marks. Pages that contain them in sequence come first; others are still found.
// web/theme/src/search/phrase.ts does the same: change both.

// The index does not contain the positions of words. A chunk counts for more if the lists show that it may have all
// words of a phrase, so that its text is read. The text then increases or reduces the score.
const (
	phraseLikely = 4
	phraseFound  = 16
	phraseAbsent = 0.25
)

// spareQuoted is the number of additional pages that are examined: many pages may have the words of a phrase, but few
// have them in order.
const spareQuoted = 60

// exactPhrase contains the words between two quotation marks.
type exactPhrase struct {
	words []string
	units []*unit // units of the words that are looked up
}

// atQuoteMarks splits a query at its quotation marks: every second part is between two of them. An unclosed mark has
// no effect.
func atQuoteMarks(text string) (parts []string) {
	start := 0
	for i, r := range text {
		switch r {
		case '"', '“', '”', '„', '«', '»':
			parts = append(parts, text[start:i])
			start = i + len(string(r))
		}
	}
	return append(parts, text[start:])
}

// phrasesOf returns the phrases of a query. A single word in quotation marks is not a phrase.
func phrasesOf(text string, units []*unit) (out []exactPhrase) {
	parts := atQuoteMarks(text)
	for i := 1; i+1 < len(parts); i += 2 {
		p := exactPhrase{words: wordsInOrder(parts[i])}
		if len(p.words) < 2 {
			continue
		}
		for _, u := range units {
			has := func(word string) bool { return slices.Contains(p.words, word) }
			lacks := func(word string) bool { return !has(word) }
			if !u.optional && !u.dropped && (has(u.ways[0][0]) || len(u.ways) > 1 && !slices.ContainsFunc(u.ways[1], lacks)) {
				p.units = append(p.units, u)
			}
		}
		out = append(out, p)
	}
	return out
}

// unquoted returns a query without quotation marks around all of it, for comparison with names.
func unquoted(text string) string {
	if parts := atQuoteMarks(text); len(parts) == 3 && plainName(parts[0]) == "" && plainName(parts[2]) == "" {
		return parts[1]
	}
	return text
}

// wordsInOrder returns the words of text as the index stores them.
func wordsInOrder(text string) (out []string) {
	t := tokenizer{}
	t.emit = func(kind int, term []byte, _, _ int) {
		if kind == part {
			out = append(out, string(term))
		}
	}
	t.run(text)
	return out
}

// likely returns the factor of a chunk according to the lists of the phrases' words.
func (r *reading) likely(chunk int) float64 {
	out := 1.0
	for i := range r.phrases {
		if r.phrases[i].isLikely(chunk) {
			out *= phraseLikely
		}
	}
	return out
}

func (p *exactPhrase) isLikely(chunk int) bool {
	lacks := func(u *unit) bool { return u.weight[chunk] == 0 && !u.cut }
	return len(p.units) > 0 && !slices.ContainsFunc(p.units, lacks)
}

// confirmed returns the additional factor of a chunk according to the given text. read means that texts is all of the
// chunk's text.
func (r *reading) confirmed(chunk int, texts []string, read bool) float64 {
	out := 1.0
	if len(r.phrases) == 0 {
		return out
	}
	words := make([][]string, len(texts))
	for i, t := range texts {
		words[i] = wordsInOrder(t)
	}
	for i := range r.phrases {
		switch p := &r.phrases[i]; {
		case slices.ContainsFunc(words, p.isIn):
			out *= phraseFound
		case read && p.isLikely(chunk):
			out *= phraseAbsent
		}
	}
	return out
}

// isIn reports whether words contains the words of the phrase in sequence.
func (p *exactPhrase) isIn(words []string) bool {
	for i := 0; i+len(p.words) <= len(words); i++ {
		if slices.Equal(words[i:i+len(p.words)], p.words) {
			return true
		}
	}
	return false
}
