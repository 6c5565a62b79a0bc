package browser

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// A site opens in the language of the reader's browser and remembers the language that the reader chooses. A missing
// page redirects to the home page if the author has configured that.
func TestSiteOpensInBrowserLanguage(t *testing.T) {
	t.Parallel()
	binary, archive := programPath(t), filepath.Join(t.TempDir(), "site.tar.gz")
	docs := worktest.Write(t, map[string]string{
		"docs.json": `{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "errors": {"404": {"redirect": true}}, "navigation": {"languages": [
			{"language": "fr", "pages": ["index"]}, {"language": "en", "pages": ["en/index"]}]}}`,
		"index.mdx": "---\ntitle: Accueil\n---\nBonjour.\n", "en/index.mdx": "---\ntitle: Home\n---\nHello.\n",
	})
	if out, err := exec.Command(binary, "export", docs, "--out", archive, "--no-cache").CombinedOutput(); err != nil {
		t.Fatalf("export: %v\n%s", err, out)
	}
	address := lectern.FreeAddress(t)
	server := lectern.Spawn(t, binary, nil, "serve-bundle", "--source", archive, "--data", t.TempDir(), "--listen",
		address, "--base-path", "/docs")
	server.Await("readiness", func() bool { return lectern.Status("http://"+address+"/readyz") == http.StatusOK })
	p := openURL(t, "http://"+address+"/docs/")
	p.waitFor(`document.querySelector("h1")?.textContent === "Home" && location.pathname === "/docs/en/"`)
	p.runScript(`(document.querySelector('.switch[data-kind="language"] a[hreflang="fr"]').click(), true)`)
	p.waitFor(`document.querySelector("h1")?.textContent === "Accueil"`)
	p.expectEqual("choice", eval[string](p, `document.cookie`), "lectern-language=fr")
	lost := openURL(t, "http://"+address+"/docs/a/missing")
	lost.waitFor(`["Accueil", "Home"].includes(document.querySelector("h1")?.textContent)`)
	lost.checkConsoleExcept("Failed to load resource", "Refused to apply style")
}
