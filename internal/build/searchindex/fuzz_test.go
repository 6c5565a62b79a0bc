package searchindex_test

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

// A damaged or forged index results in an error or some hits, but never in a panic or in more memory than its size
// justifies.
func FuzzDamagedIndex(f *testing.F) {
	files := build(f, mixed()...)
	names := slices.Sorted(maps.Keys(files))
	for i, question := range questions()[:40] {
		f.Add(uint8(i), uint16(i*97), []byte{byte(i), 'A', ',', ' '}[:i%5], question)
	}
	f.Add(uint8(0), uint16(20), []byte(`____`), "webhooks")
	f.Fuzz(func(t *testing.T, which uint8, at uint16, with []byte, question string) {
		name := names[int(which)%len(names)]
		damaged := slices.Clone(files[name])
		start := int(at) % (len(damaged) + 1)
		if len(with)%3 == 0 {
			damaged = append(damaged[:start], with...)
		} else {
			copy(damaged[start:], with)
		}
		read := func(n string) ([]byte, error) {
			if n == name {
				return damaged, nil
			}
			return reader(files, nil)(n)
		}
		x, err := searchindex.Open(read)
		if err != nil {
			return
		}
		hits, err := x.Search(context.Background(), searchindex.Query{Text: question, Limit: 5})
		if err == nil && len(hits) > 5 {
			t.Errorf("%d hits", len(hits))
		}
		for _, h := range hits {
			for _, m := range h.Snippet.Marks {
				if m[0] < 0 || m[1] < m[0] || m[1] > len(h.Snippet.Text) {
					t.Errorf("mark %v in %q", m, h.Snippet.Text)
				}
			}
		}
	})
}

// Any page can be added and found, and the same pages give the same bytes.
func FuzzPages(f *testing.F) {
	for _, p := range mixed() {
		f.Add(p.Title, p.Sections[0].Text, p.Sections[0].Code, p.Title)
	}
	f.Add("\x00\xff", "\u2028\u2029\xf0\x28", "\"\\\n\t</script>", "\xff")
	f.Add("설치", strings.Repeat("설치", 40), "検索-x_y.z/설치", strings.Repeat("설치", 40)+" 検索検索 a-b_c")
	f.Fuzz(func(t *testing.T, title, text, code, question string) {
		p := mixed()[1]
		p.Title, p.Sections[0].Text, p.Sections[0].Code = title, text, code
		files := build(t, p, mixed()[2])
		x := open(t, files)
		if _, err := x.Search(context.Background(), searchindex.Query{Text: question}); err != nil {
			t.Fatal(err)
		}
		if again := build(t, p, mixed()[2]); !maps.EqualFunc(files, again, slices.Equal[[]byte]) {
			t.Error("the same pages gave different bytes")
		}
	})
}

// A forged record with a correct checksum results in an error or some index, but never in a panic or in more memory
// than its size justifies.
func FuzzSegmentRecord(f *testing.F) {
	s := searchindex.NewSegment(true)
	for p := range prepared(mixed()) {
		s.Add(p)
	}
	sealed := s.Seal()
	good := sealed.Head[:len(sealed.Head)-4]
	f.Add(good, uint16(0), []byte(nil))
	for i := range 60 {
		f.Add(good, uint16(i*len(good)/60), []byte{byte(i), 0xFF, 0x80, 1}[:1+i%4])
	}
	f.Fuzz(func(t *testing.T, record []byte, at uint16, with []byte) {
		record = slices.Clone(record)
		copy(record[int(at)%(len(record)+1):], with)
		record = binary.LittleEndian.AppendUint32(record, crc32.Checksum(record, crc32.MakeTable(crc32.Castagnoli)))
		files := map[string][]byte{}
		b := searchindex.NewBuilder(func(f searchindex.File) error {
			files[f.Name] = f.Data
			return nil
		}, searchindex.Options{Scratch: t.TempDir()})
		defer b.Discard()
		for range 2 {
			if b.AddSegment(searchindex.Record{Head: record, Texts: sealed.Texts}) != nil {
				return
			}
		}
		if b.Close() != nil {
			return
		}
		x, err := searchindex.Open(reader(files, nil))
		if err != nil {
			return
		}
		_, _ = x.Search(context.Background(), searchindex.Query{Text: "webhook"}) // any result is acceptable
	})
}
