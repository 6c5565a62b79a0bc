package searchindex_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// prepared prepares pages one at a time.
func prepared(pages []searchindex.Page) iter.Seq2[*searchindex.Prepared, string] {
	return func(yield func(*searchindex.Prepared, string) bool) {
		var r searchindex.Preparer
		for _, p := range pages {
			if !yield(r.Prepare(p), p.Path) {
				return
			}
		}
	}
}

// some generates pages with boosts and facets.
func some(seed uint64, n int) (out []searchindex.Page) {
	w := newWriter(seed, 3000)
	for i := range n {
		p := w.page(i)
		if i%7 == 0 {
			p.Boost = 0.5 + float64(i%5)
		}
		if i%5 == 0 {
			p.Language, p.Tags = []string{"en", "de"}[i/5%2], []string{"Guides"}
		}
		out = append(out, p)
	}
	return out
}

// without returns the files of an index without its text shards, and the entry without their positions.
func without(t *testing.T, files map[string][]byte) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, data := range files {
		if strings.HasPrefix(name, "d") {
			continue
		}
		if text := string(data); name == searchindex.EntryName {
			from, to := strings.Index(text, `,"docs":`), strings.Index(text, `,"first":`)
			if from < 0 || to < from {
				t.Fatalf("the entry is %.100s", text)
			}
			out[name] = text[:from] + text[to:]
		} else {
			out[name] = text
		}
	}
	return out
}

// Terms and words have the same bytes no matter where segments end. This is true even for so many segments that they
// are merged in passes, and for lists so long that they are truncated. Every answer that may read all texts is the same
// too. A reader's query only reads a few shards of text, and each segment starts a new shard, so the order of its hits
// may differ.
func TestIndexDoesNotDependOnSegmentBoundaries(t *testing.T) {
	pages := some(2, 2200)
	rare := []string{"quokka", "numbat", "bilby"}
	for i := range pages {
		for k, word := range rare {
			if i%(70+k) == 0 {
				pages[i].Sections = append(pages[i].Sections,
					pagetext.Section{Level: 2, Anchor: word, Heading: "About the " + word, Text: "A " + word + " was seen."})
			}
		}
	}
	one := buildFrom(t, func(string, int) bool { return false }, prepared(pages))
	usual := build(t, pages...)
	single := buildFrom(t, func(string, int) bool { return true }, prepared(pages))
	want := without(t, one)
	for name, files := range map[string]map[string][]byte{"as usual": usual, "of one page each": single} {
		if got := without(t, files); !maps.Equal(got, want) {
			t.Errorf("with segments %s, terms, words or the entry differ: %d files and %d", name, len(got), len(want))
		}
	}
	x, y, z := open(t, one), open(t, usual), open(t, single)
	w := newWriter(2, 3000)
	for i := range 60 {
		q := searchindex.Query{Text: w.text(1 + i%4), Limit: 20, Language: []string{"", "de"}[i%2]}
		want, err := x.Search(context.Background(), q)
		if err != nil || i%2 == 0 && len(want) == 0 {
			t.Fatalf("%q: %d hits, %v", q.Text, len(want), err)
		}
		for _, other := range []*searchindex.Index{y, z} {
			if got, err := other.Search(context.Background(), q); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%q: different hits, %v", q.Text, err)
			}
		}
	}
	for _, text := range []string{rare[0], rare[1], rare[2], rare[0] + " " + rare[1], rare[2] + " seen " + rare[0]} {
		want := foundBy(t, x, text)
		if n := len(want); n < 20 || n == 100 {
			t.Fatalf("%q: %d hits", text, n)
		}
		for _, other := range []*searchindex.Index{y, z} {
			if got := foundBy(t, other, text); !slices.Equal(got, want) {
				t.Fatalf("%q: different hits", text)
			}
		}
	}
	chunks := 0
	_, after, _ := strings.Cut(want[searchindex.EntryName], `"chunks":`)
	if _, err := fmt.Sscan(after[:strings.IndexByte(after, ',')], &chunks); err != nil || chunks < 9000 {
		t.Errorf("with %d chunks the site is too small to have long lists: %v", chunks, err)
	}
}

