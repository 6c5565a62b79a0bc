package searchquality_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/build/searchquality"
)

func page(front string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("---\n" + front + "\n---\n\nText of the page.\n")}
}

func open(t *testing.T) *searchquality.Site {
	t.Helper()
	s, err := searchquality.Open(t.Context(), fstest.MapFS{
		"docs.json": {Data: []byte(`{"name":"S","theme":"mint","colors":{"primary":"#123456"},"navigation":{"languages":[
			{"language":"en","pages":["start","lamp","lamp-two","secret"]},
			{"language":"fr","pages":["fr/start"]}]}}`)},
		"start.mdx": page("title: Begin here\nsidebarTitle: Start\n" +
			"description: How to buy a lantern, light it and carry it"),
		"lamp.mdx":     page("title: Lamp"),
		"lamp-two.mdx": page("title: lamp"),
		"secret.mdx":   page("title: Secret\nsearchable: false"),
		"fr/start.mdx": page("title: Commencer"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Known items are the pages in the default language that search may find. Pages with the same title count as one.
func TestKnownItemsAreFindablePages(t *testing.T) {
	k, err := open(t).KnownItems(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := searchquality.Share{Good: 2, All: 2}
	one := searchquality.Share{Good: 1, All: 1}
	if k.Pages != 3 || k.Title != all || k.Sidebar != one || k.Description != one || len(k.Misses) > 0 {
		t.Errorf("got %+v", k)
	}
}

func TestJudgeCountsQuestionsByHalf(t *testing.T) {
	var list []searchquality.Question
	for _, text := range strings.Fields("lamp lantern nothing begin start buy light carry") {
		list = append(list, searchquality.Question{Text: text, Pages: []string{"start"}})
	}
	tuning, apart, err := open(t).Judge(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	first := tuning.First.Good + apart.First.Good
	if n := tuning.First.All + apart.First.All; n != 8 || first != 6 || tuning.First.All == 0 || apart.First.All == 0 {
		t.Errorf("%d questions, %d answered first: %+v, %+v", n, first, tuning, apart)
	}
	if n := len(tuning.Misses) + len(apart.Misses); n != 2 {
		t.Errorf("%d misses, want 2", n)
	}
	for i := range list {
		list[i].Tuning = true
	}
	if tuning, apart, err = open(t).Judge(t.Context(), list); err != nil || tuning.First.All != 8 || apart.First.All != 0 {
		t.Errorf("%d for tuning, %d kept apart, %v", tuning.First.All, apart.First.All, err)
	}
}

func TestJudgeRefusesPagesThatSearchCannotFind(t *testing.T) {
	for _, p := range []string{"none", "secret", "fr/start"} {
		_, _, err := open(t).Judge(t.Context(), []searchquality.Question{{Text: "lamp", Pages: []string{p}}})
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

func TestParseQuestionsReportsTheLine(t *testing.T) {
	got, err := searchquality.ParseQuestions("# words\n\nhow do I => a b\nlamp => c\n")
	if err != nil || len(got) != 2 || got[0].Text != "how do I" || len(got[0].Pages) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"x => a\nlamp\n", "x => a\nlamp => \n", "x => a\nx => b\n"} {
		if _, err := searchquality.ParseQuestions(bad); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
