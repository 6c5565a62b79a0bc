package translation

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

// GlossaryFile is the path of the glossary in a docs folder. It is not published.
const GlossaryFile = "translation-glossary.json"

// keep is the value of a term that stays the same in every language.
const keep = "keep"

const (
	maxGlossary = 1 << 20 // bytes
	maxTerms    = 5000
)

// Term is an entry of a glossary.
type Term struct {
	Text string
	Keep bool                // the term stays the same in every language, with exactly this spelling
	In   map[string][]string // by language in lower case: the permitted translations, one of which must be used
}

// Translations returns the permitted translations of the term in a language, or nil if the glossary contains none.
func (t Term) Translations(language string) []string {
	if t.Keep {
		return []string{t.Text}
	}
	return t.In[strings.ToLower(language)]
}

// loadGlossary reads the glossary of a folder. It reports invalid entries and skips them.
func loadGlossary(src fs.FS) (terms []Term, list diag.List) {
	raw, err := safefile.Read(src, GlossaryFile, maxGlossary)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || len(raw) > maxGlossary {
		list.Warnf(diag.Pos{File: GlossaryFile}, "translation-glossary",
			"The glossary cannot be read, or is larger than %d MB.", maxGlossary>>20)
		return nil, list
	}
	doc, err := jsontree.Parse(GlossaryFile, string(raw), jsontree.Limits{Bytes: maxGlossary, Depth: 4, Values: 20 * maxTerms})
	if bad := (*jsontree.SyntaxError)(nil); errors.As(err, &bad) {
		list.Warnf(bad.Pos, "translation-glossary", "The glossary cannot be parsed. %s", bad.Message)
		return nil, list
	}
	if !doc.Root.Is(jsontree.Object) || len(doc.Root.Members) > maxTerms {
		list.Warnf(doc.Root.Pos(), "translation-glossary", "The glossary must be an object with at most %d terms.", maxTerms)
		return nil, list
	}
	for _, m := range doc.Root.Members {
		if term, ok := parseTerm(m); ok {
			terms = append(terms, term)
			continue
		}
		list.Warnf(m.Value.Pos(), "translation-glossary", "The term %q has no usable value.", m.Key)
		list.Hint(`Write "keep", or an object that maps languages to translations: { "fr": "espace de travail" }.`)
	}
	return terms, list
}

func parseTerm(m jsontree.Member) (Term, bool) {
	t := Term{Text: strings.Join(strings.Fields(m.Key), " "), In: map[string][]string{}}
	if t.Text == "" {
		return t, false
	}
	if m.Value.Is(jsontree.String) {
		t.Keep = m.Value.Str == keep
		return t, t.Keep
	}
	if !m.Value.Is(jsontree.Object) {
		return t, false
	}
	for _, l := range m.Value.Members {
		words := slices.DeleteFunc(l.Value.Texts(), func(s string) bool { return strings.TrimSpace(s) == "" })
		if len(words) == 0 {
			return t, false
		}
		t.In[strings.ToLower(l.Key)] = words
	}
	return t, true
}

// usedIn reports whether a text in the default language contains the term as a separate word, or its plural with s.
// Letter case matters only for terms that stay the same in every language.
func (t Term) usedIn(text string) bool {
	term := t.Text
	if !t.Keep {
		text, term = strings.ToLower(text), strings.ToLower(term)
	}
	for at := 0; ; {
		i := strings.Index(text[at:], term)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(term)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		first, size := utf8.DecodeRuneInString(term)
		last, _ := utf8.DecodeLastRuneInString(term)
		after, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text[end:], "s"))
		if !(spaced(before) && spaced(first)) && !(spaced(last) && spaced(after)) {
			return true
		}
		at = start + size
	}
}

// spaced reports whether a character is part of a word in a script that separates words with spaces.
func spaced(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && r < 0x2E80
}

// translatedIn reports whether a text contains one of the translations. Any ending may follow.
func translatedIn(text string, translations []string, exact bool) bool {
	return slices.ContainsFunc(translations, func(s string) bool {
		if exact {
			return strings.Contains(text, s)
		}
		return strings.Contains(strings.ToLower(text), strings.ToLower(s))
	})
}
