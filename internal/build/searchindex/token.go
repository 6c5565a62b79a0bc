package searchindex

import (
	"bytes"
	"unicode/utf8"
)

// The grammar of words. web/theme/src/search/token.ts is the same in another language: change both.
//
//	group  = name { [./:@] name }          client.chat.create  /v1/users/{id}  3.11
//	name   = run { [_-] run }              create_user  self-hosted
//	run    = letters and digits; split where a capital follows a small letter or starts a word after capitals
//
// Parts are what a text is made of, one after the other. A name or group of several parts also has a joined form
// without what parts them, so that createUser, create_user and create-user are found as createuser too. Words that
// people also write as one have it as well: back up is backup.

// Limits of what is a word, in bytes after folding.
const (
	maxTerm    = 48 // longer runs are keys, digests and the like
	maxParts   = 6  // of the joined form of a name
	groupParts = 10 // of that of a group: addresses of APIs are long
)

// What a token is.
const (
	part    = iota // a word of the text; the next is its neighbour
	joined         // several parts without what parts them
	grouped        // several names, likewise
	pair           // extra pairs of characters of a Hangul word, and the last character of a dense run
)

// tokenizer takes text apart. Its buffers are used again; it belongs to one goroutine.
type tokenizer struct {
	emit  func(kind int, term []byte, start, end int) // term is valid during the call; places are bytes
	term  []byte
	name  []byte // the joined form of the name at hand
	group []byte
	chars []int  // starts of characters of a dense run in term, and its end
	from  []int  // their places in the text
	two   []byte // the plain word at hand and the one before it, with a space between
	last  span   // of the one before; zero = there is none
}

// span is a part of a text, in bytes.
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

// words reads a group of names.
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

// nextName returns where the next name of a group starts, when one ends at i; -1 when none does. Names may be in
// braces.
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

// oneName reads a name and leaves its joined form in t.name. It returns where it ends and how many parts it has.
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

// oneRun reads letters and digits and emits its parts.
func (t *tokenizer) oneRun(text string, start int) (i, parts int) {
	begin, last := start, rune(0)
	i = start
	// most words are only this
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

// splits reports whether a word starts at the capital at i: after a small letter or digit, or as the last of capitals
// before a small letter. A word has two letters at least, and a plural's s is none: URLs, OAuth and iPhone stay whole.
func splits(text string, i int, last rune) bool {
	small := func(j int) bool { return j < len(text) && text[j] >= 'a' && text[j] <= 'z' }
	if last >= 'a' && last <= 'z' || last >= '0' && last <= '9' {
		return i+1 < len(text) && (small(i+1) || text[i+1] >= 'A' && text[i+1] <= 'Z')
	}
	return last >= 'A' && last <= 'Z' && small(i+1) && (small(i+2) || text[i+1] != 's')
}

// part emits what is in t.term and adds it to the name.
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
