package searchindex_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// Pages that contain the words between quotation marks in sequence come first. The words may be in text, code,
// headings, titles or keywords. Other pages are still found, and both engines agree.
func TestPagesWithQuotedPhraseRankFirst(t *testing.T) {
	fill := strings.Repeat("Some other words stand here so that the page has text. ", 12)
	page := func(path, title, text, code string) searchindex.Page {
		return searchindex.Page{Path: path, Title: title, Sections: []pagetext.Section{{Text: text + fill, Code: code}}}
	}
	keyword := page("keyword", "Sixth", "", "")
	keyword.Keywords = []string{"out of harbour"}
	files := build(t,
		page("order", "Beacon and lantern", "A lantern, a beacon. Lantern: see beacon. ", ""),
		page("text", "Second", "Nothing beats a lantern beacon at sea. ", ""),
		page("code", "Third", "The beacon. ", "keel = tiller + rudder"), page("tiller", "Rudder, keel and tiller", "", ""),
		page("title", "Anchor of the old fleet", "", ""), page("fleet", "Fleets of old anchors", "An old anchor. The fleet. ", ""),
		page("harbour", "Harbour", "The harbour is out of reach. ", ""), keyword,
	)
	x, b := open(t, files), newBrowser(t, files)
	for query, want := range map[string]string{
		`lantern beacon`:             "order",
		`"lantern beacon"`:           "text order",
		`“Lantern beacon”`:           "text order",
		`at sea "lantern beacon"`:    "text order",
		`"keel tiller rudder"`:       "code tiller",
		`"the old fleet"`:            "title fleet",
		`"out of harbour"`:           "keyword harbour",
		`"beacon at sea" "a lantern`: "text order",
	} {
		got := strings.Join(ask(t, x, searchindex.Query{Text: query}), " ")
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		compare(t, x, b, searchindex.Query{Text: query})
	}
}

// An unclosed quotation mark, and marks around one word, change nothing.
func TestUnclosedQuotationMarkHasNoEffect(t *testing.T) {
	files := build(t, mixed()...)
	x := open(t, files)
	for plain, marked := range map[string]string{
		"exponential backoff": `"exponential backoff`, "verify signature": `verify "signature"`, "retries": `"retries"`,
	} {
		want, got := ask(t, x, searchindex.Query{Text: plain}), ask(t, x, searchindex.Query{Text: marked})
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v, without marks %v", marked, got, want)
		}
	}
}

// A quoted title matches the title. A query with quotation marks reads no more files than one without; programs find
// the words in order even if many pages have them in a different order.
func TestQuotedQueryStaysWithinTheBudget(t *testing.T) {
	w := newWriter(5, 400)
	var pages []searchindex.Page
	for i := range 300 {
		p := w.page(i)
		p.Title = "Page " + w.text(3)
		switch {
		case i == 137:
			p.Title = "Zephyr account"
		case i == 211:
			p.Sections = append(p.Sections, pagetext.Section{Level: 2, Anchor: "z", Heading: "More",
				Text: w.text(30) + " the account of a zephyr " + w.text(30)})
		case i%6 == 0:
			p.Sections = append(p.Sections, pagetext.Section{Text: "Zephyr: " + w.text(20) + " account."})
		}
		pages = append(pages, p)
	}
	files := build(t, pages...)
	for query, want := range map[string]string{
		`"zephyr account"`: pages[137].Path, `"account of a zephyr"`: pages[211].Path,
	} {
		var read []string
		x, err := searchindex.Open(reader(files, &read))
		if err != nil {
			t.Fatal(err)
		}
		a, err := x.Find(context.Background(), searchindex.Query{Text: query})
		if err != nil || len(read) > 5 {
			t.Errorf("%s reads %v, %v", query, read, err)
		}
		whole, err := x.Find(context.Background(), searchindex.Query{Text: query, Whole: true})
		if err != nil || len(whole.Hits) == 0 || whole.Hits[0].Path != want {
			t.Errorf("%s: %v first, want %s; %v", query, firstPath(whole), want, err)
		}
		if query == `"zephyr account"` && firstPath(a) != want {
			t.Errorf("%s: %v first within the budget", query, firstPath(a))
		}
	}
}

func firstPath(a searchindex.Answer) string {
	if len(a.Hits) == 0 {
		return "nothing"
	}
	return fmt.Sprint(a.Hits[0].Path)
}
