package searchindex_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// A page whose title or title in the navigation equals the query comes first, regardless of how many pages are about
// the same word. This holds whether the names of pages are in the entry or in shards. The page is found before any text
// is read.
func TestPageTitledLikeQueryRanksFirst(t *testing.T) {
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

// A query with more words than it may look up drops common and short words, and still finds the title.
func TestLongQueryDropsCommonAndShortWords(t *testing.T) {
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

// fewWords returns pages whose titles and text consist of the same few words. Each word is then in so many titles that
// a shard cannot contain the names of all these pages.
func fewWords() (pages []searchindex.Page) {
	w, names := newWriter(11, 14), newWriter(12, 5000)
	phrase := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = w.words[w.r.IntN(len(w.words))]
		}
		return strings.Join(out, " ")
	}
	for i := range 700 {
		p := searchindex.Page{Path: fmt.Sprintf("p/%04d", i), Title: phrase(3), Crumbs: []string{names.text(40)},
			Sections: []pagetext.Section{{Text: phrase(60)}, {Level: 2, Anchor: "more", Heading: phrase(3), Text: phrase(90)}}}
		if i%10 == 0 {
			p.Sidebar = phrase(4)
		}
		pages = append(pages, p)
	}
	return pages
}

// A page is found by its title even if hundreds of titles consist of the same words, and both engines agree on it.
func TestTitleOfCommonWordsRanksFirst(t *testing.T) {
	pages := fewWords()
	files := build(t, pages...)
	x, b := open(t, files), newBrowser(t, files)
	for i := 3; i < len(pages); i += 23 {
		for n, text := range []string{pages[i].Title, pages[i].Sidebar} {
			if text == "" {
				continue
			}
			var read []string
			cold, err := searchindex.Open(reader(files, &read))
			if err != nil {
				t.Fatal(err)
			}
			a, err := cold.Find(t.Context(), searchindex.Query{Text: strings.ToUpper(text)})
			if err != nil || len(a.Hits) == 0 || len(read) > 5 {
				t.Fatalf("%q: %d hits in %v, %v", text, len(a.Hits), read, err)
			}
			first := slices.IndexFunc(pages, func(p searchindex.Page) bool { return p.Path == a.Hits[0].Path })
			if found := pages[first]; found.Title != text && found.Sidebar != text {
				t.Errorf("%q: the first hit is %q, %q", text, found.Title, found.Sidebar)
			}
			if n == 1 || i%3 == 0 {
				compareOne(t, x, b, searchindex.Query{Text: text})
			}
		}
	}
}

// A title that is exactly the query ranks above titles that have the same words in a different form, or with more
// letters at the end.
func TestExactTitleRanksFirst(t *testing.T) {
	titles := []string{"What is Sync?", "syncProvider", "SyncProvider", "sync()", "Sync", "CSV URL", "CSV URLs", "Start quickly",
		"Quickstart", "Quick Start", "Image to image agent", "Image agent"}
	var pages []searchindex.Page
	for i, title := range titles {
		text := strings.Repeat("Sync provider, CSV URL, image agent. ", (i+5)%7)
		pages = append(pages, searchindex.Page{Path: fmt.Sprintf("p%02d", i), Title: title,
			Sections: []pagetext.Section{{Text: text + "Quick start of sync for images."}}})
	}
	files := build(t, pages...)
	x, b := open(t, files), newBrowser(t, files)
	for i, title := range titles {
		a, err := x.Find(t.Context(), searchindex.Query{Text: "  " + strings.ToLower(title)})
		if err != nil || len(a.Hits) == 0 || !strings.EqualFold(a.Hits[0].Title, title) {
			t.Errorf("%q (%s): %+v, %v", title, pages[i].Path, a.Hits, err)
		}
		compareOne(t, x, b, searchindex.Query{Text: title})
	}
}
