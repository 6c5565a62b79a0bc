package build_test

import (
	"os"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchquality"
)

// Minimum scores of the search in our own docs, in percent. They are some points below the current scores, because a
// new page may displace another. Raise them when the ranking improves.
const (
	titleFloor       = 99
	sidebarFloor     = 60 // of three titles
	descriptionFloor = 96
	tuningFirst      = 90
	tuningThree      = 95
	apartFirst       = 76
	apartThree       = 93
)

// Pages of our docs are found by their own names and by questions about them, including questions that were not used
// to tune the ranking.
func TestSearchFindsPagesOfOurDocs(t *testing.T) {
	s, err := searchquality.Open(t.Context(), os.DirFS("../../docs"))
	if err != nil {
		t.Fatal(err)
	}
	var r searchquality.Result
	if r.Known, err = s.KnownItems(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	questions, err := searchquality.ParseQuestions(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if r.Tuning, r.Apart, err = s.Judge(t.Context(), questions); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s\n%s", searchquality.Header, r.Line("docs"))
	for _, m := range append(r.Known.Misses, r.Tuning.Misses...) {
		t.Logf("%s: want %s at %d, first is %s", m.Text, m.Want, m.Rank, m.First)
	}
	for _, c := range []struct {
		name  string
		got   searchquality.Share
		floor float64
		least int // minimum number of questions for a meaningful share
	}{
		{"by title first", r.Title, titleFloor, 150},
		{"by sidebar title first", r.Sidebar, sidebarFloor, 2},
		{"by description among three", r.Description, descriptionFloor, 50},
		{"judged, tuned with, first", r.Tuning.First, tuningFirst, 30},
		{"judged, tuned with, among three", r.Tuning.Three, tuningThree, 30},
		{"judged, kept apart, first", r.Apart.First, apartFirst, 30},
		{"judged, kept apart, among three", r.Apart.Three, apartThree, 30},
	} {
		if c.got.All < c.least || c.got.Percent() < c.floor {
			t.Errorf("%s: %d of %d, want %g%% of at least %d", c.name, c.got.Good, c.got.All, c.floor, c.least)
		}
	}
}
