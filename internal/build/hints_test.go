package build

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/site/link"
)

func TestBrokenReferencesSuggestTargets(t *testing.T) {
	page := "# A\n\n[a](/guide/start) [b](/docs/start#x) [c](/nowhere/at-all) ![d](/img/logo.png) ![e](/img/none.png) " +
		"[f](/guides/start#First_Steps) ![g](data:text/html;base64," + strings.Repeat("A", 500) + ")\n"
	_, report := build(t, fstest.MapFS{
		"docs.json":            {Data: []byte(`{"name": "X", "navigation": {"pages": ["index", "guides/start"]}}`)},
		"index.mdx":            {Data: []byte(page)},
		"guides/start.mdx":     {Data: []byte("---\ntitle: Start\n---\n\n## First steps\n")},
		"assets/old/logo.png":  {Data: []byte("x")},
		"assets/old/other.png": {Data: []byte("x")},
	}, Options{Links: link.Relative})
	hints := map[string]string{}
	for _, d := range report.Diagnostics {
		hints[d.Message] = d.Hint
		if len(d.Message) > 200 {
			t.Errorf("a message has %d bytes: %s", len(d.Message), d.Message)
		}
	}
	for message, want := range map[string]string{
		`Page or file not found: "/guide/start".`:                           `Did you mean "/guides/start"?`,
		`Page or file not found: "/docs/start#x".`:                          `Did you mean "/guides/start#x"?`,
		`Page or file not found: "/nowhere/at-all".`:                        "redirect the address",
		`File not found: "/img/logo.png".`:                                  `Did you mean "/assets/old/logo.png"?`,
		`File not found: "/img/none.png".`:                                  "Add the file",
		`The page "guides/start" has no heading with the id "First_Steps".`: `Did you mean "#first-steps"?`,
	} {
		if got := hints[message]; !strings.Contains(got, want) {
			t.Errorf("%s\nhint %q, want %q\nall: %v", message, got, want, hints)
		}
	}
}
