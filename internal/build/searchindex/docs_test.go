package searchindex_test

import (
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// ownDocs returns the pages of our own documentation, split at their headings, and the headings.
func ownDocs(t *testing.T) (pages []searchindex.Page, headings []string) {
	t.Helper()
	err := fs.WalkDir(docs.Site, ".", func(name string, d fs.DirEntry, err error) error {
		if ext := path.Ext(name); err != nil || ext != ".mdx" && ext != ".md" {
			return err
		}
		data, err := fs.ReadFile(docs.Site, name)
		if err != nil {
			return err
		}
		p := searchindex.Page{Path: strings.TrimSuffix(name, path.Ext(name)), Title: path.Base(name),
			Sections: []pagetext.Section{{}}}
		code := false
		for line := range strings.Lines(string(data)) {
			s := &p.Sections[len(p.Sections)-1]
			title, isHeading := strings.CutPrefix(strings.TrimSpace(line), "## ")
			switch {
			case strings.HasPrefix(strings.TrimSpace(line), "```"):
				code = !code
			case code:
				s.Code += line
			case isHeading:
				headings = append(headings, title)
				p.Sections = append(p.Sections, pagetext.Section{Level: 2,
					Anchor: strings.ToLower(strings.ReplaceAll(title, " ", "-")), Heading: title})
			default:
				s.Text += line
			}
		}
		pages = append(pages, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages, headings
}

// Both engines agree on a real site: our own docs. The queries are its headings, and unfinished, mistyped or quoted
// pieces of its text.
func TestBrowserAndServerAgreeOnOurDocs(t *testing.T) {
	pages, headings := ownDocs(t)
	files := build(t, pages...)
	x, b := open(t, files), newBrowser(t, files)
	r := rand.New(rand.NewPCG(3, 14))
	asked := headings[:min(len(headings), questionsOf(60))]
	for range questionsOf(60) {
		sections := pages[r.IntN(len(pages))].Sections
		words := strings.Fields(sections[r.IntN(len(sections))].Text)
		if len(words) < 4 {
			continue
		}
		at := r.IntN(len(words) - 3)
		text := []rune(strings.Join(words[at:at+1+r.IntN(3)], " "))
		if r.IntN(3) == 0 {
			asked = append(asked, `"`+string(text)+`"`)
		}
		if cut := r.IntN(len(text)); r.IntN(2) == 0 {
			text = text[:cut+1]
		} else {
			text[cut] = rune('a' + r.IntN(26))
		}
		asked = append(asked, string(text))
	}
	found := 0
	for _, q := range asked {
		found += compare(t, x, b, searchindex.Query{Text: q, Limit: 1 + r.IntN(30)})
	}
	if found < 4*len(asked) {
		t.Errorf("only %d hits were compared", found)
	}
}
