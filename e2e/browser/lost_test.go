package browser

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/route"
)

// lostSite returns a bundle that was built without knowing its base path.
func lostSite(t *testing.T) string {
	t.Helper()
	return site(t, append(searchable(), "docs.json",
		`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "logo": "/logo.svg",
		"redirects": [{"source": "/old/page", "destination": "/guides/deploy"}, {"source": "/old/place", "destination": "/guides/deploy?own=1#steps"}],
		"navigation": {"groups": [{"group": "Guide", "pages": ["index", "guides/deploy", "guides/billing"]}]}}`,
		"logo.svg",
		`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><rect width="60" height="20"/></svg>`)...)
}

// fallback starts a static host that serves 404.html for every path without a file, and returns its address.
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

// policyOf returns a policy that allows the script in 404.html, with the digest from the bundle's hosting notes.
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

// A redirect page passes on the query and fragment of its address, unless the rule has its own.
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

// A path that starts with two slashes does not name a host: the 404 page neither loads anything from the host that it
// resembles nor sends readers there.
func TestNotFoundPageStaysOnItsHost(t *testing.T) {
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
		t.Errorf("the other host received a request for %s", <-asked)
	}
}
