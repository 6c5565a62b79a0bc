package searchindex_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/web/theme"
)

func TestWordsMatchTheIndex(t *testing.T) {
	for text, want := range map[string][]searchindex.Word{
		"Größe of URLs": {{Term: "grosse"}, {Term: "of"}, {Term: "url"}},
		"back up a self-hosted": {{Term: "backup", Parts: []string{"back", "up"}}, {Term: "a"},
			{Term: "selfhosted", Parts: []string{"self", "hosted"}}},
		"docs.json": {{Term: "doc"}, {Term: "json"}},
		"設定":        {{Term: "設定"}},
	} {
		if got := searchindex.Words(text); !slices.EqualFunc(got, want, sameWord) {
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

func TestFamilyIncludesOtherForms(t *testing.T) {
	for a, b := range map[string]string{"deployed": "deploying", "verification": "verify", "kept": "keep", "keep": "kept",
		"install": "installation", "hidden": "hide"} {
		if got := searchindex.Family(a); got[0] != a || !slices.Contains(got, b) {
			t.Errorf("%s: %v lacks %s", a, got, b)
		}
	}
}

// An index returns its authors' synonyms. It ignores a group with too many of them, which only a forged index has.
func TestIndexReturnsAuthorsSynonyms(t *testing.T) {
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

// The browser's engine splits text in the same way.
func TestBrowserSplitsTextIdentically(t *testing.T) {
	code, err := jsbuild.Script{Source: theme.FS(), Entry: "src/search/asked.ts", Text: `
import { lexicon } from "./lexicon";
globalThis.ask = (text) => JSON.stringify({ words: lexicon.words(text), terms: [...lexicon.terms(text)], family: [...lexicon.family(text)] });
`}.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	script, err := jsrun.OpenScript(code, "ask")
	if err != nil {
		t.Fatal(err)
	}
	defer script.Close()
	for _, text := range []string{"Back up a self-hosted server: docs.json, createUser, /v1/users/{id}", "Größe der URLs",
		"한국어는 문서를 씁니다", "設定を変更", "verification", "deployed", "running", "payment", "paid", "typos", "log in"} {
		answer, err := script.Call(text)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Words         []searchindex.Word
			Terms, Family []string
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			t.Fatal(err)
		}
		if want := searchindex.Words(text); !slices.EqualFunc(got.Words, want, sameWord) {
			t.Errorf("%q: words %q, want %q", text, got.Words, want)
		}
		terms := searchindex.Terms(text)
		if n := len(got.Terms); n != len(terms) || slices.ContainsFunc(got.Terms, func(s string) bool { return !terms[s] }) {
			t.Errorf("%q: terms %q, want %v", text, got.Terms, terms)
		}
		if want := searchindex.Family(text); !slices.Equal(got.Family, want) {
			t.Errorf("%q: family %q, want %q", text, got.Family, want)
		}
	}
}

func sameWord(a, b searchindex.Word) bool { return a.Term == b.Term && slices.Equal(a.Parts, b.Parts) }
