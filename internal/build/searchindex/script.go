package searchindex

import "unicode/utf8"

// dense reads a run of a script without spaces. Its terms are pairs of neighbouring characters, and the last character
// alone, so that a single character finds every run that contains it.
func (t *tokenizer) dense(text string, start int) int {
	i := t.characters(text, start, dense)
	n := len(t.from) - 1
	if n == 1 {
		t.emit(part, t.term, start, i)
		return i
	}
	for c := 0; c+1 < n; c++ {
		t.emit(part, t.term[t.chars[c]:t.chars[c+2]], t.from[c], t.from[c+2])
	}
	t.emit(pair, t.term[t.chars[n-1]:], t.from[n-1], i)
	return i
}

// hangul reads a Korean word. Its terms are the word and, because endings are attached to it, pairs of neighbouring
// characters.
func (t *tokenizer) hangul(text string, start int) int {
	i := t.characters(text, start, hangul)
	n := len(t.from) - 1
	if len(t.term) <= maxTerm {
		t.emit(part, t.term, start, i)
	}
	for c := 0; c+1 < n && n > 2; c++ {
		t.emit(pair, t.term[t.chars[c]:t.chars[c+2]], t.from[c], t.from[c+2])
	}
	return i
}

// characters reads a run of characters of one class. It stores the folded characters and their positions. It truncates
// runs that are longer than any word.
func (t *tokenizer) characters(text string, start, class int) int {
	const longest = 200
	t.term, t.chars, t.from = t.term[:0], t.chars[:0], t.from[:0]
	i := start
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if classOf(r) != class {
			break
		}
		if len(t.from) == 0 || !clings(r) {
			if len(t.from) == longest {
				break
			}
			t.chars, t.from = append(t.chars, len(t.term)), append(t.from, i)
		}
		if up := voiced(r); up == 0 || !t.raise(up) {
			t.term = appendFolded(t.term, r)
		}
		i += size
	}
	t.chars, t.from = append(t.chars, len(t.term)), append(t.from, i)
	return i
}

// voiced recognizes separate marks that change the preceding Kana letter. It returns the number by which the letter's
// code point increases.
func voiced(r rune) rune {
	switch r {
	case 0xFF9E, 0x3099:
		return 1
	case 0xFF9F, 0x309A:
		return 2
	}
	return 0
}

// raise applies a mark to the Kana letter that was added last.
func (t *tokenizer) raise(up rune) bool {
	last, size := utf8.DecodeLastRune(t.term)
	if last < 0x304B || last > 0x30DB {
		return false
	}
	t.term = utf8.AppendRune(t.term[:len(t.term)-size], last+up)
	return true
}

// stem removes the plural ending of an English word. Words in queries are treated in the same way, so its mistakes do
// no harm.
func stem(term []byte) []byte {
	n := len(term)
	if n < 4 || term[n-1] != 's' {
		return term
	}
	for _, c := range term {
		if c < 'a' || c > 'z' {
			return term
		}
	}
	switch term[n-2] {
	case 's':
		return term
	case 'u', 'i', 'a':
		if n > 4 {
			return term
		}
	case 'e':
		if n > 4 && term[n-3] == 'i' {
			return append(term[:n-3], 'y')
		}
		if n > 4 && (term[n-3] == 'x' || n > 5 &&
			(string(term[n-4:n-2]) == "ss" || string(term[n-4:n-2]) == "ch" || string(term[n-4:n-2]) == "sh")) {
			return term[:n-2]
		}
	}
	return term[:n-1]
}

// common reports whether a word has no meaning of its own. Such words are indexed only in titles and headings, and are
// ignored in queries that contain other words.
func common(term string) bool {
	switch term {
	case "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "doe", "for", "from", "has", "have", "how", "i",
		"if", "in", "into", "is", "it", "my", "of", "on",
		"or", "s", "should", "t", "that", "the", "then", "there", "thi", "to", "was", "we", "what", "when", "where",
		"which", "will", "with", "you", "your":
		return true
	}
	return false
}

// weak reports whether a word of a query says little about the query's subject, even if pages contain it. If the query
// also has more significant words, a weak word counts for half and is looked up last.
func weak(term string) bool {
	switch term {
	case "but", "could", "did", "get", "give", "go", "got", "let", "lot", "make", "many", "me", "might", "much", "must",
		"need", "people", "please", "put", "so", "somebody", "someone", "something", "such", "their", "them", "they",
		"thing", "those", "too", "us", "use", "used", "using", "very", "want", "way", "were", "while", "who", "why", "would":
		return true
	}
	return false
}
