package route

import (
	"net/http"
	"strings"
	"testing"
)

func in(names ...string) func(string) bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return func(name string) bool { return set[name] }
}

func TestOnlyPagesAndTheirMarkdownAreAdvertised(t *testing.T) {
	has := in("index.html", "index.md", "a b/c.html", "a b/c.md", "lone.md", "404.html", "llms.txt", "logo.svg",
		".well-known/api-catalog")
	for name, want := range map[string]string{
		"index.html":   `</index.md>; rel="alternate"; type="text/markdown", </llms.txt>; rel="llms-txt"; type="text/plain", </.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
		"a b/c.md":     `<https://docs.example.com/a%20b/c>; rel="canonical", </llms.txt>; rel="llms-txt"; type="text/plain", </.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
		"index.md":     `<https://docs.example.com/>; rel="canonical", </llms.txt>; rel="llms-txt"; type="text/plain", </.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
		"404.html":     `</llms.txt>; rel="llms-txt"; type="text/plain", </.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
		"lone.md":      "",
		"logo.svg":     "",
		"llms.txt":     "",
		"none.at.all/": "",
	} {
		h := http.Header{}
		if SetPageHeaders(h, name, "https://docs.example.com", has); h.Get("Link") != want {
			t.Errorf("%s: %s", name, h.Get("Link"))
		}
	}
}

// For any Accept header, a reader who does not name Markdown or plain text gets HTML.
func FuzzPrefersMarkdown(f *testing.F) {
	for _, seed := range []string{"text/markdown", "text/html;q=0.8, text/markdown", "*/*", ";;q=;,",
		"text/plain;q=1e309", "text/markdown;q=-1", "text/markdown;q=NaN"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		lower := strings.ToLower(accept)
		if PrefersMarkdown([]string{accept}) && !strings.Contains(lower, "text/markdown") &&
			!strings.Contains(lower, "text/plain") {
			t.Fatalf("%q", accept)
		}
	})
}
