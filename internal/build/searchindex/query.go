package searchindex

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a query. web/theme/src/search/query.ts has the same.
const (
	questionMax = 200 // characters; the rest is ignored
	unitsMax    = 16
	joinedMax   = 4 // maximum number of words for which neighbours are also joined; each pair costs a shard
)

// unit is a word of a query with everything that matches it.
type unit struct {
	ways     [][]string // alternatives: terms that must all be present, the joined form or the parts
	also     []string   // its other forms, and its joined form with a neighbour: quickstart for quick start
	prefix   bool       // the word may be unfinished
	start    int        // in the question
	end      int        // of a part
	optional bool       // it raises the score of chunks that have it, and does not lower the score of others
	weak     bool       // it says little about the subject of the query
	dropped  bool       // it is not looked up: the query has too many words

	rarity int
	whole  bool            // the word itself is a term
	cut    bool            // its list is truncated: other chunks may have the word too
	weight []int32         // by chunk
	forms  map[string]bool // terms that match it
	longer map[string]bool // terms that begin with the word, if it is a term itself
}

// readPart returns the first part of a query, up to questionMax characters.
func readPart(text string) string {
	n := 0
	for i := range text {
		if n++; n > questionMax {
			return text[:i]
		}
	}
	return text
}

// parseQuery splits a query into its words.
func parseQuery(text string) []*unit {
	out := readUnits(readPart(text))
	for i := 0; i+1 < len(out) && len(out) <= joinedMax; i++ {
		if a, b := out[i], out[i+1]; a.plain() && b.plain() {
			one := a.ways[0][0] + b.ways[0][0]
			a.also, b.also = append(a.also, one), append(b.also, one)
		}
	}
	for _, u := range out {
		if u.plain() {
			u.also = append(u.also, inflections(u.ways[0][0])...)
		}
	}
	return tidy(out)
}

// readUnits returns the words of text.
func readUnits(text string) (out []*unit) {
	t := tokenizer{}
	t.emit = func(kind int, term []byte, start, end int) {
		s := string(term)
		switch kind {
		case part:
			out = append(out, &unit{ways: [][]string{{s}}, start: start, end: end})
		case joined:
			var parts []string
			i := len(out)
			for ; i > 0 && out[i-1].start >= start; i-- {
				parts = append(parts, out[i-1].ways[0][0])
			}
			slices.Reverse(parts)
			out = append(out[:i], &unit{ways: [][]string{{s}, parts}, start: start})
		case grouped:
			out = append(out, &unit{ways: [][]string{{s}}, optional: true, start: start})
		case pair:
			// a word that is too long has no unit
			if i := len(out) - 1; i >= 0 && start < out[i].end && classOf(firstRune(s)) == hangul {
				u := out[i]
				if len(u.ways) == 1 {
					u.ways = append(u.ways, nil)
				}
				u.ways[1] = append(u.ways[1], s)
			}
		}
	}
	t.run(text)
	for _, u := range out {
		u.forms, u.longer = map[string]bool{}, map[string]bool{}
	}
	return out
}

// plain reports whether a word of letters and digits has no other form.
func (u *unit) plain() bool {
	return len(u.ways) == 1 && !u.optional && classOf(firstRune(u.ways[0][0])) == word
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// tidy drops repetitions and meaningless words, and marks the last word as possibly unfinished.
func tidy(all []*unit) (out []*unit) {
	seen := map[string]bool{}
	telling, strong := false, 0
	for _, u := range all {
		key := strings.Join(u.ways[0], " ")
		if !seen[key] && len(out) < unitsMax {
			seen[key] = true
			out = append(out, u)
			telling = telling || !u.optional && !common(u.ways[0][0])
			if u.weak = weak(u.ways[0][0]); !u.optional && !u.weak && !common(u.ways[0][0]) {
				strong++
			}
		}
	}
	last := -1
	for i, u := range out {
		u.weak = u.weak && strong > 1 // without two significant words, this one may matter
		if !u.optional {
			last = i
		}
		if r := firstRune(u.ways[0][0]); classOf(r) == dense && utf8.RuneCountInString(u.ways[0][0]) == 1 {
			u.prefix = true
		}
	}
	if last >= 0 && classOf(firstRune(out[last].ways[0][0])) != dense {
		out[last].prefix = true
	}
	if !telling {
		return out
	}
	kept := out[:0]
	for i, u := range out {
		if common(u.ways[0][0]) {
			if i != last {
				continue
			}
			u.optional = true
		}
		kept = append(kept, u)
	}
	return kept
}
