package searchindex

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// budget limits the number of files that a query reads in addition to the entry. Only these files decide the order of
// the results.
type budget struct {
	planned int // shards of terms in which words are looked up
	terms   int // planned, plus the list of words for corrections and the shards of corrected words
	files   int // terms, plus the shards of text
}

// budgetOf limits the requests of a query in a browser, where a request costs more than the bytes it transfers. Servers
// use the same limits, so that they return the same results as a browser. Keep it in step with
// web/theme/src/search/plan.ts.
func budgetOf(q Query) budget {
	if q.Whole {
		return budget{math.MaxInt, math.MaxInt, math.MaxInt}
	}
	return budget{3, 4, 4}
}

// reading holds one query and the shards of terms that it may read.
type reading struct {
	*Index
	budget
	parts   map[int]bool
	read    int // number of shards of terms read, including the list of words
	words   []spelling
	plain   string // the query, for comparison with names
	phrases []exactPhrase
}

// plan selects as many shards as fit, those of the most significant words first. A word whose shard is not among them
// is dropped: it only counts in titles and texts. An optional word is looked up if its shard is selected for another
// word.
func (x *Index) plan(text string, units []*unit, b budget) *reading {
	r := &reading{Index: x, budget: b, parts: map[int]bool{}, plain: plainName(unquoted(text))}
	order := x.byWorth(units)
	for _, u := range order {
		for _, want := range r.wanted(u) {
			if r.add(want...) {
				break
			}
		}
	}
	for _, u := range order {
		for _, way := range u.ways[1:] {
			want := make([]int, len(way))
			for i, term := range way {
				want[i] = x.part(term)
			}
			if r.parts[x.part(u.ways[0][0])] {
				r.add(want...)
			}
		}
	}
	for _, u := range units {
		if r.parts[x.part(u.ways[0][0])] {
			continue
		}
		u.dropped = true
		u.optional = u.optional || u.prefix
		for _, way := range u.ways {
			for _, term := range way {
				u.forms[term] = true
			}
		}
	}
	r.phrases = phrasesOf(readPart(text), units)
	return r
}

// byWorth returns the words to look up, the most significant first. Weak words come last, words that are rare according
// to the entry come before common ones, and then long words before short ones.
func (x *Index) byWorth(units []*unit) (out []*unit) {
	for _, u := range units {
		if !u.optional {
			out = append(out, u)
		}
	}
	if len(out) == 0 {
		out = slices.Clone(units)
	}
	if n := len(out); n > 1 && out[n-1].prefix && isLetter(out[n-1].ways[0][0]) {
		out = out[:n-1] // one letter says almost nothing about the last word
	}
	worth := func(u *unit) int {
		if u.weak {
			return -1
		}
		if at, ok := x.often[u.ways[0][0]]; ok {
			return at
		}
		return len(x.often)
	}
	slices.SortStableFunc(out, func(a, b *unit) int {
		return cmp.Or(worth(b)-worth(a),
			utf8.RuneCountInString(b.ways[0][0])-utf8.RuneCountInString(a.ways[0][0]))
	})
	return out
}

// shardsBegun limits the number of shards for one short prefix.
const shardsBegun = 3

// isLetter reports whether a word is a single ASCII letter.
func isLetter(word string) bool { return len(word) == 1 && word[0] >= 'a' && word[0] <= 'z' }

// wanted returns the shards that a word needs, followed by smaller sets that also suffice.
func (x *reading) wanted(u *unit) [][]int {
	term := u.ways[0][0]
	from := x.part(term)
	if from < 0 {
		return nil
	}
	to := x.lastPart(term, from)
	switch {
	case !u.prefix || to == from:
		return [][]int{{from}}
	case to == from+1:
		return [][]int{{from, to}, {from}}
	}
	out := []int{from} // a short prefix: the shards of the most common words must suffice
	for _, w := range strings.Fields(x.entry.Frequent) {
		if i := x.part(w); strings.HasPrefix(w, term) && len(out) < min(x.planned, shardsBegun) && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return [][]int{out, out[:min(len(out), 2)], {from}}
}

// add adds shards to the plan if all of them fit, and reports whether they did.
func (r *reading) add(parts ...int) bool {
	fresh := map[int]bool{}
	for _, i := range parts {
		if i >= 0 && !r.parts[i] {
			fresh[i] = true
		}
	}
	if len(r.parts)+len(fresh) > r.planned {
		return false
	}
	for i := range fresh {
		r.parts[i] = true
	}
	r.read = len(r.parts)
	return true
}

// textsFor returns how many shards of text decide the order, which is the rest of the budget. A corrected query may
// leave none. Its results then only have titles, and their text is read when the reader requests more. If none of the
// pages has a title, one shard is read anyway.
func (r *reading) textsFor(found []pageFound) int {
	named := slices.ContainsFunc(found, func(p pageFound) bool { return p.meta != nil })
	if left := r.files - r.read; left > 0 || named {
		return left
	}
	return 1
}

// name returns the description of a page from the entry or from the shards that the query read, or nil if they do not
// contain it.
func (r *reading) name(page int) *pageMeta {
	if len(r.entry.Names) > 0 {
		return &r.entry.Names[page]
	}
	for i := range r.parts {
		if part, err := r.termPart(i); err == nil && part.names[page] != nil {
			return part.names[page]
		}
	}
	return nil
}
