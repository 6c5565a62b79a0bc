package searchindex_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

// If the error in a word comes after its first letters, the word is corrected from the shard that is read anyway. If
// the error is in its first letters, the list of words is needed.
func TestCorrectionReadsWordListOnlyIfNecessary(t *testing.T) {
	w := newWriter(3, 8000)
	var pages []searchindex.Page
	for i := range 300 {
		pages = append(pages, w.page(i))
	}
	word := longest(w.words[:200])
	pages[100].Title = word
	files := build(t, pages...)
	for text, list := range map[string]bool{word[:len(word)-2] + "q" + word[len(word)-1:]: false, "q" + word[1:]: true} {
		var read []string
		x, err := searchindex.Open(reader(files, &read))
		if err != nil {
			t.Fatal(err)
		}
		a, err := x.Find(t.Context(), searchindex.Query{Text: text})
		if err != nil || len(a.Hits) == 0 || a.Hits[0].Path != pages[100].Path {
			t.Errorf("%q: %+v, %v", text, a.Hits, err)
		}
		if has := slices.ContainsFunc(read, func(name string) bool { return strings.HasPrefix(name, "words.") }); has != list {
			t.Errorf("%q reads %v", text, read)
		}
	}
}
