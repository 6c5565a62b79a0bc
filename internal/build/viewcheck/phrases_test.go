package viewcheck

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestPhrasesMatchAcrossTagsAndLetterCase(t *testing.T) {
	p := newPhrases()
	for _, title := range []string{"Salary bands", "Größe der Öfen", "Secrets", "Plan 9", "Ok"} {
		p.addTitle(title)
	}
	for text, want := range map[string][]string{
		"":                    nil,
		"nothing here":        nil,
		"SALARY\n  bands.":    {"salary bands"},
		"salary":              {},
		"salary <b>bands</b>": {"salary bands"},
		"<p title='secrets'>größe DER &Ouml;fen": {"größe der öfen", "secrets"},
		"plan\xff9, plan 10, ok":                 {"plan 9"},
		"if (a<b) secrets":                       {"secrets"},
		"xsecrets secretsx":                      nil,
	} {
		if got := p.find([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// The words must be the same as those found with the standard library, which takes several times as long.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "A b", "<a <b> c", "İstanbul ẞ 9٣²", "a\xffb\xe2\x82", "<p>Größe</p> &lt;x",
		"<>", "a < b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, s := range []string{s, html.UnescapeString(s)} {
			want := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r)
			})
			if got := split(s); !slices.Equal(got, want) {
				t.Errorf("%q: words %q, want %q", s, got, want)
			}
			if got, want := withoutTags(s), tag.ReplaceAllString(s, " "); got != want {
				t.Errorf("%q: without tags %q, want %q", s, got, want)
			}
		}
	})
}
