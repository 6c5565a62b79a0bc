package devserve

import (
	"net/http"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

// find searches the preview as a reader's browser does, with the search files.
func (p *preview) find(text string) (paths []string) {
	p.t.Helper()
	index, err := searchindex.Open(func(name string) ([]byte, error) {
		resp, body := p.get("/_lectern/search/" + name)
		if resp.StatusCode != http.StatusOK {
			p.t.Errorf("%s returns %d", name, resp.StatusCode)
		}
		return []byte(body), nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	hits, err := index.Search(p.t.Context(), searchindex.Query{Text: text})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, h := range hits {
		paths = append(paths, h.Path)
	}
	return paths
}

func TestSearchFindsNewText(t *testing.T) {
	p := open(t, site()...)
	if got := p.find("first text"); len(got) != 1 || got[0] != "guides/start" {
		t.Errorf("found %v", got)
	}
	next := p.listen("1")
	p.edit("guides/start.mdx", "---\ntitle: Start\n---\n\nRhubarb.\n")
	for range 20 {
		if next(); len(p.find("rhubarb")) == 1 { // announced after the pass that follows the edit
			return
		}
	}
	t.Error("the new text is not found")
}
