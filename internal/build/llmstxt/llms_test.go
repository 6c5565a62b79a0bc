package llmstxt

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDescriptionsAreDroppedBeforePages(t *testing.T) {
	index := func(pages, words int) Index {
		x := Index{Name: "N", More: "/sitemap.xml", Sections: []Section{{Title: "S"}}}
		for i := range pages {
			x.Sections[0].Links = append(x.Sections[0].Links, Link{Title: fmt.Sprint("Page ", i),
				URL: fmt.Sprintf("/p%d.md", i), Description: strings.Repeat("wörter ", words)})
		}
		return x
	}
	for _, c := range []struct {
		pages, words int
		longest      int // longest description, in characters
		cut          bool
	}{{10, 20, 139, false}, {10, 100, 300, false}, {600, 100, 80, false}, {2000, 100, 0, false}, {9000, 100, 0, true}} {
		text := string(index(c.pages, c.words).Render())
		if n := utf8.RuneCountInString(text); n > Max {
			t.Errorf("%d pages: %d characters", c.pages, n)
		}
		line, _, _ := strings.Cut(text[strings.Index(text, "- [Page 0](/p0.md)")+len("- [Page 0](/p0.md)"):], "\n")
		if n := utf8.RuneCountInString(strings.TrimPrefix(line, ": ")); n > c.longest || n < c.longest*3/4 {
			t.Errorf("%d pages: a description of %d characters, want about %d", c.pages, n, c.longest)
		}
		if cut := strings.Contains(text, "truncated"); cut != c.cut ||
			strings.Count(text, "\n- [") == c.pages == c.cut {
			t.Errorf("%d pages: cut %v, %d pages", c.pages, cut, strings.Count(text, "\n- ["))
		}
	}
}

func TestNoteCannotStartSection(t *testing.T) {
	text := string(Index{Name: "N", Note: "Be brief.\n## Section\n\n- [x](y)",
		Sections: []Section{{Title: "S", Links: []Link{{"T", "/t.md", ""}}}}}.Render())
	want := "# N\n\n> ## Agent Instructions\n> Be brief.\n> ## Section\n>\n> - [x](y)\n\n## S\n\n- [T](/t.md)\n"
	if text != want {
		t.Errorf("%q", text)
	}
}

func TestFullTextEndsAtFirstPageThatDoesNotFit(t *testing.T) {
	f, out := NewFull("N", "", "", "/llms.txt", 20_000)
	for _, size := range []int{5000, 12_000, 10} {
		if !f.Room(size) {
			f.Skip(1)
			continue
		}
		page := AppendPage(nil, "/x", []byte(strings.Repeat("a", size)))
		f.Add(len(page))
		out = append(out, page...)
	}
	text := string(append(out, f.Tail()...))
	if len(text) > 20_000 || !strings.HasSuffix(text,
		"Pages omitted: 2. All pages are listed in [llms.txt](/llms.txt).\n") || strings.Count(text, "Source: ") != 1 {
		t.Errorf("%d bytes, ends %q", len(text), text[len(text)-100:])
	}
}
