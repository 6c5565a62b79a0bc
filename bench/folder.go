package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// Sizes of real pages, in bytes: half are below the median, 5% above the 95th percentile, as in a log-normal
// distribution.
const (
	medianSize = 2700
	highSize   = 18_000
	leastSize  = 300
	mostSize   = 80_000
)

// kind selects the content of a folder's pages.
type kind struct {
	plain bool // only Markdown that other programs interpret the same way
	math  bool // one page in a hundred contains formulas
}

// page is a generated source file.
type page struct {
	path string // path without a leading slash: "section-00/page-0000"
	body []byte // without front matter
	head string // front matter
}

const perSection = 20

func pagePath(i int) string { return fmt.Sprintf("section-%02d/page-%05d", i/perSection, i) }

// makePages generates n pages in memory. Pages with different seeds share no text.
func makePages(seed uint64, n int, k kind) []page {
	links := make([]string, min(n, 500))
	for i := range links {
		links[i] = pagePath(i * max(1, n/len(links)))
	}
	out := make([]page, n)
	for i := range out {
		out[i] = makePage(seed<<32|uint64(i), i, links, k)
	}
	return out
}

func makePage(seed uint64, i int, links []string, k kind) page {
	a := newAuthor(seed, links)
	spread := math.Log(highSize/float64(medianSize)) / 1.645
	size := int(medianSize * math.Exp(spread*a.r.NormFloat64()))
	size = min(max(size, leastSize), mostSize)
	p := page{path: pagePath(i)}
	p.head = fmt.Sprintf("---\ntitle: %q\ndescription: %q\nicon: \"rocket\"\n---\n\n", a.phrase(3), a.phrase(9))
	snippet := !k.plain && a.r.IntN(8) == 0 // one page in eight includes a snippet
	if snippet {
		a.printf("import Setup from \"/snippets/setup-%d.mdx\";\n\n", a.r.IntN(snippets))
	}
	a.printf("%s\n\n", a.prose())
	if snippet {
		a.printf("<Setup product=%q />\n\n", a.phrase(1))
	}
	if k.math && a.r.IntN(100) == 0 {
		a.formulas()
	}
	for a.Len() < size {
		a.block(k)
	}
	p.body = a.Bytes()
	return p
}

func (a *author) block(k kind) {
	sum := 0
	for _, b := range blocks {
		if b.plain || !k.plain {
			sum += b.weight
		}
	}
	at := a.r.IntN(sum)
	for _, b := range blocks {
		if !b.plain && k.plain {
			continue
		}
		if at -= b.weight; at < 0 {
			b.write(a)
			return
		}
	}
}

// snippets is the number of snippets in a folder.
const snippets = 8

// writeFolder writes a docs folder: pages in sections, a tab for every ten sections, snippets, one image.
func writeFolder(dir string, seed uint64, n int, k kind) error {
	type group struct {
		Group string   `json:"group"`
		Pages []string `json:"pages"`
	}
	type tab struct {
		Tab    string  `json:"tab"`
		Groups []group `json:"groups"`
	}
	var tabs []tab
	put := func(name, text string) error {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(text), 0o644)
	}
	for i, p := range makePages(seed, n, k) {
		if i%(perSection*10) == 0 {
			tabs = append(tabs, tab{Tab: fmt.Sprintf("Part %d", len(tabs)+1)})
		}
		t := &tabs[len(tabs)-1]
		if i%perSection == 0 {
			t.Groups = append(t.Groups, group{Group: fmt.Sprintf("Section %d", i/perSection)})
		}
		g := &t.Groups[len(t.Groups)-1]
		g.Pages = append(g.Pages, p.path)
		if err := put(p.path+".mdx", p.head+string(p.body)); err != nil {
			return err
		}
	}
	config, err := json.Marshal(map[string]any{"name": "Bench", "theme": "mint",
		"colors": map[string]string{"primary": "#0D9373"}, "navigation": map[string]any{"tabs": tabs}})
	if err != nil {
		return err
	}
	files := map[string]string{"docs.json": string(config),
		"images/one.png": "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 4000)}
	for i := range snippets {
		a := newAuthor(uint64(i), []string{pagePath(0)})
		a.printf("Install {product} first. %s\n\n", a.prose())
		a.fence(i%len(samples), "")
		files[fmt.Sprintf("snippets/setup-%d.mdx", i)] = a.String()
	}
	for name, text := range files {
		if err := put(name, text); err != nil {
			return err
		}
	}
	return nil
}
