package searchindex_test

import (
	"context"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// Both engines find pages by built-in synonyms; pages that have the word itself come first.
func TestBuiltInSynonymsFindPages(t *testing.T) {
	files := build(t, append(words(), searchindex.Page{Path: "nav", Title: "Navigation"},
		searchindex.Page{Path: "delete", Title: "Delete a project"},
		searchindex.Page{Path: "remove", Title: "Remove a project"})...)
	x, b := open(t, files), newBrowser(t, files)
	for text, want := range map[string]string{"sso": "in", "sidebar": "nav", "sidebars": "nav", "remove": "remove",
		"delete": "delete", "delete project": "delete", "single sign-on": "in"} {
		q := searchindex.Query{Text: text}
		hits, err := x.Search(context.Background(), q)
		if err != nil || len(hits) == 0 || hits[0].Path != want {
			t.Errorf("%q: want %s, got %+v %v", text, want, hits, err)
		}
		compare(t, x, b, q)
	}
}

// An author's synonyms apply to words and phrases of every field.
func TestPreparerAppliesSynonyms(t *testing.T) {
	r := searchindex.Preparer{Synonyms: [][]string{{"seat", "licence key", "place at the table"}}}
	var pages []*searchindex.Prepared
	for _, p := range []searchindex.Page{
		{Path: "a", Title: "Seats"}, {Path: "b", Title: "Licence keys"}, {Path: "c", Title: "Keys of a licence"},
		{Path: "d", Title: "A place at the table", Sections: []pagetext.Section{{Text: "Nothing else."}}},
	} {
		pages = append(pages, r.Prepare(p))
	}
	files := buildFrom(t, searchindex.Ends, func(yield func(*searchindex.Prepared, string) bool) {
		for i, p := range pages {
			if !yield(p, string(rune('a'+i))) {
				return
			}
		}
	})
	x := open(t, files)
	for text, want := range map[string]string{"seat": "abd", "licence key": "bcad", "table": "dab"} {
		hits, err := x.Search(context.Background(), searchindex.Query{Text: text})
		got := ""
		for _, h := range hits {
			got += h.Path
		}
		if err != nil || got != want {
			t.Errorf("%q finds %s, want %s (%v)", text, got, want, err)
		}
	}
}
