package searchindex

import (
	"cmp"
	"slices"
	"strings"
)

// The ranking. web/theme/src/search/rank.ts computes the same numbers in the same order: change both. Each product is
// converted to float64 separately. Otherwise, some processors would add it without rounding it first.

// unknownRarity is the weight of a word that no page of the site contains.
const unknownRarity = 96

// pageFound is a page that matches a query.
type pageFound struct {
	page   int
	score  float64
	name   float64 // factor of its name, which is included in score
	best   float64 // score of the best chunk
	chunks []chunkFound
	meta   *pageMeta // nil if nothing that was read contains it
}

type chunkFound struct {
	chunk int
	score float64
	head  bool       // it starts its page
	text  *[5]string // nil until its shard is read
}

// rank returns the best candidates among the pages.
func (x *reading) rank(units []*unit, q Query) (out []pageFound, err error) {
	same, err := x.same(units)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, u := range units {
		if u.optional || u.dropped {
			continue
		}
		if u.rarity == 0 {
			total += unknownRarity
		} else {
			total += u.rarity
		}
	}
	keep, allowed := q.Limit+spare, x.allowed(q)
	if len(x.phrases) > 0 {
		keep = q.Limit + spareQuoted
	}
	around := make([]float64, len(units))
	for page := range len(x.pages) - 1 {
		if !allowed[x.facet[page]] {
			continue
		}
		p := pageFound{page: page, name: 1, score: x.weighPage(page, units, around, total)}
		if p.score > 0 && x.mayName(page, units) {
			if p.meta = x.name(page); p.meta != nil {
				p.name = p.meta.factor(units, x.plain)
			} else if _, ok := slices.BinarySearch(same, page); ok {
				p.name = titleSame
			}
			p.score *= p.name
		}
		at, _ := slices.BinarySearchFunc(out, p, better)
		if p.score <= 0 || at >= keep {
			continue
		}
		out = slices.Insert(out, at, p)
		out = out[:min(len(out), keep)]
	}
	for i := range out {
		x.weighChunks(&out[i], units, around)
		if out[i].meta == nil {
			out[i].meta = x.name(out[i].page)
		}
	}
	return out, nil
}

// mayName reports whether the name of a page may contain every word that was looked up. That is the case if its first
// chunk has them all.
func (x *Index) mayName(page int, units []*unit) bool {
	for _, u := range units {
		if !u.optional && !u.dropped && u.weight[x.pages[page]] == 0 {
			return false
		}
	}
	return true
}

// allowed returns the facets that a query accepts.
func (x *Index) allowed(q Query) []bool {
	out := make([]bool, len(x.entry.Facets))
	for i, f := range x.entry.Facets {
		tag := q.Tag == "" || len(f.Tags) == 0 ||
			slices.ContainsFunc(f.Tags, func(t string) bool { return strings.EqualFold(t, q.Tag) })
		out[i] = tag && (q.Language == "" || f.Language == "" || f.Language == q.Language) &&
			(q.Version == "" || f.Version == "" || f.Version == q.Version)
	}
	return out
}

// What a page is about can be seen from its first chunk, which has the title and the description, and from the number
// of chunks with the words. Without these two factors, one chunk of a long reference page would outweigh the page about
// the subject.
const (
	headFull = 2400 // weight of a word in the first chunk at which it counts in full
	fewer    = 2    // added to a page's number of chunks, so that the smallest pages do not gain most
)

// weighPage scores a page by its best chunk and by how much the whole page is about the words of the query. A word
// counts in full in a chunk that has it. In the other chunks of the page, it counts for half if the page is about the
// word, otherwise for less. Words that the page lacks reduce the score by their share. around is scratch.
func (x *reading) weighPage(page int, units []*unit, around []float64, total int) float64 {
	s := x.around(page, units, around)
	if !s.found {
		return 0
	}
	best := 0.0
	for c := x.pages[page]; c < x.pages[page+1]; c++ {
		best = max(best, float64(weighChunk(c, units, around)*x.likely(c)))
	}
	score := best
	if total > 0 {
		score = score * float64(s.covered) / float64(total)
	}
	if chunks := x.pages[page+1] - x.pages[page]; s.rarity > 0 {
		score *= 1 + float64(s.chunks)/float64(s.rarity*(chunks+fewer))
		score *= 1 + float64(s.head)/float64(s.rarity*headFull)
	}
	if b, ok := x.boost[page]; ok {
		score = score * float64(b) / 100
	}
	return score
}

// spread describes how the words of a query are distributed over a page.
type spread struct {
	found   bool
	covered int // rarity of the words that it has
	rarity  int // of all words except for names of several parts
	chunks  int // number of chunks that have a word, times its rarity
	head    int // weight of the words in the first chunk, up to headFull, times their rarity
}

// around computes the weight of each word for chunks of a page that do not have it.
func (x *Index) around(page int, units []*unit, around []float64) (s spread) {
	from, to := x.pages[page], x.pages[page+1]
	for i, u := range units {
		most, n := int32(0), 0
		for _, w := range u.weight[from:to] {
			if most = max(most, w); w > 0 {
				n++
			}
		}
		around[i] = 0
		if most > 0 {
			s.found = true
			around[i] = max(float64(u.weight[from])*0.5, float64(most)*0.3)
		}
		if !u.optional && (most > 0 || u.cut) {
			s.covered += u.rarity
		}
		if len(u.ways) > 1 {
			continue // a name from code may be explained in just one line of a reference
		}
		s.rarity += u.rarity
		s.chunks += u.rarity * n
		s.head += u.rarity * int(min(u.weight[from], headFull))
	}
	return s
}

