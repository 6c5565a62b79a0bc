package searchindex

import (
	"slices"
	"sort"
	"strings"
)

// Weights of matches, in 16ths. web/theme/src/search/match.ts has the same values.
const (
	exactly     = 16
	begun       = 12 // the term starts with the word
	begunBeside = 7  // like begun, but the word is also a term
	apart       = 12 // the parts of a name, which may be anywhere
	apartBeside = 7  // like apart, but the name itself is also a term
	nearly      = 9  // one letter differs
	remotely    = 6  // two letters differ
	completions = 10 // maximum number of terms that complete a prefix
	corrections = 5
)

// candidate is a term that matches a word of the query.
type candidate struct {
	term   string
	factor int
	data   string
}

// match finds the terms that match a unit and computes the weight of every chunk for it.
func (x *reading) match(u *unit) error {
	u.weight = make([]int32, x.entry.Chunks)
	if u.dropped {
		return nil
	}
	for i, way := range u.ways {
		if i == 0 {
			if err := x.oneTerm(u, way[0]); err != nil {
				return err
			}
			continue
		}
		if err := x.allTerms(u, way); err != nil {
			return err
		}
	}
	if u.weak {
		u.rarity = (u.rarity + 1) / 2
	}
	return nil
}

// oneTerm computes weights for one term, its completions and, if there are none, possible corrections.
func (x *reading) oneTerm(u *unit, term string) error {
	var found []candidate
	data, ok, err := x.lookup(term)
	if err != nil {
		return err
	}
	if u.whole = ok; ok {
		found = append(found, candidate{term, exactly, data})
	}
	if u.prefix || !ok && len(u.ways) == 1 {
		more, err := x.complete(term, ok)
		if err != nil {
			return err
		}
		found = append(found, more...)
	}
	for _, one := range u.also {
		data, ok, err := x.lookup(one)
		if err != nil {
			return err
		}
		if ok {
			found = append(found, candidate{one, begun, data})
		}
	}
	if len(found) == 0 && !u.optional {
		if found, err = x.correct(term, u.prefix); err != nil {
			return err
		}
	}
	for i, c := range found {
		rarity, cut, ok := x.weigh(u.weight, c, x.entry.Chunks)
		if !ok {
			return errForm
		}
		if u.forms[c.term] = true; u.rarity == 0 || !(found[0].factor == exactly) && rarity < u.rarity {
			u.rarity = rarity
		}
		u.longer[c.term] = c.factor == begunBeside
		u.cut = u.cut || cut && i == 0
	}
	return nil
}

// allTerms computes weights for chunks that contain all terms of an alternative. The weight of a chunk is the lowest
// among the weights of these terms. It skips an alternative whose shards are not all loaded.
func (x *reading) allTerms(u *unit, way []string) error {
	for _, term := range way {
		if !x.parts[x.part(term)] {
			return nil
		}
	}
	var sum []int32
	rarest := 0
	for i, term := range way {
		data, ok, err := x.lookup(term)
		if err != nil {
			return err
		}
		own := make([]int32, x.entry.Chunks)
		if ok {
			rarity, _, good := x.weigh(own, candidate{term, exactly, data}, x.entry.Chunks)
			if !good {
				return errForm
			}
			rarest = max(rarest, rarity)
		}
		if u.prefix && i == len(way)-1 {
			more, err := x.complete(term, ok)
			if err != nil {
				return err
			}
			for _, c := range more {
				rarity, _, good := x.weigh(own, c, x.entry.Chunks)
				if !good {
					return errForm
				}
				rarest = max(rarest, rarity)
				u.forms[c.term] = true
			}
		}
		u.forms[term] = true
		if sum == nil {
			sum = own
			continue
		}
		for c := range sum {
			sum[c] = min(sum[c], own[c])
		}
	}
	any, factor := false, int32(apart)
	if u.whole {
		factor = apartBeside
	}
	for c, w := range sum {
		if w = w * factor / exactly; w > u.weight[c] {
			u.weight[c], any = w, true
		}
	}
	if any && (u.rarity == 0 || rarest < u.rarity) {
		u.rarity = rarest
	}
	return nil
}

// weigh raises the weights of the chunks that contain a term.
func (x *Index) weigh(weight []int32, c candidate, chunks int) (rarity int, cut, ok bool) {
	d := numbers{text: c.data}
	rarity, cut = d.next(), d.next() == 1
	n, at := d.next()+1, -1
	if d.bad || n > len(c.data)-d.at {
		return 0, false, false
	}
	tail := c.data[len(c.data)-n:]
	for i := range n {
		at += d.next() + 1
		level := digitOf(tail[i])
		if d.bad || at >= chunks || level < 0 || level > 31 {
			return 0, false, false
		}
		weight[at] = max(weight[at], int32(levels[level]*c.factor))
	}
	return rarity, cut, true
}

// part returns the shard that a term would be in, or -1.
func (x *Index) part(term string) int {
	return sort.Search(len(x.first), func(i int) bool { return x.first[i] > term }) - 1
}

// lastPart returns the last shard with terms that start with a prefix. from is the shard that would contain the prefix
// itself.
func (x *Index) lastPart(prefix string, from int) int {
	to := from
	for to+1 < len(x.first) && strings.HasPrefix(x.first[to+1], prefix) {
		to++
	}
	return to
}

// lookup finds the data of a term if the query reads the shard of the term.
func (x *reading) lookup(term string) (data string, ok bool, err error) {
	i := x.part(term)
	if i < 0 || !x.parts[i] {
		return "", false, nil
	}
	part, err := x.termPart(i)
	if err != nil {
		return "", false, err
	}
	if at, found := slices.BinarySearch(part.terms, term); found {
		return part.data[at], true, nil
	}
	return "", false, nil
}

// complete finds the most common terms that start with a word. known reports whether the word is a term itself.
func (x *reading) complete(prefix string, known bool) ([]candidate, error) {
	factor := begun
	if known {
		factor = begunBeside
	}
	from := x.part(prefix)
	if from < 0 {
		return nil, nil
	}
	type option struct {
		candidate
		n int
	}
	var all []option
	for i := from; i <= x.lastPart(prefix, from); i++ {
		if !x.parts[i] {
			continue
		}
		part, err := x.termPart(i)
		if err != nil {
			return nil, err
		}
		at, _ := slices.BinarySearch(part.terms, prefix)
		for ; at < len(part.terms) && strings.HasPrefix(part.terms[at], prefix); at++ {
			if part.terms[at] != prefix {
				all = append(all, option{candidate{part.terms[at], factor, part.data[at]}, size(part.data[at])})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b option) int { return b.n - a.n })
	var out []candidate
	for _, o := range all[:min(len(all), completions)] {
		out = append(out, o.candidate)
	}
	return out, nil
}

// size returns the number of chunks in a list.
func size(data string) int {
	d := numbers{text: data}
	d.next()
	d.next()
	return d.next() + 1
}
