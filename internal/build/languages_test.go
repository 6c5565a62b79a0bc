package build

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// C8: a page lists all its translations, and so does each of the translations. If there are more than maxAlternates,
// none are listed.
func TestSitemapSizeIsLinearInPages(t *testing.T) {
	size := func(languages int) int {
		pages, nodes := map[string]string{"index.mdx": "x"}, []string{}
		for i := range languages {
			code := fmt.Sprintf("en-%04d", i)
			nodes = append(nodes, fmt.Sprintf(`{"language": %q, "pages": ["%s/a"]}`, code, code))
			pages[code+"/a.mdx"] = "---\ntitle: A\n---\nx"
		}
		pages["docs.json"] = `{"name": "x", "navigation": {"languages": [` + strings.Join(nodes, ",") + `]}}`
		out, _ := build(t, files(pages), Options{Links: link.Clean, BaseURL: "https://d.example"})
		return len(out.files["sitemap.xml"])
	}
	if few := size(3); few < 1000 {
		t.Errorf("three languages: %d bytes", few)
	}
	if many := size(300); many > 300*200 {
		t.Errorf("three hundred: %d bytes", many)
	}
}
