package searchindex_test

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
	"github.com/lectern-docs/lectern/internal/site/output"
)

func prepare(p searchindex.Page) *searchindex.Prepared {
	var r searchindex.Preparer
	return r.Prepare(p)
}

// build builds an index of pages.
func build(t testing.TB, pages ...searchindex.Page) map[string][]byte {
	t.Helper()
	var r searchindex.Preparer
	return buildFrom(t, searchindex.Ends, func(yield func(*searchindex.Prepared, string) bool) {
		for _, p := range pages {
			if !yield(r.Prepare(p), p.Path) {
				return
			}
		}
	})
}

// buildFrom builds an index of pages. ends decides where segments end.
func buildFrom(t testing.TB, ends func(path string, pages int) bool,
	pages iter.Seq2[*searchindex.Prepared, string]) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	b := searchindex.NewBuilder(func(f searchindex.File) error {
		data, err := output.File{Data: f.Data, Packed: f.Packed}.Bytes()
		if _, there := files[f.Name]; there {
			t.Errorf("%s is written twice", f.Name)
		}
		files[f.Name] = data
		return err
	}, searchindex.Options{Scratch: t.TempDir()})
	defer b.Discard()
	s := searchindex.NewSegment(true)
	seal := func() {
		if s.Pages() > 0 {
			if err := b.AddSegment(s.Seal()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for p, path := range pages {
		if s.Add(p); ends(path, s.Pages()) {
			seal()
		}
	}
	seal()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return files
}

// open opens an index.
func open(t testing.TB, files map[string][]byte) *searchindex.Index {
	t.Helper()
	x, err := searchindex.Open(reader(files, nil))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// reader returns a function that reads files and records their names.
func reader(files map[string][]byte, read *[]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if read != nil {
			*read = append(*read, name)
		}
		data, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("no file %q", name)
		}
		return data, nil
	}
}

// writer generates pages with the word frequencies of real text: the n-th word is n times rarer than the first.
type writer struct {
	r     *rand.Rand
	words []string
}

func newWriter(seed uint64, vocabulary int) *writer {
	w := &writer{r: rand.New(rand.NewPCG(seed, 5))}
	const letters = "etaoinshrdlucmfwypvbgkjqxz"
	seen := map[string]bool{}
	for len(w.words) < vocabulary {
		n := 2 + w.r.IntN(5) + w.r.IntN(6)
		var b strings.Builder
		for i := range n {
			set := letters
			if i%2 == 1 {
				set = "aeiouaeioy"
			}
			b.WriteByte(set[min(w.r.IntN(len(set)), w.r.IntN(len(set)))])
		}
		if word := b.String(); !seen[word] {
			seen[word] = true
			w.words = append(w.words, word)
		}
	}
	return w
}

// word returns one word of the vocabulary.
func (w *writer) word() string {
	n := float64(len(w.words))
	for {
		if i := int(math.Pow(n+1, w.r.Float64())) - 1; i >= 0 && i < len(w.words) {
			return w.words[i]
		}
	}
}

func (w *writer) text(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = w.word()
	}
	return strings.Join(out, " ") + "."
}

// page returns a page with some sections and about 4 kB of text.
func (w *writer) page(i int) searchindex.Page {
	p := searchindex.Page{Path: fmt.Sprintf("%s/%s-%d", w.word(), w.word(), i), Title: w.text(1 + w.r.IntN(4)),
		Description: w.text(9), Crumbs: []string{w.word(), w.word()}}
	for s := range 2 + w.r.IntN(8) {
		section := pagetext.Section{Text: w.text(30 + w.r.IntN(120))}
		if s > 0 {
			section.Level, section.Heading = 2, w.text(1+w.r.IntN(4))
			section.Anchor = strings.ReplaceAll(section.Heading, " ", "-")
		}
		if w.r.IntN(3) == 0 {
			section.Code = fmt.Sprintf("const %s_%s = client.%s(%q, %d)\n", w.word(), w.word(), w.word(), w.text(4),
				w.r.IntN(1_000_000))
		}
		p.Sections = append(p.Sections, section)
	}
	return p
}
