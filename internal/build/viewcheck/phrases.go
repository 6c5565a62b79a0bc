package viewcheck

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrases holds titles and words to search for. Letter case and everything between words are ignored.
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

// addWords adds every long word of text separately.
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

// drop removes phrases that occur in text that readers may see.
func (p *phrases) drop(text []byte) {
	for _, found := range p.find(text) {
		words := strings.Split(found, " ")
		p.byFirst[words[0]] = slices.DeleteFunc(p.byFirst[words[0]], func(k []string) bool { return slices.Equal(k, words) })
		if len(p.byFirst[words[0]]) == 0 {
			delete(p.byFirst, words[0])
		}
	}
}

// find returns the phrases in text without duplicates. It searches the text as it is, with its tags and escapes, and
// also the words between the tags.
func (p *phrases) find(text []byte) (out []string) {
	seen := map[string]bool{}
	scan := func(s string) {
		var word, next []byte
		for at := 0; ; {
			if word, at = readWord(word, s, at); len(word) == 0 {
				return
			}
			for _, k := range p.byFirst[string(word)] {
				if !follow(k[1:], s, at, &next) {
					continue
				}
				if found := strings.Join(k, " "); !seen[found] {
					seen[found] = true
					out = append(out, found)
				}
			}
		}
	}
	whole := string(text)
	scan(whole)
	if plain := withoutTags(whole); len(plain) != len(whole) {
		scan(html.UnescapeString(plain))
	}
	slices.Sort(out)
	return out
}

// follow reports whether words come next in text after offset at. It uses the buffer.
func follow(words []string, text string, at int, buffer *[]byte) bool {
	for _, w := range words {
		if *buffer, at = readWord(*buffer, text, at); string(*buffer) != w {
			return false
		}
	}
	return true
}

// withoutTags replaces each tag with a space.
func withoutTags(text string) string {
	var out strings.Builder
	for {
		before, rest, opened := strings.Cut(text, "<")
		_, after, closed := strings.Cut(rest, ">")
		if !opened || !closed {
			break
		}
		out.WriteString(before)
		out.WriteByte(' ')
		text = after
	}
	out.WriteString(text)
	return out.String()
}

// split returns the words of text in lower case: runs of letters and digits.
func split(text string) (words []string) {
	var word []byte
	for at := 0; ; {
		if word, at = readWord(word, text, at); len(word) == 0 {
			return words
		}
		words = append(words, string(word))
	}
}

// readWord returns the next word of text in lower case, and the offset of its end. At the end of the text, it returns
// an empty word. It reads each word into the given buffer, because some of the scripts that are searched have several
// megabytes.
func readWord(buffer []byte, text string, at int) (word []byte, end int) {
	word = buffer[:0]
	for at < len(text) {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		r = unicode.ToLower(r)
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			word = append(word, byte(r))
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			word = utf8.AppendRune(word, r)
		case len(word) > 0:
			return word, at
		}
		at += size
	}
	return word, at
}
