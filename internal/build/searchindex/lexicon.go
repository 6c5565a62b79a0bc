package searchindex

import "slices"

// Word is a word as the index stores it: without case, accents and plural.
type Word struct {
	Term string
	// Parts are terms that together are equivalent to the word: the parts of a name such as self-hosted, the words of a
	// pair such as back up that is also written as one word, or the pairs of characters of a Korean word. nil = none.
	Parts []string
}

// Words returns the words of text in order, for programs that must match words in pages in the same way as the search.
func Words(text string) (out []Word) {
	for _, u := range readUnits(text) {
		if u.optional {
			continue
		}
		w := Word{Term: u.ways[0][0]}
		if len(u.ways) > 1 {
			w.Parts = u.ways[1]
		}
		out = append(out, w)
	}
	return out
}

// Terms returns all terms of text: its words, their parts, and names as one term.
func Terms(text string) map[string]bool {
	out := map[string]bool{}
	t := tokenizer{}
	t.emit = func(_ int, term []byte, _, _ int) { out[string(term)] = true }
	t.run(text)
	return out
}

// Family returns a term, its other forms, and the forms of those forms: deployed leads to deploy, and deploy to
// deploying. Some forms are not real words. It returns more forms than a query looks up.
func Family(term string) []string {
	out := []string{term}
	for _, form := range append([]string{term}, inflections(term)...) {
		for _, other := range append([]string{form}, inflections(form)...) {
			if !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	return out
}

// Means returns the synonyms of a term: the built-in ones and those of the site's authors.
func (x *Index) Means(term string) []string {
	x.once.Do(func() {
		groups := x.entry.Synonyms[:min(len(x.entry.Synonyms), groupsMax)]
		x.table = newSynonyms(slices.DeleteFunc(slices.Clone(groups), func(g []string) bool { return len(g) > groupMax }))
	})
	return x.table.means[term]
}

// Limits for the synonyms in an entry, the same as in the site file. A forged entry must not keep the server busy.
const (
	groupsMax = 500
	groupMax  = 20 // words and phrases
)
