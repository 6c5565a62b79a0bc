package didyoumean

import (
	"slices"
	"strings"
	"testing"
)

func TestMisspeltWordGetsASuggestion(t *testing.T) {
	known := []string{"title", "icon", "iconType", "horizontal", "href", "background"}
	for word, want := range map[string]string{
		"titel": "title", "TITLE": "title", "icontype": "iconType", "horisontal": "horizontal", "hrf": "href",
		"colour":                     "",
		strings.Repeat("title", 100): "", // a third of its length exceeds the length of any name
	} {
		if got := Word(word, slices.Values(known)); got != want {
			t.Errorf("%.20q: got %q, want %q", word, got, want)
		}
	}
}

func TestTiesAreBrokenAlphabetically(t *testing.T) {
	for _, known := range [][]string{{"cat", "bat", "rat"}, {"rat", "cat", "bat"}} {
		if got := Word("aat", slices.Values(known)); got != "bat" {
			t.Errorf("%v: got %q", known, got)
		}
	}
}

func TestDistanceCountsEditsUpToItsLimit(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 5, 0}, {"kitten", "sitting", 9, 3}, {"kitten", "sitting", 3, 3}, {"kitten", "sitting", 2, 2},
		{"", "abc", 9, 3}, {"abc", "", 9, 3},
		{"a", strings.Repeat("b", 300), 1000, 1000},
	} {
		if got := Distance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("%q %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
