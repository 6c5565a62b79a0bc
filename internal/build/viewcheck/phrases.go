package viewcheck

import (
	"html"
	"slices"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// phrases holds titles and words to search for in texts. Letter case and everything between words is ignored.
type phrases struct {
	byFirst map[string][][]string // first word → the words of each phrase
}

// shortest is the minimum length of a word in letters. Shorter words occur in code by chance.
const shortest = 5

func newPhrases() *phrases { return &phrases{byFirst: map[string][][]string{}} }

// addTitle adds a title, unless it is a single short word.
func (p *phrases) addTitle(title string) {
	if words := split(title); len(words) > 1 || len(words) == 1 && len(words[0]) >= shortest {
		p.add(words)
	}
}

// addWords adds every long word of a text separately.
func (p *phrases) addWords(text string) {
	for _, w := range split(text) {
		if len([]rune(w)) >= shortest && !strings.ContainsFunc(w, unicode.IsDigit) {
			p.add([]string{w})
		}
	}
}

func (p *phrases) add(words []string) {
	known := p.byFirst[words[0]]
	if !slices.ContainsFunc(known, func(k []string) bool { return slices.Equal(k, words) }) {
		p.byFirst[words[0]] = append(known, words)
	}
}

// count returns the number of titles with several words, and the number of words.
func (p *phrases) count() (titles, words int) {
	for _, list := range p.byFirst {
		for _, k := range list {
			if len(k) > 1 {
				titles++
			} else {
				words++
			}
		}
	}
	return titles, words
}

// drop removes phrases that occur in a text that readers may see.
func (p *phrases) drop(text []byte) {
	for _, found := range p.find(text) {
		words := strings.Split(found, " ")
		p.byFirst[words[0]] = slices.DeleteFunc(p.byFirst[words[0]], func(k []string) bool { return slices.Equal(k, words) })
		if len(p.byFirst[words[0]]) == 0 {
			delete(p.byFirst, words[0])
		}
	}
}

var tag = lazyregexp.New(`<[^>]*>`)

// find returns the phrases in a text without duplicates: it searches the text itself, with its tags and escapes,
// and the words between tags.
func (p *phrases) find(text []byte) (out []string) {
	seen := map[string]bool{}
	scan := func(s string) {
		words := split(s)
		for i, w := range words {
			for _, k := range p.byFirst[w] {
				if found := strings.Join(k, " "); !seen[found] && len(words)-i >= len(k) && slices.Equal(words[i:i+len(k)], k) {
					seen[found] = true
					out = append(out, found)
				}
			}
		}
	}
	scan(string(text))
	if plain := tag.ReplaceAllString(string(text), " "); len(plain) != len(text) {
		scan(html.UnescapeString(plain))
	}
	slices.Sort(out)
	return out
}

// split returns the words of a text in lower case: runs of letters and digits.
func split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
