package searchindex

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// listedPages are pages with lists of terms that a test changes one by one. Each page is a segment.
type listedPages struct {
	r     *rand.Rand
	pages []map[string][]posting
	marks []uint16
	metas []string
	edits []int // of each page
}

const listedChunks = 40 // of each page

func newListedPages(n int) *listedPages {
	p := &listedPages{r: rand.New(rand.NewPCG(1, 2))}
	for i := range n {
		p.pages, p.edits = append(p.pages, map[string][]posting{}), append(p.edits, 0)
		p.marks, p.metas = append(p.marks, uint16(i)), append(p.metas, p.meta(i))
		for k := range 78 {
			if term := fmt.Sprintf("term%c%cq", 'a'+k/26, 'a'+k%26); p.r.IntN(3) > 0 {
				p.change(i, term)
			}
		}
		p.pages[i]["termaaq"] = []posting{{0, 3}}
		p.pages[i]["termaaq\x00"] = []posting{{0, uint8(1 + p.r.IntN(3))}}
	}
	return p
}

// meta has so many random digits that the entry cannot contain the names of all pages.
func (p *listedPages) meta(i int) string {
	var title strings.Builder
	for range 60 {
		fmt.Fprintf(&title, "%016x", p.r.Uint64())
	}
	return fmt.Sprintf(`["page-%d","%s",[]]`, i, title.String())
}

// change gives a term a different list in a page.
func (p *listedPages) change(page int, term string) {
	p.edits[page]++
	var list []posting
	for chunk := range int32(listedChunks) {
		if p.r.IntN(2) == 0 {
			list = append(list, posting{chunk, uint8(1 + p.r.IntN(31))})
		}
	}
	if p.pages[page][term] = list; len(list) == 0 || p.r.IntN(8) == 0 {
		delete(p.pages[page], term)
	}
}

func (p *listedPages) prepared(i int) *Prepared {
	out := &Prepared{boost: 100, marks: [2]uint16{p.marks[i], p.marks[i]}, meta: []byte(p.metas[i])}
	for range listedChunks {
		out.text = append(out.text, `["","","",""]`...)
		out.ends = append(out.ends, int32(len(out.text)))
	}
	for term, list := range p.pages[i] {
		out.terms, out.counts = append(out.terms, term), append(out.counts, int32(len(list)))
		out.postings = append(out.postings, list...)
	}
	return out
}

// mapCache is a Cache.
type mapCache map[[32]byte][]byte

// Get implements Cache.
func (c mapCache) Get(key [32]byte) ([]byte, bool) { v, ok := c[key]; return v, ok }

// Put implements Cache.
func (c mapCache) Put(key [32]byte, value []byte) { c[key] = value }

// build returns the files of the terms, and the first terms of the shards. files are those of the output.
func (p *listedPages) build(
	t *testing.T, cache mapCache, files map[string]string,
) (out map[string]string, firsts []string) {
	t.Helper()
	out = map[string]string{}
	opt := Options{Scratch: t.TempDir()}
	if cache != nil {
		opt.Cache, opt.Holds = cache, func(name string, _ [32]byte) bool { return files[name] != "" }
	}
	b := NewBuilder(func(f File) error {
		if out[f.Name] = string(f.Data); f.Held {
			out[f.Name] = files[f.Name]
		}
		return nil
	}, opt)
	s := NewSegment(false)
	for i := range p.pages {
		s.Add(p.prepared(i))
		record := s.Seal()
		copy(record.Key[:], fmt.Sprintf("page %d %d", i, p.edits[i]))
		if cache != nil {
			cache.Put(record.Key, record.Head)
		}
		if err := b.AddSegment(record); err != nil {
			t.Fatal(err)
		}
	}
	key := b.pastKey()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if last, ok := readPast(cache[key]); ok {
		for _, shard := range last.shards {
			firsts = append(firsts, shard.start)
		}
	}
	return out, firsts
}

// The shards of terms equal those of a cold index when the lists of terms change, including the first terms of shards,
// and when the names or marks of pages change.
func TestShardsAfterEditEqualColdIndex(t *testing.T) {
	p := newListedPages(60)
	cache := mapCache{}
	files, firsts := p.build(t, cache, nil)
	for i := range 60 {
		page := p.r.IntN(len(p.pages))
		term := cmp.Or(firsts[p.r.IntN(len(firsts))], "termaaq")
		switch i % 15 {
		case 3:
			term = fmt.Sprintf("term%c%cq", 'a'+p.r.IntN(3), 'a'+p.r.IntN(26))
		case 4, 8: // a new last term in the shard before, so that a longer prefix is needed to tell the two terms apart
			term = term[:len(term)-1] + "d"
		case 9:
			p.marks[page] += 1000
		case 14:
			p.metas[page] = p.meta(page)
		}
		p.change(page, term)
		for k := range i % 3 * 4 { // the shard before may have room for it now, or no longer
			if other := (page + k) % len(p.pages); i%2 == 0 {
				p.change(other, term)
			} else {
				delete(p.pages[other], term)
				p.edits[other]++
			}
		}
		warm, next := p.build(t, cache, files)
		cold, _ := p.build(t, nil, nil)
		if !maps.Equal(warm, cold) {
			t.Fatalf("edit %d of %q: %s", i, term, different(warm, cold))
		}
		files, firsts = warm, next
	}
	if len(firsts) < 4 {
		t.Errorf("only %d shards", len(firsts))
	}
}

func different(a, b map[string]string) string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if a[name] != b[name] {
			fmt.Fprintf(&out, "%s ", name)
		}
	}
	return out.String()
}