// foundBy returns the locations that a reader's query finds, sorted by path.
func foundBy(t *testing.T, x *searchindex.Index, text string) (out []string) {
	t.Helper()
	a, err := x.Find(context.Background(), searchindex.Query{Text: text, Limit: 100, Texts: searchindex.AllTexts})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	for _, h := range a.Hits {
		out = append(out, h.Path+"#"+h.Anchor+": "+marked(h.Snippet))
	}
	slices.Sort(out)
	return out
}

// Editing, adding or removing a page leaves the text shards of all other segments byte-identical, under the same names.
func TestEditKeepsTextsOfOtherSegments(t *testing.T) {
	pages := some(4, 500)
	before := build(t, pages...)
	for name, edit := range map[string]func(all []searchindex.Page, at int) []searchindex.Page{
		"edited": func(all []searchindex.Page, at int) []searchindex.Page {
			all[at].Sections = append(slices.Clone(all[at].Sections),
				pagetext.Section{Level: 2, Heading: "New", Text: strings.Repeat("something new ", 2000)})
			return all
		},
		"added": func(all []searchindex.Page, at int) []searchindex.Page {
			return slices.Insert(all, at, searchindex.Page{Path: "a/new/page", Title: "New"})
		},
		"removed": func(all []searchindex.Page, at int) []searchindex.Page { return slices.Delete(all, at, at+1) },
	} {
		for _, at := range tier.Choose([]int{0, 250}, []int{0, 100, 250, 499}) {
			after := build(t, edit(slices.Clone(pages), at)...)
			gone, texts := 0, 0
			for file, data := range before {
				if !strings.HasPrefix(file, "d") {
					continue
				}
				if texts++; after[file] == nil {
					gone++
				} else if !bytes.Equal(data, after[file]) {
					t.Errorf("%s has different content", file)
				}
			}
			if gone == 0 && name != "added" || gone > texts/3 {
				t.Errorf("page %d %s: %d of %d text shards changed", at, name, gone, texts)
			}
		}
	}
}

// The names of text shards depend only on their contents. A text that is repeated over many shards still has a file
// for each.
func TestRepeatedTextHasItsOwnShards(t *testing.T) {
	p := searchindex.Page{Path: "long", Title: "Long",
		Sections: []pagetext.Section{{Text: strings.Repeat("the same words again and again. ", 20_000)}}}
	files := build(t, p) // build fails if a file is written twice
	hits, err := open(t, files).Search(context.Background(), searchindex.Query{Text: "again"})
	if err != nil || len(hits) != 1 || len(files) < 10 {
		t.Errorf("%d hits in %d files, %v", len(hits), len(files), err)
	}
}

func TestSegmentBoundariesDependOnPagePaths(t *testing.T) {
	var paths []string
	for i := range 20_000 {
		paths = append(paths, fmt.Sprintf("guides/part-%d/page-%05d", i/20, i))
	}
	cut := func(paths []string) (out []string) {
		n, first := 0, ""
		for _, p := range paths {
			if n++; n == 1 {
				first = p
			}
			if searchindex.Ends(p, n) {
				if n < 16 || n > 256 {
					t.Fatalf("a segment has %d pages", n)
				}
				out = append(out, fmt.Sprint(first, " ", p, " ", n))
				n = 0
			}
		}
		return out
	}
	whole := cut(paths)
	if mean := len(paths) / len(whole); mean < 50 || mean > 80 {
		t.Errorf("segments have %d pages on average", mean)
	}
	// If a page is added or removed, its segment changes. In rare cases the next one changes too, because an end would
	// make a segment smaller than the minimum size.
	changed, most := 0, 0
	const tries = 100
	for i := range tries {
		at := i*183 + 7
		for _, edited := range [][]string{slices.Insert(slices.Clone(paths), at, "guides/new"),
			slices.Delete(slices.Clone(paths), at, at+1)} {
			now, n := cut(edited), 0
			for _, s := range whole {
				if !slices.Contains(now, s) {
					n++
				}
			}
			changed, most = changed+n, max(most, n)
		}
	}
	if mean := float64(changed) / (2 * tries); mean > 1.3 || most > 6 {
		t.Errorf("adding or removing a page changes %.2f segments, at most %d", mean, most)
	}
}

