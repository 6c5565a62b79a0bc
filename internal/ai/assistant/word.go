package assistant

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
)

// filler are words of a question that say nothing of what it is about.
var filler = wordSet(`a about also am an and any are as at be been before but by can could did do does doing explain find for from get give had has have help how i if in into
is it its just know like make many may me might more my need no not of on one or our out please should show so some tell than that the their them then there these they this to
up us use using want was way we were what when where which who why will with would you your yes hello hi thanks thank page here`)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// split is the words of a text in lower case. Scripts without spaces give pairs of characters.
func split(text string) (out []string) {
	var dense []rune
	flush := func() {
		for i := 0; i+1 < len(dense); i++ {
			out = append(out, string(dense[i:i+2]))
		}
		if len(dense) == 1 {
			out = append(out, string(dense))
		}
		dense = dense[:0]
	}
	for _, field := range strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
		rest := strings.Builder{}
		for _, r := range field {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				dense = append(dense, r)
				continue
			}
			flush()
			rest.WriteRune(r)
		}
		flush()
		if rest.Len() > 0 {
			out = append(out, rest.String())
		}
	}
	return out
}

// telling returns the significant words of a question, each once.
func telling(text string) (out []string) {
	seen := map[string]bool{}
	for _, w := range split(text) {
		if short := utf8.RuneCountInString(w) < 2; short && w[0] < 0x80 || filler[w] || seen[w] {
			continue
		}
		seen[w] = true
		out = append(out, w)
	}
	return out
}

// covered is the share of words that a text has, in some form.
func covered(words []string, text string) float64 {
	if len(words) == 0 {
		return 0
	}
	have := map[string]bool{}
	for _, w := range split(text) {
		have[w] = true
	}
	n := 0
	for _, w := range words {
		if has(have, w) {
			n++
		}
	}
	return float64(n) / float64(len(words))
}

func has(have map[string]bool, w string) bool {
	if have[w] {
		return true
	}
	for other := range have {
		if alike(w, other) {
			return true
		}
	}
	return false
}

// alike reports whether two words are forms of one word, or differ by a typo in a longer one.
func alike(a, b string) bool {
	if len(a) < 4 || len(b) < 4 {
		return false
	}
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	if same >= 4 && len(a)-same <= 3 && len(b)-same <= 3 {
		return true
	}
	return len(a) >= 6 && len(b) >= 6 && didyoumean.Distance(a, b, 2) < 2
}
