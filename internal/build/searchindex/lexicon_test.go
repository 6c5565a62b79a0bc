package searchindex_test

import (
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

func TestWordsAreThoseOfTheIndex(t *testing.T) {
	for text, want := range map[string][]searchindex.Word{
		"Größe of URLs": {{Term: "grosse"}, {Term: "of"}, {Term: "url"}},
		"back up a self-hosted": {{Term: "backup", Parts: []string{"back", "up"}}, {Term: "a"},
			{Term: "selfhosted", Parts: []string{"self", "hosted"}}},
		"docs.json": {{Term: "doc"}, {Term: "json"}},
		"設定":        {{Term: "設定"}},
	} {
		if got := searchindex.Words(text); !slices.EqualFunc(got, want, func(a, b searchindex.Word) bool {
			return a.Term == b.Term && slices.Equal(a.Parts, b.Parts)
		}) {
			t.Errorf("%q: %q", text, got)
		}
	}
	terms := searchindex.Terms("Back up createUser")
	for _, want := range []string{"backup", "back", "up", "createuser", "create", "user"} {
		if !terms[want] {
			t.Errorf("%v lacks %q", terms, want)
		}
	}
}

func TestFamilyHasOtherFormsOfAWord(t *testing.T) {
	for a, b := range map[string]string{"deployed": "deploying", "verification": "verify", "kept": "keep", "keep": "kept",
		"install": "installation", "hidden": "hide"} {
		if got := searchindex.Family(a); got[0] != a || !slices.Contains(got, b) {
			t.Errorf("%s: %v lacks %s", a, got, b)
		}
	}
}

// An index keeps the authors' synonyms; one that has too many in a group, or was forged, has those of every site.
func TestIndexKnowsWhatMeansTheSame(t *testing.T) {
	long := slices.Repeat([]string{"lamp", "lantern"}, 200)
	files := map[string][]byte{}
	b := searchindex.NewBuilder(func(f searchindex.File) error { files[f.Name] = f.Data; return nil },
		searchindex.Options{Scratch: t.TempDir(), Synonyms: [][]string{{"Seats", "licence key"}, long}})
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	x := open(t, files)
	for term, want := range map[string][]string{"seat": {"licence", "key"}, "remove": {"delete", "deletion", "removal"},
		"lamp": nil} {
		if got := x.Means(term); !slices.Equal(got, want) {
			t.Errorf("%s: %v", term, got)
		}
	}
}
