package searchindex

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// budget is how many files a query reads beside the entry. The order of the results is decided by these alone.
type budget struct {
	planned int // shards of terms that words are looked up in
	terms   int // … with the list of words for corrections and what it leads to
	files   int // with the shards of text
}

// budgetOf limits the requests of a query in a browser, where each costs more than its bytes. Servers use the same limits,
// so that they return what a browser would. Keep it in step with web/theme/src/search/plan.ts.
func budgetOf(q Query) budget {
	if q.Whole {
		return budget{math.MaxInt, math.MaxInt, math.MaxInt}
	}
	return budget{3, 4, 4}
}

// reading is one query and the shards of terms that it may read.
type reading struct {
	*Index
	budget
	parts   map[int]bool
	read    int // shards of terms, and the list of words
	words   []spelling
	plain   string // the query, to be compared with names
	phrases []exactPhrase
}

// plan chooses the shards: those of the words that say most, as many as fit. A word whose shard is not among them is
// left out: it counts in titles and texts only. Optional words are looked up where others are.
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

// byWorth is the words to look up, those first that say most: weak ones last, rare before common, as far as the entry knows,
// then long before short.
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
		out = out[:n-1] // hardly anything is known of the last word yet
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

// shardsBegun bounds the shards that one short beginning leads to.
const shardsBegun = 3

// isLetter reports whether a word is one letter, which no other character stands for.
func isLetter(word string) bool { return len(word) == 1 && word[0] >= 'a' && word[0] <= 'z' }

// wanted is the shards that a word needs, and fewer that will do.
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
	out := []int{from} // a short beginning: the most common words have to do
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

// textsFor is how many shards of text decide the order: what the shards of terms leave. A query that was corrected may
// leave none. Then it shows titles, and texts when the reader asks for more; without any title one shard is read all the same.
func (r *reading) textsFor(found []pageFound) int {
	named := slices.ContainsFunc(found, func(p pageFound) bool { return p.meta != nil })
	if left := r.files - r.read; left > 0 || named {
		return left
	}
	return 1
}

// name is what the shards at hand, or the entry, say of a page; nil when they do not know it.
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
