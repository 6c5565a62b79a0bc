package searchindex

import "slices"

// Word is a word of a text as the index has it: without case, accents and plural.
type Word struct {
	Term string
	// Parts are terms that together stand for the word too: those of a name such as self-hosted, of words that are also
	// written as one such as back up, pairs of characters of a Korean word. nil = there are none.
	Parts []string
}

// Words are the words of a text in order, for others who look for words in pages and must match them as the search does.
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

// Terms are all terms of a text: its words, their parts, and names as one.
func Terms(text string) map[string]bool {
	out := map[string]bool{}
	t := tokenizer{}
	t.emit = func(_ int, term []byte, _, _ int) { out[string(term)] = true }
	t.run(text)
	return out
}

// Family is a term and its other forms: deployed has deploy, and with it deploying. Some do not exist. It has more of them
// than a question looks up.
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

// Means are the terms that mean the same as one: those of every site and those of the site's authors.
func (x *Index) Means(term string) []string {
	x.once.Do(func() {
		groups := x.entry.Synonyms[:min(len(x.entry.Synonyms), groupsMax)]
		x.table = newSynonyms(slices.DeleteFunc(slices.Clone(groups), func(g []string) bool { return len(g) > groupMax }))
	})
	return x.table.means[term]
}

// What an entry may have at most, as the site file does: one that is forged must not keep the server busy.
const (
	groupsMax = 500
	groupMax  = 20 // words and phrases
)
