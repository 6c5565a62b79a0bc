package searchindex

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a question. web/theme/src/search/query.ts has the same.
const (
	questionMax = 200 // characters; the rest is not read
	unitsMax    = 16
	joinedMax   = 4 // words of a question whose neighbours are also taken as one: each costs a shard
)

// unit is a word of a question with everything that counts as it.
type unit struct {
	ways     [][]string // each is terms that must all be there: the joined form, or the parts
	also     []string   // its other forms, and it and its neighbour as one: quick start is quickstart too
	prefix   bool       // the word may be unfinished
	start    int        // in the question
	end      int        // of a part
	optional bool       // it adds to what has it, and takes nothing from what has it not
	weak     bool       // it hardly says what the question is about
	dropped  bool       // it is not looked up: the query has too many words

	rarity int
	whole  bool            // it is a term as it stands
	cut    bool            // its list is not whole: what is not on it may have it all the same
	weight []int32         // by chunk
	forms  map[string]bool // terms that count as it
	longer map[string]bool // those that begin with it, when it is a term itself
}

// readPart is the part of a question that is read.
func readPart(text string) string {
	n := 0
	for i := range text {
		if n++; n > questionMax {
			return text[:i]
		}
	}
	return text
}

// parseQuery takes a question apart.
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

// readUnits finds the words of a text.
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

// tidy drops repetitions and words that say nothing, and marks the last word as perhaps unfinished.
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
		u.weak = u.weak && strong > 1 // of few words, each may be what is meant
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
