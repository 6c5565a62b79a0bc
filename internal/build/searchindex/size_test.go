package searchindex_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

// packed is how many bytes a server sends for some.
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

// A reader who asks one question of 10,000 pages downloads no more than 300 kB, whatever the question: that is the
// promise. What questions usually take is well below, and is held to that. Bytes are counted, never time.
func TestQueryOfTenThousandPagesIsASmallDownload(t *testing.T) {
	const pages, promise, usual = 10_000, 300_000, 220_000
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
		{"a rare word", words[30_000], usual},
		{"common and rare", words[5] + " " + words[2000] + " " + words[20_000], usual},
		{"one letter", "s", usual},
		{"two letters", "se", usual},
		{"three letters", "con", usual},
		{"common words and a beginning", strings.Join(words[3:6], " ") + " " + words[100][:2], promise},
		{"a mistyped word", "x" + longest(words[:300]), usual},
		{"three mistyped words",
			longest(words[:300]) + "x " + longest(words[300:600]) + "q " + longest(words[600:900]) + "w", promise},
		{"a name in code", words[50] + "_" + words[51], usual},
	} {
		var read []string
		x, err := searchindex.Open(reader(files, &read))
		if err != nil {
			t.Fatal(err)
		}
		hits, err := x.Search(context.Background(), searchindex.Query{Text: c.text, Limit: 10})
		if err != nil || len(hits) != 10 {
			t.Fatalf("%s %q: %d hits, %v", c.name, c.text, len(hits), err)
		}
		total := 0
		for _, name := range read {
			total += packed(t, files[name])
		}
		t.Logf("%-34s %6d bytes in %2d files", c.name, total, len(read))
		if total > c.most {
			t.Errorf("%s %q: %d bytes, at most %d", c.name, c.text, total, c.most)
		}
	}
	all, entry := 0, packed(t, files[searchindex.EntryName])
	for name, data := range files {
		all += len(data)
		if len(data) > 40_000 && !strings.HasPrefix(name, "words.") && name != searchindex.EntryName {
			t.Errorf("%s has %d bytes", name, len(data))
		}
	}
	t.Logf("text %d, index %d in %d files, entry %d", text, all, len(files), entry)
	if entry > 60_000 || all > 2*text {
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
