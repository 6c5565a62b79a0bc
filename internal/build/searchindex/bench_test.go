package searchindex_test

import (
	"context"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

func BenchmarkPrepare(b *testing.B) {
	w := newWriter(3, 60_000)
	var pages []searchindex.Page
	size := 0
	for i := range 500 {
		p := w.page(i)
		for _, s := range p.Sections {
			size += len(s.Text) + len(s.Code) + len(s.Heading)
		}
		pages = append(pages, p)
	}
	b.SetBytes(int64(size / len(pages)))
	b.ReportAllocs()
	var r searchindex.Preparer
	for i := range b.N {
		r.Prepare(pages[i%len(pages)])
	}
}

// BenchmarkSegment measures the cost of adding a prepared page to a segment, including compression of its text.
func BenchmarkSegment(b *testing.B) {
	w := newWriter(3, 60_000)
	var pages []*searchindex.Prepared
	for i := range 500 {
		pages = append(pages, prepare(w.page(i)))
	}
	s := searchindex.NewSegment(true)
	b.ReportAllocs()
	for i := range b.N {
		if s.Add(pages[i%len(pages)]); s.Pages() == 64 {
			s.Seal()
		}
	}
}

// BenchmarkClose merges the segments of 10,000 pages and writes their terms.
func BenchmarkClose(b *testing.B) {
	w := newWriter(3, 60_000)
	s := searchindex.NewSegment(true)
	var r searchindex.Preparer
	var records []searchindex.Record
	for i := range 10_000 {
		if s.Add(r.Prepare(w.page(i))); s.Pages() == 64 {
			records = append(records, s.Seal())
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		x := searchindex.NewBuilder(func(searchindex.File) error { return nil }, searchindex.Options{Pack: searchindex.Pack})
		for _, record := range records {
			if err := x.AddSegment(record); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	w := newWriter(3, 60_000)
	var pages []searchindex.Page
	for i := range 5000 {
		pages = append(pages, w.page(i))
	}
	x := open(b, build(b, pages...))
	for name, text := range map[string]string{"common": w.words[0] + " " + w.words[1] + " " + w.words[2],
		"rare": w.words[20_000], "begun": w.words[0] + " s", "mistyped": "x" + longest(w.words[:300])} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				if _, err := x.Search(context.Background(), searchindex.Query{Text: text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
