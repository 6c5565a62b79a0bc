package race

import (
	"bytes"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestPagesAreDeterministicWithRequestedSize(t *testing.T) {
	s := site{pages: 300}
	sum := 0
	for i := range s.pages {
		page := s.page(i)
		if !bytes.Equal(page, s.page(i)) {
			t.Fatalf("page %d differs from itself", i)
		}
		sum += len(page)
	}
	if mean := sum / s.pages; mean < 7000 || mean > 9000 {
		t.Errorf("pages have %d bytes, want about 8000", mean)
	}
}

var fence = regexp.MustCompile("(?s)```([a-z]+)\n.*?```")

func TestCodeBlocksAreUniqueAndCoverAllLanguages(t *testing.T) {
	s := site{pages: 500}
	seen, langs := map[string]bool{}, map[string]int{}
	for i := range s.pages {
		blocks := fence.FindAllSubmatch(s.page(i), -1)
		if len(blocks) != 2 || bytes.Equal(blocks[0][1], blocks[1][1]) {
			t.Fatalf("page %d has %d code blocks, want two of different languages", i, len(blocks))
		}
		for _, b := range blocks {
			if seen[string(b[0])] {
				t.Fatalf("page %d repeats a block", i)
			}
			seen[string(b[0])] = true
			langs[string(b[1])]++
		}
	}
	for _, sample := range samples {
		if langs[sample.lang] < s.pages/10 {
			t.Errorf("%d blocks in %s", langs[sample.lang], sample.lang)
		}
	}
}

// VitePress interprets double braces in text as a template, and each generator treats tags differently.
func TestPlainPagesUseNoGeneratorSyntax(t *testing.T) {
	for i := range 200 {
		text := string(fence.ReplaceAll(site{pages: 200}.page(i), nil))
		if at := strings.IndexAny(text, "{<"); at >= 0 {
			t.Fatalf("page %d: %q", i, text[at:min(at+40, len(text))])
		}
	}
}

func TestMDXPagesAddComponentsToPlainPages(t *testing.T) {
	component := regexp.MustCompile(`(?s)<(Note|Steps|Tabs|CardGroup)[ >].*?</(Note|Steps|Tabs|CardGroup)>\n\n`)
	for i := range 50 {
		plain, mdx := site{pages: 50}.page(i), site{pages: 50, mdx: true}.page(i)
		if got := component.ReplaceAll(mdx, nil); !bytes.Equal(got, plain) {
			t.Fatalf("page %d without components is\n%s\nwant\n%s", i, got, plain)
		}
		if n := len(component.FindAll(mdx, -1)); n != 6 {
			t.Fatalf("page %d has %d components", i, n)
		}
	}
}

func TestLinksPointToExistingPages(t *testing.T) {
	dir := t.TempDir()
	s := site{pages: 45, mdx: true}
	if err := s.write(dir); err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`(?:\]\(|href=")/([^)"]+)`)
	docs := os.DirFS(dir)
	for i := range s.pages {
		for _, m := range link.FindAllSubmatch(s.page(i), -1) {
			if _, err := fs.Stat(docs, string(m[1])+".mdx"); err != nil {
				t.Fatalf("page %d: %v", i, err)
			}
		}
	}
	config, err := fs.ReadFile(docs, "docs.json")
	if err != nil || bytes.Count(config, []byte(`"section-`)) != s.pages {
		t.Errorf("docs.json (%v) lists %d pages", err, bytes.Count(config, []byte(`"section-`)))
	}
}
