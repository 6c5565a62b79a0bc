package load

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/reader"
)

// A file is withheld together with the pages that refer to it, no matter what the file is called and how a page spells
// its name.
func TestOddlyNamedFilesAreWithheldWithTheirPages(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{"img/plan (1).png", `<img src="/img/plan (1).png" />`},
		{"img/plan (1).png", `![x](</img/plan (1).png>)`},
		{"img/plan (1).png", `![x](../img/plan%20\(1\).png "title")`},
		{"img/plan(1).png", `![x](/img/plan(1).png)`},
		{"img/ann's.png", `<img src="/img/ann's.png" />`},
		{"img/a[1].png", `<img src="/img/a[1].png" />`},
		{"img/a{1}.png", `<img src='./../img/a{1}.png' />`},
		{"img/a|b.png", `<img src="/img/a|b.png" />`},
		{"img/a,b;c=d.png", `![x](/img/a,b;c=d.png)`},
		{"img/foo_bar.png", `![x](/img/foo\_bar.png)`},
		{"img/a&b.png", `![x](/img/a&amp;b.png)`},
		{"img (old)/part.png", `![x](</img (old)/part.png>)`},
		{"guide/(1).png", `<img src="(1).png" />`},
		{"guide/in/(1).png", `<img src="in/(1).png?x" />`},
		{"img/s.png", `<Snippet file="part.mdx" />`},
		{"img/s.png", `<Snippet  x="y" file={'deep/part.mdx'} />`},
	} {
		for _, shared := range []bool{false, true} {
			site := map[string]string{
				"docs.json": `{"name": "x", "navigation": ["index", "guide/open", "guide/closed"]}`,
				"index.mdx": "x", "guide/open.mdx": "x", "guide/closed.mdx": "---\ngroups: [a]\n---\n" + c.text + "\n",
				"snippets/part.mdx": "![y](/img/s.png)", "_snippets/deep/part.mdx": "![y](/img/s.png)",
				c.file: "x",
			}
			if shared {
				site["guide/open.mdx"] = c.text
			}
			want := c.file
			if shared {
				want = ""
			}
			if got := strings.Join(loadView(t, site, reader.View{}).WithheldFiles, " "); got != want {
				t.Errorf("%s, shared %v: withheld %q", c.text, shared, got)
			}
		}
	}
}

// The view includes a file only if one of its pages refers to exactly that file.
func TestSimilarReferenceDoesNotPublishAFile(t *testing.T) {
	for _, text := range []string{"other/plan (1).png", "/big-plan (1).png", "/img/plan (1).png.bak", "../../plan (1).png",
		"/x/img/plan (1).png"} {
		l := loadView(t, map[string]string{
			"docs.json": `{"name": "x", "navigation": ["index", "guide/open", "closed"]}`, "index.mdx": "x",
			"guide/open.mdx": `<img src="` + text + `" />`, "closed.mdx": "---\ngroups: [a]\n---\n<img src=\"img/plan (1).png\" />",
			"img/plan (1).png": "x",
		}, reader.View{})
		if len(l.WithheldFiles) != 1 {
			t.Errorf("%s publishes the file of another page", text)
		}
	}
}
