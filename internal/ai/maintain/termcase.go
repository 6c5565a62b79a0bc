package maintain

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// term finds a term in texts and stores the replacement for each of its forms.
type term struct {
	from, to string
	pattern  *regexp.Regexp // ignores letter case; allows any white space between words
	within   []int          // offsets of the old term in the new one, in bytes
}

func newTerm(from, to string) term {
	words := strings.Fields(from)
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	t := term{from: from, to: to,
		pattern: regexp.MustCompile(`(?i)` + strings.Join(words, `(?:[ \t]+|[ \t]*\r?\n[ \t]*)`))}
	for _, m := range t.pattern.FindAllStringIndex(to, -1) {
		t.within = append(t.within, m[0])
	}
	return t
}

// maybe quickly rules out texts that do not contain the term.
func (t term) maybe(text string) bool { return t.pattern.MatchString(text) }

// around is the context of a text: what precedes and what follows it.
type around struct{ before, after string }

// edits returns an edit for each occurrence of the term as a whole word. An edit without text stands for an occurrence
// that may be a proper name: it is reported and left unchanged.
func (t term) edits(text string, n around) (out []write.Edit) {
	for _, m := range t.pattern.FindAllStringIndex(text, -1) {
		before, after := text[max(0, m[0]-4):m[0]], text[m[1]:min(len(text), m[1]+4)]
		if m[0] < 4 {
			before = n.before + before
		}
		if m[1]+4 > len(text) {
			after += n.after
		}
		if wordEnds(before) || wordBegins(after) || t.already(text, m[0]) {
			continue
		}
		was := text[m[0]:m[1]]
		now := t.form(was)
		if t.joined(was, before, after) {
			now = ""
		}
		out = append(out, write.Edit{Span: ast.Span{Start: m[0], End: m[1]}, Text: now})
	}
	return out
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_'
}

func wordEnds(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before != "" && wordRune(r)
}

func wordBegins(after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return after != "" && r != utf8.RuneError && wordRune(r)
}

// already reports whether text contains the new term at this offset. This matters when the new term contains the
// old one.
func (t term) already(text string, at int) bool {
	for _, i := range t.within {
		if start := at - i; start >= 0 && start+len(t.to) <= len(text) &&
			strings.EqualFold(text[start:start+len(t.to)], t.to) {
			return true
		}
	}
	return false
}

// joined reports whether the term is part of something other than prose: an address, a path, a name in code. Next
// to a hyphen it counts as a word if it is written exactly like the term.
func (t term) joined(was, before, after string) bool {
	glued := func(mark byte, next bool) bool {
		return next && strings.IndexByte(`./\@:=$%&#~`, mark) >= 0
	}
	if n := len(before); n > 0 && (strings.IndexByte(`/\@$#~`, before[n-1]) >= 0 ||
		n > 1 && glued(before[n-1], wordRune(lastRune(before[:n-1])))) {
		return true
	}
	if len(after) > 0 && (strings.IndexByte(`/\@`, after[0]) >= 0 && len(after) > 1 && after[1] > ' ' ||
		glued(after[0], wordBegins(after[1:])) || strings.HasPrefix(after, "()")) {
		return true
	}
	hyphen := len(before) > 1 && before[len(before)-1] == '-' && wordRune(lastRune(before[:len(before)-1])) ||
		len(after) > 1 && after[0] == '-' && wordBegins(after[1:])
	return hyphen && was != t.from && was == strings.ToLower(was)
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// form gives the new term the letter case of the old text: as in the task, lower case, upper case, or with capital
// letters.
func (t term) form(was string) string {
	spaces := strings.Join(strings.Fields(was), " ")
	to := t.to
	switch {
	case spaces == t.from:
	case spaces == strings.ToLower(spaces):
		to = strings.ToLower(to)
	case spaces == strings.ToUpper(spaces) && utf8.RuneCountInString(spaces) > 1:
		to = strings.ToUpper(to)
	case t.from == strings.ToLower(t.from) && spaces == capitals(t.from):
		to = capitals(to)
	case spaces == capital(strings.ToLower(t.from)):
		to = capital(strings.ToLower(to))
		if t.to != strings.ToLower(t.to) { // a name with fixed capital letters
			to = capital(t.to)
		}
	}
	return sameSpaces(was, to)
}

// capital capitalizes the first letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// capitals capitalizes the first letter of each word.
func capitals(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		words[i] = capital(w)
	}
	return strings.Join(words, " ")
}

// sameSpaces keeps a line break within the old term if the new term has as many words.
func sameSpaces(was, now string) string {
	old, words := strings.Fields(was), strings.Fields(now)
	if len(old) != len(words) || len(old) < 2 || !strings.ContainsAny(was, "\n\t") {
		return now
	}
	var b strings.Builder
	at := 0
	for i, w := range old {
		k := strings.Index(was[at:], w)
		b.WriteString(was[at:at+k] + words[i])
		at += k + len(w)
	}
	return b.String()
}
