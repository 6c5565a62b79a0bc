package assistant

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
)

// filler are words that do not indicate what a question is about.
var filler = wordSet(`a about actually after again all also am an and another any anything are as at be because been before being but by can cannot could did do does doing
explain find for from get gets getting give go going good got had happen happens has have having help here hello hey hi how i if im in inside into is isn it its just know let like lot
make makes many may me mean meaning means might more most much must my need needed needs no not of ok on one only or other our out own page pages per piece please possible question really regarding say see
several should show so some someone something still such sure tell than thank thanks that the their them then there these they thing things this those to too up us use used uses using very
want wants was way ways we well were what whats when where whether which while who whom whose why will with within without work works would yes you your yours`)

// measures are words that, after "how", ask for a number.
var measures = wordSet("long often big large old fast small far high deep")

// wordSet returns words in the form of the search index.
func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		for _, word := range searchindex.Words(w) {
			out[word.Term] = true
		}
	}
	return out
}

// split returns the words of a text in the form of the search index.
func split(text string) (out []string) {
	for _, w := range searchindex.Words(text) {
		out = append(out, w.Term)
	}
	return out
}

// significant returns the words that indicate what a question is about, each once.
func significant(text string) (out []searchindex.Word) {
	seen := map[string]bool{}
	words := searchindex.Words(text)
	for i, w := range words {
		if short := utf8.RuneCountInString(w.Term) < 2; short && w.Term[0] < 0x80 && !unicode.IsDigit(rune(w.Term[0])) ||
			filler[w.Term] || seen[w.Term] || i > 0 && words[i-1].Term == "how" && measures[w.Term] {
			continue
		}
		seen[w.Term] = true
		out = append(out, w)
	}
	return out
}

// telling returns the terms of the significant words.
func telling(text string) (out []string) {
	for _, w := range significant(text) {
		out = append(out, w.Term)
	}
	return out
}

// term is a word of a question.
type term struct {
	searchindex.Word
	forms  map[string]float64 // terms in pages that match it, with the weight of each match
	weight float64            // higher for words that are rare on the site
}

// terms are the significant words of a question. The search decides which words of the site match them.
type terms []term

// Weights of matches.
const (
	sameStem  = 0.95
	corrected = 0.7 // the question's word is not on the site, and this one corrects a typing error in it or completes it
	synonym   = 0.6
	completed = 0.35 // the question's word is on the site and is the beginning of this one
)

// groups are words that have the same meaning in questions and pages, in addition to the search's synonyms. In the
// search they would match too much, but they help to choose the right block on a page that the search has found.
var groups = [][]string{
	{"disable", "deactivate", "off"}, {"enable", "activate", "on"}, {"create", "make", "add", "new"},
	{"configure", "set", "setup"}, {"change", "edit", "update", "modify"}, {"sign", "login"}, {"rename", "move"},
	{"show", "display"}, {"typo", "typos", "misspell", "slip"}, {"start", "run", "launch"}, {"stop", "shutdown", "end"},
	{"upgrade", "migrate"}, {"limit", "maximum", "most"}, {"error", "fail", "failure"}, {"require", "need", "must"},
	{"keep", "store", "retain"}, {"host", "serve", "deploy"}, {"verify", "check", "validate"}, {"restore", "recover"},
}

// alike maps each word to the other words of its groups.
var alike = func() map[string][]string {
	out := map[string][]string{}
	for _, group := range groups {
		for _, w := range group {
			for _, form := range searchindex.Family(split(w)[0]) {
				out[form] = append(out[form], group...)
			}
		}
	}
	return out
}()

const maxTerms = 12

// lookUp looks up the words of a text in the search index. asked is the question itself: words that it does not contain
// have less weight. Words in the site's name have none.
func (s *retrieval) lookUp(ctx context.Context, text, asked string) (terms, error) {
	own := searchindex.Terms(s.library.Name())
	var out terms
	mine, named := searchindex.Terms(asked), names(text)
	for _, w := range significant(text) {
		if own[w.Term] || len(out) == maxTerms {
			continue
		}
		found, err := s.library.Word(ctx, written(w), s.filter)
		if err != nil {
			return nil, err
		}
		t := term{Word: w, forms: map[string]float64{}, weight: unknownWeight}
		if found.Pages > 0 {
			t.weight = 1 / (1 + 0.35*math.Log(float64(found.Pages)))
		}
		if named[w.Term] {
			t.weight *= nameWorth
		}
		if !mine[w.Term] {
			t.weight *= earlierWorth
		}
		t.learn(found)
		out = append(out, t)
	}
	return out, nil
}

// nameWorth is the additional weight of names. A text about passwords does not answer a question about a certain
// product's passwords unless it mentions that product.
const nameWorth = 1.3

// names returns the words of a text that begin with a capital letter within a sentence.
func names(text string) map[string]bool {
	out := map[string]bool{}
	begins := true // at the start of a sentence
	for word := range strings.FieldsSeq(text) {
		if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, "\"'(“‘«")); !begins && unicode.IsUpper(first) {
			for _, w := range split(word) {
				out[w] = true
			}
		}
		begins = strings.ContainsAny(word[len(word)-1:], ".?!:")
	}
	return out
}

// written returns a word as written in the question: the parts of a compound name are hyphenated.
func written(w searchindex.Word) string {
	if strings.Join(w.Parts, "") == w.Term {
		return strings.Join(w.Parts, "-")
	}
	return w.Term
}

// earlierWorth is the weight of a word from an earlier question.
const earlierWorth = 0.6

// unknownWeight is the weight of a word that does not occur on the site.
const unknownWeight = 0.9

// learn adds the search's matches for a word.
func (t *term) learn(found sitereader.Word) {
	family := searchindex.Family(t.Term)
	for _, form := range family {
		t.forms[form] = sameStem
	}
	t.forms[t.Term] = 1
	known := false
	var all []string
	for _, form := range found.Forms {
		all = append(all, split(form)...)
	}
	for _, w := range all {
		known = known || slices.Contains(family, w)
	}
	for _, w := range all {
		if known {
			t.forms[w] = max(t.forms[w], completed)
		} else {
			t.forms[w] = max(t.forms[w], corrected)
		}
	}
	for _, other := range slices.Concat(found.Means, alike[t.Term]) {
		for _, form := range searchindex.Family(other) {
			t.forms[form] = max(t.forms[form], synonym)
		}
	}
}

// in returns the weight of the best match in a set of words.
func (t term) in(have map[string]bool) (best float64) {
	if have[t.Term] {
		return 1
	}
	for form, worth := range t.forms {
		if have[form] {
			best = max(best, worth)
		}
	}
	parts := 0
	for _, p := range t.Parts {
		if have[p] {
			parts++
		}
	}
	if parts > 0 {
		best = max(best, sameStem*float64(parts)/float64(len(t.Parts)))
	}
	return best
}

// share returns the share of the question that a set of words covers, 0 to 1.
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
