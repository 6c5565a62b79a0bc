package browser

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// lostSite returns a bundle whose base is not known when it is made.
func lostSite(t *testing.T) string {
	t.Helper()
	return site(t, append(searchable(), "docs.json",
		`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "logo": "/logo.svg",
		"redirects": [{"source": "/old/page", "destination": "/guides/deploy"}, {"source": "/old/place", "destination": "/guides/deploy?own=1#steps"}],
		"navigation": {"groups": [{"group": "Guide", "pages": ["index", "guides/deploy", "guides/billing"]}]}}`,
		"logo.svg",
		`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><rect width="60" height="20"/></svg>`)...)
}

// fallback returns a static host that shows 404.html for what is missing, wherever that is.
func fallback(t *testing.T, dir, below, policy string) string {
	t.Helper()
	files := http.StripPrefix(strings.TrimSuffix(below, "/"), http.FileServer(http.Dir(dir)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if policy != "" {
			w.Header().Set("Content-Security-Policy", policy)
		}
		name, inside := strings.CutPrefix(r.URL.Path, below)
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); inside && err == nil {
			files.ServeHTTP(w, r)
			return
		}
		page, err := os.ReadFile(filepath.Join(dir, "404.html"))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(page) // the browser may be gone
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// policyOf allows the script inside of 404.html, as the bundle's own notes say.
func policyOf(t *testing.T, dir string) string {
	t.Helper()
	notes, err := os.ReadFile(filepath.Join(dir, "_lectern/hosting/README.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, digest, ok := strings.Cut(string(notes), "'sha256-")
	digest, _, _ = strings.Cut(digest, "'")
	if !ok || !strings.Contains(route.PagePolicy, "script-src 'self'") {
		t.Fatalf("notes %s, policy %s", notes, route.PagePolicy)
	}
	return strings.NewReplacer("script-src 'self'", "script-src 'self' 'sha256-"+digest+"'", "base-uri 'none'",
		"base-uri 'self'").Replace(route.PagePolicy)
}

// B10: one bundle, whose 404.html works at a root, below any path, however deep the missing address is, and from a
// disk.
func TestTheMissingPageFindsItsSite(t *testing.T) {
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
			p.checkConsoleExcept("Failed to load resource") // the address, and places where the site was looked for
		})
	}
}

// A redirect page takes along what its address had behind the path, unless the rule has its own.
func TestRedirectPageKeepsQueryAndFragment(t *testing.T) {
	t.Parallel()
	dir := lostSite(t)
	docs := fallback(t, dir, "/docs/", route.PagePolicy) + "/docs/"
	disk := (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir) + "/"}).String()
	for _, base := range []string{docs, disk} {
		for from, to := range map[string]string{
			"old/page.html?x=1#steps": "guides/deploy.html?x=1#steps", "old/page.html": "guides/deploy.html",
			"old/place.html?x=1#y": "guides/deploy.html?own=1#steps",
		} {
			p := openURL(t, base+from)
			p.waitForHeading("Deployment")
			p.expectEqual("address", eval[string](p, `location.href`), base+to)
			p.checkConsole()
		}
	}
}

// A path that starts with two slashes is a path: the page neither loads from the host that it looks like nor sends
// readers there.
func TestTheMissingPageStaysOnItsHost(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 100)
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		w.Header().Set("Content-Type", "text/css")
	}))
	t.Cleanup(foreign.Close)
	host := strings.TrimPrefix(foreign.URL, "http:")
	for name, c := range map[string]struct{ missing, until string }{
		"shown": {"{}",
			`document.querySelector("#content h1")?.textContent === "Page not found" && !document.documentElement.hidden`},
		"redirect": {`{"404": {"redirect": true}}`, `document.querySelector("#page-title")?.textContent === "Welcome"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := site(t, append(searchable(), "docs.json",
				`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "errors": `+c.missing+`,
				"navigation": {"pages": ["index", "guides/deploy", "guides/billing"]}}`)...)
			own := fallback(t, dir, "/", "")
			for _, address := range []string{host + "/404", host + "/404.html", "//" + host + "/404", host + "/a/b"} {
				p := openURL(t, own+address)
				p.waitFor(`location.origin !== "` + own + `" || ` + c.until)
				p.expectEqual("origin", eval[string](p, `location.origin`), own)
				p.expectEqual("links to other hosts",
					eval[string](p,
						`[...document.links].map((a) => a.href).filter((h) => !h.startsWith(location.origin + "/")).join()`), "")
			}
		})
	}
	if len(asked) > 0 {
		t.Errorf("the other host was asked for %s", <-asked)
	}
}
