package searchindex_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// recordCache is a Cache in memory. broken changes the values it returns; nil = none.
type recordCache struct {
	values map[[32]byte][]byte
	broken func(value []byte) []byte
}

// Get implements searchindex.Cache.
func (c *recordCache) Get(key [32]byte) ([]byte, bool) {
	v, ok := c.values[key]
	if v = bytes.Clone(v); ok && c.broken != nil {
		v = c.broken(v)
	}
	return v, ok
}

// Put implements searchindex.Cache.
func (c *recordCache) Put(key [32]byte, value []byte) { c.values[key] = bytes.Clone(value) }

// edited is a site whose index is built again and again.
type edited struct {
	t     *testing.T
	r     *rand.Rand
	w     *writer
	pages []searchindex.Page
	ready map[string]*searchindex.Prepared // by path, until the page is edited
	files map[string][]byte                // of the last build, which the output holds
	names []string                         // in the order in which they were written
	held  int                              // shards of terms that were not written again
	terms int                              // shards of terms
}

// build builds the index. Without a cache, it is cold.
func (e *edited) build(cache *recordCache) {
	e.t.Helper()
	old := e.files
	e.files, e.names, e.held, e.terms = map[string][]byte{}, nil, 0, 0
	opt := searchindex.Options{Scratch: e.t.TempDir()}
	if cache != nil {
		opt.Cache = cache
		opt.Holds = func(name string, sum [32]byte) bool {
			data, ok := old[name]
			return ok && sha256.Sum256(data) == sum
		}
	}
	b := searchindex.NewBuilder(func(f searchindex.File) error { return e.put(f, old) }, opt)
	defer b.Discard()
	s := searchindex.NewSegment(false)
	h := sha256.New()
	for i := range e.pages {
		p := &e.pages[i]
		fmt.Fprintf(h, "%+v\n", *p)
		s.Add(e.prepared(p))
		if !searchindex.Ends(p.Path, s.Pages()) && i < len(e.pages)-1 {
			continue
		}
		record := s.Seal()
		if cache != nil {
			record.Key = [32]byte(h.Sum(nil))
			cache.Put(record.Key, record.Head)
		}
		h.Reset()
		if err := b.AddSegment(record); err != nil {
			e.t.Fatal(err)
		}
	}
	if err := b.Close(); err != nil {
		e.t.Fatal(err)
	}
}

func (e *edited) put(f searchindex.File, old map[string][]byte) error {
	data, err := output.File{Data: f.Data, Packed: f.Packed}.Bytes()
	if f.Held {
		if data, err = old[f.Name], nil; sha256.Sum256(data) != f.Packed.SHA256 || int64(len(data)) != f.Packed.Size {
			e.t.Errorf("%s is held, but its content differs", f.Name)
		}
	}
	if strings.HasPrefix(f.Name, "t") {
		e.terms++
		if f.Held {
			e.held++
		}
	}
	e.files[f.Name], e.names = data, append(e.names, f.Name)
	return err
}

func (e *edited) prepared(p *searchindex.Page) *searchindex.Prepared {
	if e.ready[p.Path] == nil {
		var r searchindex.Preparer
		e.ready[p.Path] = r.Prepare(*p)
	}
	return e.ready[p.Path]
}

// edit makes one kind of change. text is true if neither the name of a page nor its number of chunks changed.
func (e *edited) edit(i int) (text bool) {
	at := e.r.IntN(len(e.pages))
	p := &e.pages[at]
	delete(e.ready, p.Path)
	p.Sections = slices.Clone(p.Sections)
	s := &p.Sections[e.r.IntN(len(p.Sections))]
	switch i % 8 {
	case 5:
		p.Title = e.w.text(3)
	case 6:
		e.pages = slices.Insert(e.pages, at, e.w.page(10_000+i))
	case 7:
		e.pages = slices.Delete(e.pages, at, at+1)
	case 4:
		p.Sections = append(p.Sections, pagetext.Section{Level: 2, Heading: "More", Text: e.w.text(300)})
	case 3:
		s.Text = "a " + s.Text[min(len(s.Text), 40):] // removes words
		return true
	default:
		s.Text = e.w.text(3+i%3) + " " + fmt.Sprint("zz", i, " 0", i, " ") + s.Text[min(len(s.Text), 40):]
		return true
	}
	return false
}

func newEdited(t *testing.T, pages int) *edited {
	e := &edited{t: t, r: rand.New(rand.NewPCG(5, 6)), w: newWriter(8, 3000), ready: map[string]*searchindex.Prepared{}}
	for i := range pages {
		e.pages = append(e.pages, e.w.page(i))
	}
	return e
}

// After any edit, an index that reuses what it can has the same files as a cold one, in the same order. If only text
// was edited, many shards of terms are not written again.
func TestIndexAfterEditEqualsColdIndex(t *testing.T) {
	e := newEdited(t, 500)
	cache := &recordCache{values: map[[32]byte][]byte{}}
	e.build(cache)
	held, terms := 0, 0
	for i := range tier.Choose(8, 64) {
		text := e.edit(i)
		e.build(cache)
		warm, names := e.files, e.names
		if text {
			held, terms = held+e.held, terms+e.terms
		}
		e.build(nil)
		if !maps.EqualFunc(warm, e.files, bytes.Equal) || !slices.Equal(names, e.names) {
			t.Fatalf("edit %d: the index differs from a cold one", i)
		}
	}
	if held < terms/3 {
		t.Errorf("%d of %d shards were reused", held, terms)
	}
	e.build(cache) // unchanged
	if e.held != e.terms || e.terms < 5 {
		t.Errorf("without a change, %d of %d shards were reused", e.held, e.terms)
	}
}

// Records that are lost or damaged, or shards that the output has lost, make a build slower but never change the index.
func TestDamagedCacheDoesNotChangeIndex(t *testing.T) {
	e := newEdited(t, 100)
	cache := &recordCache{values: map[[32]byte][]byte{}}
	cache.broken = func(v []byte) []byte {
		switch at := e.r.IntN(len(v)); e.r.IntN(4) {
		case 0:
			return nil
		case 1:
			return v[:at]
		case 2:
			v[at] ^= 8
		}
		return v
	}
	e.build(cache)
	for i := range 10 {
		e.edit(i)
		for name := range e.files {
			if e.r.IntN(9) == 0 {
				delete(e.files, name)
			}
		}
		e.build(cache)
		warm := e.files
		if e.build(nil); !maps.EqualFunc(warm, e.files, bytes.Equal) {
			t.Fatalf("edit %d: the index differs from a cold one", i)
		}
	}
}
