//go:build nightly

package browser

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// B10: the 404.html of one bundle works at a root, below any path, at any depth of the missing address, and from disk.
func TestNotFoundPageFindsSite(t *testing.T) {
	t.Parallel()
	dir := lostSite(t)
	root, docs := fallback(t, dir, "/", ""), fallback(t, dir, "/docs/", policyOf(t, dir))
	disk := (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir) + "/"}).String()
	for _, c := range []struct{ name, address, home string }{
		{"root", root + "/missing", root + "/"},
		{"root, deep", root + "/a/b/c/missing?x=1", root + "/"},
		{"below a path, under a policy", docs + "/docs/missing", docs + "/docs/"},
		{"below a path, deep", docs + "/docs/a/guide/biling.html", docs + "/docs/"},
		{"by its own name", docs + "/docs/404.html", docs + "/docs/"},
		{"disk", disk + "404.html", disk},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := openURL(t, c.address)
			p.waitFor(
				`document.querySelector("#content h1")?.textContent === "Page not found" &&
					document.documentElement.style.visibility === ""`)
			p.waitFor(`[...document.images].every((i) => i.complete && i.naturalWidth > 0)`)
			p.expectEqual("home", eval[string](p, `document.querySelector("#content a.button").href`), c.home+"index.html")
			p.expectEqual("the skip link stays", eval[string](p,
				`String(document.querySelector("a.skip").href === location.href.split("#")[0] + "#content")`), "true")
			p.expectEqual("styles", eval[string](p, `getComputedStyle(document.querySelector(".shell")).display`), "grid")
			if strings.Contains(c.address, "biling") {
				p.waitFor(`document.querySelector(".lost-near a")?.href === "` + c.home + `guides/billing.html"`)
			}
			p.waitFor(`!document.querySelector(".lost-search").hidden && !("waiting" in document.documentElement.dataset)`)
			p.expectEqual("distance of the text from the middle", eval[string](p, `(() => {
				const box = document.querySelector(".content").getBoundingClientRect();
				return String(Math.abs(Math.round((box.left + box.right - document.documentElement.clientWidth) / 2)));
			})()`), "0")
			p.click(".lost-search")
			p.waitFor(`document.querySelector("dialog.search[open]") !== null`)
			p.key("invoices")
			p.waitFor(activeOption + ` !== null`)
			p.key(kb.Enter)
			p.waitForHeading("Billing")
			p.expectEqual("address", eval[string](p, `location.href.split("#")[0]`), c.home+"guides/billing.html")
			p.follow(`.sidebar a[href="deploy.html"]`, "Deployment")
			p.checkConsoleExcept("Failed to load resource") // the missing address, and places where the page looks
		})
	}
}
