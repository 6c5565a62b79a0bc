package searchindex_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
	"github.com/lectern-docs/lectern/web/theme"
)

// packed returns the compressed size of data, as a server sends it.
func packed(t testing.TB, data []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// For any query on 10,000 pages, a reader downloads the search script, the entry and at most four shards: six files of
// at most 150 kB together. The test counts files and bytes, not time. The texts of all hits are available on request.
// Outside nightly runs, the site is smaller.
func TestQueryOnLargeSiteIsSmallDownload(t *testing.T) {
	const promise, usual, requests = 150_000, 110_000, 6
	pages := tier.Choose(3000, 10_000)
	script, err := jsbuild.Script{Source: theme.FS(), Entry: theme.Search}.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(3, 60_000)
	var r searchindex.Preparer
	text := 0
	files := buildFrom(t, searchindex.Ends, func(yield func(*searchindex.Prepared, string) bool) {
		for i := range pages {
			p := w.page(i)
			for _, s := range p.Sections {
				text += len(s.Text) + len(s.Code)
			}
			if !yield(r.Prepare(p), p.Path) {
				return
			}
		}
	})
	words := w.words
	for _, c := range []struct {
		name, text string
		most       int
	}{
		{"the most common word", words[0], usual},
		{"four of the most common words", strings.Join(words[:4], " "), usual},
		{"eight of the most common words", strings.Join(words[:8], " "), promise},
		{"sixteen of the most common words", strings.Join(words[:16], " "), promise},
		{"a rare word", words[tier.Choose(8_000, 30_000)], usual},
		{"common and rare", words[5] + " " + words[2000] + " " + words[20_000], usual},
		{"one letter", "s", usual},
		{"two letters", "se", usual},
		{"three letters", "con", usual},
		{"common words and a beginning", strings.Join(words[3:6], " ") + " " + words[100][:2], promise},
		{"a mistyped word", "x" + longest(words[:300]), promise},
		{"three mistyped words",
			longest(words[:300]) + "x " + longest(words[300:600]) + "q " + longest(words[600:900]) + "w", promise},
		{"two words with other first letters",
			"x" + longest(words[:300]) + " q" + longest(words[300:600]), promise},
		{"a name in code", words[50] + "_" + words[51], tier.Choose(promise, usual)},
	} {
		var read []string
		x, err := searchindex.Open(reader(files, &read))
		if err != nil {
			t.Fatal(err)
		}
		q := searchindex.Query{Text: c.text, Limit: 10}
		found, err := x.Find(context.Background(), q)
		if err != nil || len(found.Hits) == 0 {
			t.Fatalf("%s %q: %d hits, %v", c.name, c.text, len(found.Hits), err)
		}
		total := packed(t, script)
		for _, name := range read {
			total += packed(t, files[name])
		}
		t.Logf("%-34s %6d bytes in %2d files, %2d hits", c.name, total, 1+len(read), len(found.Hits))
		if total > c.most || 1+len(read) > requests {
			t.Errorf("%s %q: %d bytes in %d files, at most %d in %d", c.name, c.text, total, 1+len(read), c.most, requests)
		}
		if hits, err := x.Search(context.Background(), q); err != nil || len(hits) != 10 {
			t.Fatalf("%s %q: %d hits with all texts, %v", c.name, c.text, len(hits), err)
		}
	}
	all, entry := 0, packed(t, files[searchindex.EntryName])
	for name, data := range files {
		all += len(data)
		if len(data) > 80_000 && !strings.HasPrefix(name, "words.") && name != searchindex.EntryName {
			t.Errorf("%s has %d bytes", name, len(data))
		}
	}
	t.Logf("text %d, index %d in %d files, entry %d", text, all, len(files), entry)
	if entry > 25_000 || all > 2*text {
		t.Errorf("entry %d bytes, index %d for %d of text", entry, all, text)
	}
}

func longest(words []string) (out string) {
	for _, w := range words {
		if len(w) > len(out) {
			out = w
		}
	}
	return out
}