// The same pages give the same record, whether the segment is new or has sealed others before.
func TestSamePagesGiveSameRecord(t *testing.T) {
	pages := some(6, 60)
	seal := func(s *searchindex.Segment) []byte {
		for p := range prepared(pages) {
			s.Add(p)
		}
		r := s.Seal()
		return append(r.Head, r.Texts...)
	}
	used := searchindex.NewSegment(true)
	for p := range prepared(mixed()) {
		used.Add(p)
	}
	if other := used.Seal(); used.Pages() != 0 || len(other.Head) == 0 || len(other.Texts) == 0 {
		t.Error("a sealed segment is not empty")
	}
	first := seal(searchindex.NewSegment(true))
	if again := seal(used); !bytes.Equal(first, again) {
		t.Error("a segment that was used before gives different bytes")
	}
	plain := seal(searchindex.NewSegment(false))
	if len(plain) <= len(first) {
		t.Errorf("plain %d bytes, packed %d", len(plain), len(first))
	}
}

// A truncated or altered record gives ErrRecord, and the index continues without it.
func TestDamagedRecordIsRefusedAndIndexUnchanged(t *testing.T) {
	s := searchindex.NewSegment(true)
	for p := range prepared(mixed()) {
		s.Add(p)
	}
	good := s.Seal()
	dir := t.TempDir()
	files := 0
	b := searchindex.NewBuilder(func(searchindex.File) error { files++; return nil }, searchindex.Options{Scratch: dir})
	damage := func(part []byte, record func(bad []byte) searchindex.Record) {
		t.Helper()
		for i := range part {
			changed := bytes.Clone(part)
			changed[i] ^= 1 << (i % 8)
			for _, bad := range [][]byte{part[:i], changed} {
				if err := b.AddSegment(record(bad)); !errors.Is(err, searchindex.ErrRecord) {
					t.Fatalf("damage at byte %d: %v", i, err)
				}
			}
		}
	}
	damage(good.Head, func(bad []byte) searchindex.Record { return searchindex.Record{Head: bad, Texts: good.Texts} })
	damage(good.Texts, func(bad []byte) searchindex.Record { return searchindex.Record{Head: good.Head, Texts: bad} })
	damage(good.Texts, func(bad []byte) searchindex.Record {
		return searchindex.Record{Head: good.Head, Load: func() ([]byte, bool) { return bad, true }}
	})
	if files > 0 {
		t.Errorf("%d files of damaged records were written", files)
	}
	if err := errors.Join(b.AddSegment(good), b.Close()); err != nil || files < 3 {
		t.Errorf("%d files, %v", files, err)
	}
	b.Discard() // may be called at any time
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// If a file cannot be written, the error is returned and the temporary file is removed.
func TestOutputErrorLeavesNoTemporaryFile(t *testing.T) {
	full := errors.New("the disk is full")
	s := searchindex.NewSegment(false)
	for p := range prepared(some(7, 200)) {
		s.Add(p)
	}
	record := s.Seal()
	for _, prefix := range []string{"d0.", "t3.", "words.", "index"} {
		dir := t.TempDir()
		b := searchindex.NewBuilder(func(f searchindex.File) error {
			if strings.HasPrefix(f.Name, prefix) {
				return full
			}
			return nil
		}, searchindex.Options{Scratch: dir})
		err := b.AddSegment(record)
		if err == nil {
			err = b.Close()
		}
		b.Discard()
		if left, _ := os.ReadDir(dir); !errors.Is(err, full) || len(left) > 0 {
			t.Errorf("%s: %v, left behind: %v", prefix, err, left)
		}
	}
	b := searchindex.NewBuilder(func(searchindex.File) error { return nil },
		searchindex.Options{Scratch: t.TempDir() + "/none"})
	if err := b.AddSegment(record); err == nil || errors.Is(err, searchindex.ErrRecord) {
		t.Errorf("without a folder for temporary files: %v", err)
	}
}

// An index without pages can be queried and returns no hits.
func TestIndexWithoutPagesIsEmpty(t *testing.T) {
	hits, err := open(t, build(t)).Search(context.Background(), searchindex.Query{Text: "anything"})
	if err != nil || len(hits) != 0 {
		t.Errorf("%v %v", hits, err)
	}
}
