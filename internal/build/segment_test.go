package build

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// shelfCache is a Cache in memory.
type shelfCache struct {
	mu     sync.Mutex
	values map[[sha256.Size]byte][]byte
}

func (c *shelfCache) Get(key [32]byte) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[key]
	return bytes.Clone(v), ok
}

func (c *shelfCache) Put(key [32]byte, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[key] = bytes.Clone(value)
}

// segmentRun is one build of an index.
type segmentRun struct {
	dir   string
	files map[string][]byte
	read  atomic.Int32 // pages whose words were read
	err   error        // of a page's words
}

func (r *segmentRun) open(cache Cache) *segments {
	r.files = map[string][]byte{}
	index := searchindex.NewBuilder(func(f searchindex.File) error {
		data, err := output.File{Data: f.Data, Packed: f.Packed}.Bytes()
		r.files[f.Name] = data
		return err
	}, searchindex.Options{Scratch: r.dir, Pack: searchindex.Pack})
	return &segments{index: index, cache: cache, maxPending: 2, pack: true}
}

// run indexes pages with the given content. If keyed is set, their words have cache keys.
func (r *segmentRun) run(t *testing.T, cache Cache, keyed bool, texts []string) error {
	t.Helper()
	s := r.open(cache)
	defer s.abort()
	var reader searchindex.Preparer
	for i, text := range texts {
		p := searchindex.Page{Path: fmt.Sprintf("guides/page-%d", i), Title: "Page",
			Sections: []pagetext.Section{{Text: text}}}
		var key [sha256.Size]byte
		if keyed {
			key = sha256.Sum256([]byte(p.Path + "\n" + text))
		}
		err := s.add(p.Path, key, func() (*searchindex.Prepared, error) {
			r.read.Add(1)
			return reader.Prepare(p), r.err
		})
		if err != nil {
			return err
		}
	}
	return s.end()
}

func segmentTexts() (out []string) {
	for i := range 700 {
		out = append(out, fmt.Sprintf("A lantern with the number n%d, and %s.", i, strings.Repeat("oil ", i%50)))
	}
	return out
}

// Cached segments are reused. In the segment of an edited page, the other pages are reused too: only the edited page is
// read. A build without a cache writes the same files.
func TestOnlyEditedPageIsReadAgain(t *testing.T) {
	cache := &shelfCache{values: map[[32]byte][]byte{}}
	texts := segmentTexts()
	var cold, warm, edited, fresh segmentRun
	cold.dir, warm.dir, edited.dir, fresh.dir = t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	if err := errors.Join(cold.run(t, cache, true, texts), warm.run(t, cache, true, texts)); err != nil {
		t.Fatal(err)
	}
	if cold.read.Load() != int32(len(texts)) || warm.read.Load() != 0 ||
		!maps.EqualFunc(cold.files, warm.files, bytes.Equal) {
		t.Errorf("read %d pages, then %d of %d", cold.read.Load(), warm.read.Load(), len(texts))
	}
	texts = slices.Clone(texts)
	texts[333] += " Edited."
	if err := errors.Join(edited.run(t, cache, true, texts), fresh.run(t, nil, true, texts)); err != nil {
		t.Fatal(err)
	}
	if n := edited.read.Load(); n != 1 || !maps.EqualFunc(edited.files, fresh.files, bytes.Equal) {
		t.Errorf("read %d pages after an edit of one", n)
	}
}

// A segment with a page that has no key is sealed each time, and not cached.
func TestSegmentWithoutKeyIsNotCached(t *testing.T) {
	cache := &shelfCache{values: map[[32]byte][]byte{}}
	r := segmentRun{dir: t.TempDir()}
	if err := r.run(t, cache, false, segmentTexts()[:100]); err != nil || len(cache.values) > 0 ||
		r.read.Load() != 100 {
		t.Errorf("%v; %d kept, %d read", err, len(cache.values), r.read.Load())
	}
}

// Words that do not match their key are indexed but not cached under it.
func TestSegmentWithChangedPageIsNotCached(t *testing.T) {
	cache := &shelfCache{values: map[[32]byte][]byte{}}
	r := segmentRun{dir: t.TempDir(), err: fmt.Errorf("read words: %w", errPageChanged)}
	if err := r.run(t, cache, true, segmentTexts()[:100]); err != nil || len(cache.values) > 0 || r.read.Load() != 100 {
		t.Errorf("%v; %d kept, %d read", err, len(cache.values), r.read.Load())
	}
	if text := string(bytes.Join(slices.Collect(maps.Values(r.files)), nil)); !strings.Contains(text, "n99") {
		t.Error("the page is not in the index")
	}
}

// A damaged cache record is a miss and never changes the index.
func TestDamagedSegmentIsRebuilt(t *testing.T) {
	cache := &shelfCache{values: map[[32]byte][]byte{}}
	var first, again segmentRun
	first.dir, again.dir = t.TempDir(), t.TempDir()
	if err := first.run(t, cache, true, segmentTexts()); err != nil {
		t.Fatal(err)
	}
	n := 0
	for key, value := range cache.values {
		switch n++; n % 3 {
		case 0:
			cache.values[key] = value[:len(value)/2]
		case 1:
			value[len(value)/3] ^= 4
		default:
			cache.values[key] = nil
		}
	}
	if err := again.run(t, cache, true, segmentTexts()); err != nil ||
		!maps.EqualFunc(first.files, again.files, bytes.Equal) {
		t.Errorf("%v; the files differ", err)
	}
}

// If words cannot be read, or reading panics, the index fails with the reason. Nothing is left over, even if an index
// is aborted halfway.
func TestFailedIndexLeavesNothingBehind(t *testing.T) {
	gone := errors.New("the page is gone")
	r := segmentRun{dir: t.TempDir(), err: gone}
	if err := r.run(t, nil, false, segmentTexts()); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
	s := r.open(nil)
	for i := range 300 {
		if err := s.add(fmt.Sprint("page-", i), [32]byte{},
			func() (*searchindex.Prepared, error) { panic("a hostile page") }); err != nil {
			break
		}
	}
	if err := s.end(); err == nil || strings.Contains(err.Error(), "hostile") {
		t.Errorf("words that panic: %v", err)
	}
	s.abort()
	if left, _ := os.ReadDir(r.dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	(*segments)(nil).abort()
}
