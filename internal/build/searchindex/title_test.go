package searchindex_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// A page whose title, or whose title in the navigation, is the query comes first however many pages are about the same
// word, on a site whose entry names all pages and on one whose shards do. It is there before any text is.
func TestPageTitledLikeTheQueryComesFirst(t *testing.T) {
	for _, words := range []int{0, 60} {
		w := newWriter(7, 5000)
		var pages []searchindex.Page
		for i := range 600 {
			p := searchindex.Page{Path: fmt.Sprintf("api/delete-%03d", i),
				Title: "Delete " + w.text(2), Description: "Delete it.", Keywords: []string{"delete"},
				Sections: []pagetext.Section{{Text: strings.Repeat("Delete, then delete again. ", 8)},
					{Level: 2, Anchor: "delete", Heading: "Delete", Text: "Delete. " + w.text(40)}}}
			switch i {
			case 333:
				p.Title, p.Keywords, p.Description = "Delete", nil, ""
				p.Sections = []pagetext.Section{{Text: w.text(400)}}
			case 444:
				p.Title, p.Sidebar = "How an account is closed for good", "Close account"
			}
			if words > 0 {
				p.Crumbs = []string{w.text(words)} // too long for the entry
			}
			pages = append(pages, p)
		}
		var read []string
		x, err := searchindex.Open(reader(build(t, pages...), &read))
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]string{"delete": "api/delete-333", "close account": "api/delete-444"} {
			for _, whole := range []bool{false, true} {
				q := searchindex.Query{Text: text, Limit: 5, Whole: whole}
				a, err := x.Find(context.Background(), q)
				if err != nil || len(a.Hits) == 0 || a.Hits[0].Path != want {
					t.Errorf("%d words in a name, %q, whole %v: %+v, %v", words, text, whole, a.Hits, err)
				}
			}
		}
	}
}

// A query with more words than it may look up drops the common and the short, and still finds the title.
func TestLongQueryDropsWordsThatSayLittle(t *testing.T) {
	w := newWriter(3, 8000)
	var pages []searchindex.Page
	for i := range 400 {
		p := w.page(i)
		p.Title = w.text(6)
		pages = append(pages, p)
	}
	files := build(t, pages...)
	for _, at := range []int{17, 180, 399} {
		var read []string
		x, err := searchindex.Open(reader(files, &read))
		if err != nil {
			t.Fatal(err)
		}
		a, err := x.Find(context.Background(), searchindex.Query{Text: pages[at].Title})
		if err != nil || len(a.Hits) == 0 || a.Hits[0].Path != pages[at].Path {
			t.Errorf("%q: %+v, %v", pages[at].Title, a.Hits, err)
		}
		if len(read) > 5 {
			t.Errorf("%q reads %v", pages[at].Title, read)
		}
	}
}
