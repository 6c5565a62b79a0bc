package browser

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// B10, C5: when serve-bundle serves a bundle below a path, the 404 page finds its site under the content security
// policy, although the bundle was not built for that path.
func TestNotFoundPageFindsSiteBehindServeBundle(t *testing.T) {
	t.Parallel()
	binary, archive := programPath(t), filepath.Join(t.TempDir(), "site.tar.gz")
	files := map[string]string{}
	for pairs := searchable(); len(pairs) > 1; pairs = pairs[2:] {
		files[pairs[0]] = pairs[1]
	}
	files["docs.json"] = `{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"pages": ["index", "guides/deploy", "guides/billing"]}}`
	docs := worktest.Write(t, files)
	if out, err := exec.Command(binary, "export", docs, "--out", archive, "--no-cache").CombinedOutput(); err != nil {
		t.Fatalf("export: %v\n%s", err, out)
	}
	for _, base := range []string{"", "/docs"} {
		t.Run("base "+base, func(t *testing.T) {
			address := lectern.FreeAddress(t)
			server := lectern.Spawn(t, binary, nil, "serve-bundle", "--source", archive, "--data", t.TempDir(),
				"--listen", address, "--base-path", base)
			home := "http://" + address + base + "/"
			server.Await("readiness",
				func() bool { return lectern.Status("http://"+address+"/readyz") == http.StatusOK })
			for _, path := range []string{"missing", "a/b/c/missing.html?x=1"} {
				p := openURL(t, home+path)
				p.waitFor(
					`document.querySelector("#content h1")?.textContent === "Page not found" && !document.documentElement.hidden`)
				p.expectEqual("home", eval[string](p, `document.querySelector("#content a.button").href`), home+"index.html")
				p.expectEqual("styles", eval[string](p, `getComputedStyle(document.querySelector(".shell")).display`), "grid")
				// the missing address, and places where the page looks for the site
				p.checkConsoleExcept("Failed to load resource", "Refused to apply style from 'http://"+address+"/_lectern/root.")
			}
		})
	}
}
