package assistant

import (
	"context"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// filler are words of a question that say nothing of what it is about.
var filler = wordSet(`a about actually after again all also am an and another any anything are as at be because been before being but by can cannot could did do does doing
explain find for from get gets getting give go going good got had happen happens has have having help here hello hey hi how i if im in inside into is isn it its just know let like lot
make makes many may me mean meaning means might more most much must my need needed needs no not of ok on one only or other our out own page pages per piece please possible question really regarding say see
several should show so some someone something still such sure tell than thank thanks that the their them then there these they thing things this those to too up us use used uses using very
want wants was way ways we well were what whats when where whether which while who whom whose why will with within without work works would yes you your yours`)

// measures are words that ask for a number after "how".
var measures = wordSet("long often big large old fast small far high deep")

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// split returns the words of a text in lower case. Scripts without spaces give pairs of characters.
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
	words := split(text)
	for i, w := range words {
		if short := utf8.RuneCountInString(w) < 2; short && w[0] < 0x80 && !unicode.IsDigit(rune(w[0])) || filler[w] ||
			seen[w] || i > 0 && words[i-1] == "how" && measures[w] {
			continue
		}
		seen[w] = true
		out = append(out, w)
	}
	return out
}

// term is a word of a question.
type term struct {
	text   string
	forms  map[string]float64 // words of pages that count as it, and for how much
	weight float64            // the rarer on the site, the more
}

// terms are the words that a question is about. Which words of the site count as them is the search's decision.
type terms []term

// What a word of a page counts for.
const (
	sameStem  = 0.95
	corrected = 0.7 // the question's word is not on the site: a slip of this one, or its beginning
	synonym   = 0.6
	completed = 0.35 // the question's word is on the site, and begins this one
)

// groups are words that questions and pages use for the same, beside the synonyms of the search: these would find too
// much there, but help to choose a block of a page that was found.
var groups = [][]string{
	{"disable", "deactivate", "off"}, {"enable", "activate", "on"}, {"delete", "remove", "drop"},
	{"create", "make", "add", "new"}, {"configure", "set", "setting", "settings", "configuration", "setup"},
	{"change", "edit", "update", "modify"}, {"directory", "folder"}, {"login", "signin", "sign"}, {"rename", "move"},
	{"show", "display"}, {"typo", "typos", "misspell", "misspelled", "slip"}, {"start", "run", "launch"},
	{"stop", "shutdown", "end"}, {"upgrade", "migrate"}, {"limit", "maximum", "most"}, {"image", "picture"},
	{"error", "fail", "failure"}, {"hide", "hidden"}, {"require", "need", "must"}, {"keep", "store", "retain"},
	{"host", "serve", "deploy"}, {"docs", "documentation"}, {"verify", "check", "validate"}, {"restore", "recover"},
}

// alike has the other words of a word's groups, by its stem.
var alike = func() map[string][]string {
	out := map[string][]string{}
	for _, group := range groups {
		for _, w := range group {
			out[stem(w)] = append(out[stem(w)], group...)
		}
	}
	return out
}()

const maxTerms = 12

// lookUp asks the search about the words of a text. Words that are not the reader's last count for less, and words of
// the site's own name for nothing. asked is the question itself.
func (s *retrieval) lookUp(ctx context.Context, text, asked string) (terms, error) {
	own := wordSet(strings.ToLower(s.library.Name()))
	var out terms
	mine := wordSet(strings.Join(telling(asked), " "))
	for _, w := range telling(text) {
		if own[w] || len(out) == maxTerms {
			continue
		}
		found, err := s.library.Word(ctx, w, s.filter)
		if err != nil {
			return nil, err
		}
		t := term{text: w, forms: map[string]float64{w: 1}, weight: unknownWeight}
		if found.Pages > 0 {
			t.weight = 1 / (1 + 0.35*math.Log(float64(found.Pages)))
		}
		if !mine[w] {
			t.weight *= earlierWorth
		}
		t.learn(found.Forms)
		for _, other := range alike[stem(w)] {
			t.forms[other] = max(t.forms[other], synonym)
		}
		out = append(out, t)
	}
	return out, nil
}

// earlierWorth is what a word of an earlier question counts for.
const earlierWorth = 0.6

// unknownWeight is that of a word that the site does not have.
const unknownWeight = 0.9

// learn takes the forms that the search has found.
func (t *term) learn(forms []string) {
	known := false
	var all []string
	for _, form := range forms {
		all = append(all, split(form)...)
	}
	for _, w := range all {
		known = known || w == t.text || stem(w) == stem(t.text)
	}
	for _, w := range all {
		worth := corrected
		switch {
		case stem(w) == stem(t.text):
			worth = sameStem
		case known:
			worth = completed
		}
		t.forms[w] = max(t.forms[w], worth)
	}
}

// in returns what the best word of a text counts for.
func (t term) in(have map[string]bool) (best float64) {
	if have[t.text] {
		return 1
	}
	for form, worth := range t.forms {
		if have[form] {
			best = max(best, worth)
		}
	}
	if best < sameStem && have[stem(t.text)+"~"] {
		best = sameStem
	}
	return best
}

// wordsOf returns the words of a text, and their stems with a mark.
func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range split(text) {
		out[w] = true
		out[stem(w)+"~"] = true
	}
	return out
}

// share returns how much of the question a text has, 0 to 1.
func (ts terms) share(have map[string]bool) float64 {
	sum, all := 0.0, 0.0
	for _, t := range ts {
		sum += t.weight * t.in(have)
		all += t.weight
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// endings are those that English forms of a word differ by, longest first.
var endings = []string{"ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ies", "ers", "ed", "es", "er", "or", "s", "e", "y"}

// irregular are forms that have no ending of their own.
var irregular = map[string]string{"kept": "keep", "lost": "lose", "sent": "send", "built": "build", "wrote": "write",
	"written": "write", "ran": "run", "chose": "choose", "chosen": "choose", "hidden": "hide", "shown": "show",
	"held": "hold", "taken": "take", "broken": "break"}

// stem returns a word without its ending, for words that are long enough.
func stem(w string) string {
	if base := irregular[w]; base != "" {
		w = base
	}
	for _, end := range endings {
		if rest, ok := strings.CutSuffix(w, end); ok && (len(rest) >= 4 || len(end) <= 2 && len(rest) >= 3) {
			return rest
		}
	}
	return w
}
