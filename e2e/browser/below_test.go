package browser

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// An export has relative links. On any file server and below any path, the links work and pages change without a
// reload.
func TestExportBelowPathChangesPagesInPlace(t *testing.T) {
	t.Parallel()
	pairs := append(searchable(), "docs.json",
		`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "logo": "/logo.svg",
		"navigation": {"groups": [{"group": "Guide", "pages": ["index", "top", "guides/deploy", "guides/billing"]}]}}`,
		"logo.svg",
		`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><rect width="60" height="20"/></svg>`,
		"top.mdx",
		"---\ntitle: Top\n---\nimport { Counter } from '/snippets/counter.jsx'\n\n<Counter start={5} />\n\n![drawing](/logo.svg)\n", "snippets/counter.jsx", counter)
	files := http.StripPrefix("/docs", http.FileServer(http.Dir(site(t, pairs...))))
	s := httptest.NewServer(files)
	t.Cleanup(s.Close)
	p := openURL(t, s.URL+"/docs/guides/deploy.html")
	p.markDocument()
	p.follow(`.sidebar a[href="billing.html"]`, "Billing")
	p.follow(`.sidebar a[href="../top.html"]`, "Top")
	p.waitFor(`document.querySelector("lectern-island[data-alive] .more")?.textContent === "count 5"`)
	p.waitFor(`[...document.images].every((i) => i.complete && i.naturalWidth > 0)`)
	p.follow(`.sidebar a[href="guides/deploy.html"]`, "Deployment")
	p.pressSlash()
	p.waitFor(`document.querySelector("dialog.search[open]") !== null`)
	p.key("invoices")
	p.waitFor(activeOption + ` !== null`)
	p.key(kb.Enter)
	p.waitForHeading("Billing")
	p.expectEqual("address", eval[string](p, `location.pathname`), "/docs/guides/billing.html")
	p.expectSameDocument(true)
	p.checkConsole()
}
