package i18n

import (
	"strings"
	"testing"
)

func TestSourceLinkTextsExistInEveryLanguage(t *testing.T) {
	for code := range all {
		s, ok := sources[code]
		if !ok {
			t.Errorf("%s has no texts for the source of a page", code)
		}
		for _, word := range []string{s.Edit, s.Issue, s.PDF} {
			if word == "" || strings.TrimSpace(word) != word {
				t.Errorf("%s: %q", code, word)
			}
		}
		if code != "en" && (s.Edit == sources["en"].Edit || s.Issue == sources["en"].Issue ||
			s.PDF == sources["en"].PDF) {
			t.Errorf("%s is English: %+v", code, s)
		}
	}
	if SourceOf("de-CH").Edit != "Änderungen vorschlagen" || SourceOf("tlh") != sources["en"] {
		t.Error("languages are not found")
	}
}