// weighChunk returns a chunk's score, or 0 if the chunk itself has none of the words.
func weighChunk(c int, units []*unit, around []float64) float64 {
	score, own := 0.0, false
	for i, u := range units {
		w := float64(u.weight[c])
		own = own || w > 0
		score += float64(max(w, around[i]) * float64(u.rarity))
	}
	if !own {
		return 0
	}
	return score
}

// weighChunks selects the best chunks of a page.
func (x *reading) weighChunks(p *pageFound, units []*unit, around []float64) {
	x.around(p.page, units, around)
	for c := x.pages[p.page]; c < x.pages[p.page+1]; c++ {
		if score := float64(weighChunk(c, units, around) * x.likely(c)); score > 0 {
			p.chunks = append(p.chunks, chunkFound{chunk: c, score: score, head: c == x.pages[p.page]})
		}
	}
	slices.SortStableFunc(p.chunks, func(a, b chunkFound) int { return cmp.Compare(b.score, a.score) })
	p.best = p.chunks[0].score
	for n, c := range p.chunks {
		if n == chunksLooked || c.score < p.best*0.6 {
			p.chunks = p.chunks[:n]
			return
		}
	}
}

// rescore updates the score of a page with the text that was read. Words of the query that are near each other raise
// it, and so does a heading that equals the query.
func (x *reading) rescore(p *pageFound, units []*unit) {
	rest := p.score / p.name / p.best
	for i := range p.chunks {
		c := &p.chunks[i]
		texts, near := c.texts(p.meta), 0.0
		for _, text := range texts {
			near = max(near, nearness(text, units))
		}
		if c.text == nil {
			near = max(near, likelyNearness(c.chunk, units))
		}
		c.score = float64(c.score*(1+near)) * x.confirmed(c.chunk, texts, c.text != nil)
	}
	slices.SortStableFunc(p.chunks, func(a, b chunkFound) int { return cmp.Compare(b.score, a.score) })
	p.best = p.chunks[0].score
	if p.meta != nil { // the mark may have been that of a different name
		p.name = p.meta.factor(units, x.plain)
	}
	if text := p.chunks[0].text; text != nil && text[1] != "" {
		p.name = max(p.name, nameFactor(text[1], units, 1.5, 1.2, 1.1))
	}
	p.score = float64(rest*p.best) * p.name
}

// texts returns the parts of a chunk that were read. They include the title if the chunk is not below a heading.
func (c *chunkFound) texts(meta *pageMeta) (out []string) {
	if untitled := c.text == nil && c.head || c.text != nil && c.text[1] == ""; untitled && meta != nil {
		out = append(out, meta.name, meta.sidebar)
	}
	if c.text != nil {
		out = append(append(out, c.text[1:4]...), strings.Split(c.text[4], "\n")...)
	}
	return out
}

// sequence returns the unit that each word of a text matches, or -1. In a name, common words are left out, just like in
// queries. longer reports whether a word of the text only begins with a word of the query.
func sequence(text string, units []*unit, isName bool) (out []int, longer bool) {
	var starts []int
	t := tokenizer{}
	t.emit = func(kind int, term []byte, start, _ int) {
		is := slices.IndexFunc(units, func(u *unit) bool { return !u.optional && u.forms[string(term)] })
		n := len(out)
		switch {
		case isName && is < 0 && kind == part && common(string(term)):
			return
		case kind == part:
		case kind == joined && is >= 0: // replaces its parts
			for n > 0 && starts[n-1] >= start {
				n--
			}
		default:
			return
		}
		out, starts = append(out[:n], is), append(starts[:n], start)
		longer = longer || is >= 0 && units[is].longer[string(term)]
	}
	t.run(text)
	return out, longer
}

// Factors of a title, and of a title in the navigation, that is exactly the query.
const (
	titleSame   = 6
	sidebarSame = 4
)

// factor returns the factor for the names of a page. A page whose title equals the query comes first, regardless of how
// many other pages are about the same subject.
func (m *pageMeta) factor(units []*unit, plain string) float64 {
	switch plain {
	case plainName(m.title):
		return titleSame
	case plainName(m.sidebar):
		return sidebarSame
	}
	out := nameFactor(m.name, units, 3, 1.45, 1.2)
	if m.title != m.name {
		out = max(out, nameFactor(m.title, units, 3, 1, 1))
	}
	if m.sidebar != "" {
		out = max(out, nameFactor(m.sidebar, units, 2, 1.3, 1.1))
	}
	return out
}

// nameFactor returns the factor for a title or heading: is if it equals the query, starts if it starts with the query,
// has if it contains all words of the query.
func nameFactor(name string, units []*unit, is, starts, has float64) float64 {
	words, longer := sequence(name, units, true)
	asked := 0
	have := make([]bool, len(units))
	for _, w := range words {
		if w >= 0 {
			have[w] = true
		}
	}
	inOrder := true
	for i, u := range units {
		if u.optional {
			continue
		}
		if !have[i] {
			return 1
		}
		inOrder = inOrder && asked < len(words) && words[asked] == i
		asked++
	}
	switch {
	case asked == 0:
		return 1
	case inOrder && len(words) == asked && !longer:
		return is
	case inOrder:
		return starts
	}
	return has
}
