package searchindex

import (
	"bytes"
	"unicode/utf8"
)

// The grammar of words. web/theme/src/search/token.ts implements the same: change both.
//
//	group  = name { [./:@] name }          client.chat.create  /v1/users/{id}  3.11
//	name   = run { [_-] run }              create_user  self-hosted
//	run    = letters and digits; split where a capital follows a small letter or starts a word after capitals
//
// A text is a sequence of parts. A name or group of several parts also has a joined form without the separators, so
// that createUser, create_user and create-user are also found as createuser. Pairs of words that people also write as
// one word have a joined form as well: backup for back up.

// Limits of a word, in bytes after folding.
const (
	maxTerm    = 48 // longer runs are keys, digests and the like
	maxParts   = 6  // parts in the joined form of a name
	groupParts = 10 // parts in the joined form of a group; API addresses are long
)

// Kinds of tokens.
const (
	part    = iota // a word of the text; the next is its neighbour
	joined         // several parts without their separators
	grouped        // several names without their separators
	pair           // extra pairs of characters of a Hangul word, and the last character of a dense run
)

// tokenizer splits text into tokens. It reuses its buffers and belongs to one goroutine.
type tokenizer struct {
	emit  func(kind int, term []byte, start, end int) // term is valid during the call; start and end are byte offsets
	term  []byte
	name  []byte // the joined form of the current name
	group []byte
	chars []int  // starts of characters of a dense run in term, and its end
	from  []int  // their offsets in the text
	two   []byte // the preceding plain word and the current one, with a space between them
	last  span   // of the preceding plain word; zero if there is none
}

// span is a byte range of a text.
type span struct{ start, end int }

// run emits the tokens of text in order.
func (t *tokenizer) run(text string) {
	t.last = span{}
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch classOf(r) {
		case word:
			i = t.words(text, i)
		case dense:
			i = t.dense(text, i)
		case hangul:
			i = t.hangul(text, i)
		default:
			i += size
		}
	}
}

// words reads a group of names and returns its end.
func (t *tokenizer) words(text string, start int) int {
	i, names, parts := start, 0, 0
	t.group = t.group[:0]
	for {
		var n int
		i, n = t.oneName(text, i)
		names++
		parts += n
		t.group = append(t.group, t.name...)
		next := nextName(text, i)
		if next < 0 {
			break
		}
		i = next
	}
	if names > 1 && parts <= groupParts && len(t.group) <= maxTerm {
		t.emit(grouped, t.group, start, i)
	}
	if parts == 1 && start > 0 && t.last.end == start-1 && text[start-1] == ' ' && compound(t.two) {
		at := bytes.IndexByte(t.two, ' ')
		t.name = append(append(t.name[:0], t.two[:at]...), t.two[at+1:]...)
		t.emit(joined, t.name, t.last.start, i)
	}
	if t.last = (span{}); parts == 1 {
		t.last = span{start, i}
	}
	return i
}

// nextName returns the start of the group's next name, after a name that ends at i, or -1. Names may be in braces.
func nextName(text string, i int) int {
	if i < len(text) && text[i] == '}' {
		i++
	}
	if i >= len(text) || text[i] != '.' && text[i] != '/' && text[i] != ':' && text[i] != '@' {
		return -1
	}
	if i++; i < len(text) && text[i] == '{' {
		i++
	}
	if !wordAt(text, i) {
		return -1
	}
	return i
}

// wordAt reports whether a run of letters and digits starts at i.
func wordAt(text string, i int) bool {
	if i >= len(text) {
		return false
	}
	r := rune(text[i])
	if r >= utf8.RuneSelf {
		r, _ = utf8.DecodeRuneInString(text[i:])
	}
	return classOf(r) == word
}

// oneName reads a name and sets t.name to its joined form. It returns its end and the number of its parts.
func (t *tokenizer) oneName(text string, start int) (i, parts int) {
	i = start
	t.name = t.name[:0]
	for {
		var n int
		i, n = t.oneRun(text, i)
		parts += n
		if !(i+1 < len(text) && (text[i] == '_' || text[i] == '-') && wordAt(text, i+1)) {
			break
		}
		i++
	}
	if parts > 1 && parts <= maxParts && len(t.name) <= maxTerm {
		t.emit(joined, t.name, start, i)
	}
	return i, parts
}

// oneRun reads a run of letters and digits and emits its parts.
func (t *tokenizer) oneRun(text string, start int) (i, parts int) {
	begin, last := start, rune(0)
	i = start
	// most words consist only of these
	for i < len(text) && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= '0' && text[i] <= '9') {
		i++
	}
	if t.term = append(t.term[:0], text[start:i]...); i > start {
		last = rune(text[i-1])
	}
	for i < len(text) {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if classOf(r) != word {
			break
		}
		if r >= 'A' && r <= 'Z' && i-begin > 1 && splits(text, i, last) {
			parts += t.part(begin, i)
			begin = i
		}
		t.term = appendFolded(t.term, r)
		last = r
		i += size
	}
	if i == start+1 && (last|0x20 >= 'a' && last|0x20 <= 'z') { // C++, C#, F#
		switch {
		case i+1 < len(text) && text[i] == '+' && text[i+1] == '+':
			t.term = append(t.term, "++"...)
			i += 2
		case i < len(text) && text[i] == '#':
			t.term = append(t.term, '#')
			i++
		}
	}
	return i, parts + t.part(begin, i)
}

// splits reports whether a word starts at the capital at i: after a small letter or digit, or as the last of several
// capitals before a small letter. A word has at least two letters, and the s of a plural is not a word: URLs, OAuth
// and iPhone are not split.
func splits(text string, i int, last rune) bool {
	small := func(j int) bool { return j < len(text) && text[j] >= 'a' && text[j] <= 'z' }
	if last >= 'a' && last <= 'z' || last >= '0' && last <= '9' {
		return i+1 < len(text) && (small(i+1) || text[i+1] >= 'A' && text[i+1] <= 'Z')
	}
	return last >= 'A' && last <= 'Z' && small(i+1) && (small(i+2) || text[i+1] != 's')
}

// part emits t.term and adds it to the name.
func (t *tokenizer) part(start, end int) int {
	if len(t.name) <= maxTerm {
		t.name = append(t.name, t.term...)
	}
	t.two = append(t.two[:0], t.two[bytes.IndexByte(t.two, ' ')+1:]...)
	t.two = append(t.two, ' ')
	if len(t.term) > 0 && len(t.term) <= maxTerm {
		word := stem(t.term)
		t.two = append(t.two, word...)
		t.emit(part, word, start, end)
	}
	t.term = t.term[:0]
	return 1
}
