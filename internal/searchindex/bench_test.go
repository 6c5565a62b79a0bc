package searchindex_test

import (
	"context"
	"testing"

	"github.com/lectern-docs/lectern/internal/searchindex"
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

func BenchmarkAdd(b *testing.B) {
	w := newWriter(3, 60_000)
	var pages []*searchindex.Prepared
	for i := range 500 {
		pages = append(pages, prepare(w.page(i)))
	}
	x := searchindex.NewBuilder(func(searchindex.File) error { return nil })
	b.ReportAllocs()
	for i := range b.N {
		if err := x.Add(pages[i%len(pages)]); err != nil {
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
	for name, text := range map[string]string{"common": w.words[0] + " " + w.words[1] + " " + w.words[2], "rare": w.words[20_000], "begun": w.words[0] + " s", "mistyped": "x" + longest(w.words[:300])} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				if _, err := x.Search(context.Background(), searchindex.Query{Text: text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
