//go:build nightly

package browser

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// silentDocs returns the files of a site with every feature that could send requests: an API with a playground, a
// diagram, formulas, code and icons.
func silentDocs() map[string]string {
	return map[string]string{
		"docs.json": `{"name": "Birds", "theme": "mint", "colors": {"primary": "#0055ff"}, "api": {"openapi": "api.json"}, "contextual": {"options": ["copy", "view", "assistant"]},
			"footer": {"socials": {"github": "https://github.com/birds"}}, "navigation": {"pages": ["index", "hover", "find"]}}`,
		"index.mdx": "---\ntitle: Birds of prey\n---\nRead how they [hover](/hover), or [elsewhere](https://birds.example.com).\n\n<Card title=\"Hover\" icon=\"feather\" href=\"/hover\">Read on.</Card>\n\n" +
			"```mermaid\ngraph LR\n  A --> B\n```\n\n$$e = mc^2$$\n\n```js title=\"bird.js\"\nlet bird = 1\n```\n",
		"hover.mdx": "---\ntitle: How kestrels hover\n---\nKestrels face the wind and beat their wings quickly.\n\n## Wind\n\nWithout wind they flap harder.\n",
		"find.mdx":  "---\ntitle: Find a bird\nopenapi: GET /birds/first\n---\nThe first bird.\n",
		"api.json": `{"openapi": "3.1.0", "info": {"title": "Birds", "version": "1"}, "servers": [{"url": "https://api.birds.example.com"}],
			"paths": {"/birds/first": {"get": {"summary": "Find a bird", "responses": {"200": {"description": "One"}}}}}}`,
	}
}

// B8: pages of a bundle with default settings contact only the host that serves them, not only when they are opened,
// but also when readers search, switch the theme, move between pages and open the playground. The server that built the
// bundle keeps running, so that a page could report the visit to it. If the operator wants visits counted, the bundle
// reports them, and verify lists that.
func TestDefaultBundleContactsOnlyItsHost(t *testing.T) {
	t.Parallel()
	quiet := publishAndExport(t)
	site := serveBundle(t, quiet)
	p, w := openIsolatedTab(t)
	run(p, chromedp.EmulateViewport(1280, 900))
	p.navigate(site + "/")
	p.waitForHeading("Birds of prey")
	p.click(`#content a[href*="hover"]`)
	p.waitForHeading("How kestrels hover")
	p.click("[data-search]")
	p.waitFor(`document.activeElement?.matches("dialog.search input")`)
	p.key("flap harder")
	p.waitFor(activeOption + ` !== null`)
	p.click(".search-close")
	before := eval[string](p, `document.documentElement.dataset.scheme ?? ""`)
	p.click("button.scheme:not([hidden])")
	p.waitFor(`(document.documentElement.dataset.scheme ?? "") !== "` + before + `"`)
	p.click(`.sidebar a[href*="find"]`)
	p.waitForHeading("Find a bird")
	p.click(".try-open")
	p.waitFor(`document.querySelector(".try-send") !== null`)
	p.navigate(site + "/no/such/page")
	p.navigate(site + "/hover")
	p.waitFor(`performance.now() > 3000`) // pages report visits a second or two later
	var seen int
	for _, r := range w.finish(p, site+"/") {
		switch u, err := url.Parse(r.url); {
		case err != nil:
			t.Errorf("%v: %v", r, err)
		case u.Scheme == "data" || u.Scheme == "blob" || u.Scheme == "about":
		case u.Scheme+"://"+u.Host != site:
			t.Errorf("another host is contacted: %v", r)
		default:
			seen++
		}
	}
	if seen < 15 {
		t.Errorf("only %d requests were seen: there was no visit", seen)
	}
	report := verifyContacts(t, quiet)
	if report.count("load") != 0 || !strings.Contains(report.text, `"reason":"api"`) {
		t.Errorf("verify lists %s", report.text)
	}

	counted := publishAndExport(t, "--analytics-bundles", "on")
	site = serveBundle(t, counted)
	p, w = openIsolatedTab(t)
	p.navigate(site + "/")
	p.waitForHeading("Birds of prey")
	for counted := false; !counted; { // pages report a visit after a second or two
		_, all := w.state()
		if counted = containsHost(all, "birds.localhost"); !counted && eval[float64](p, `performance.now()`) > 20_000 {
			t.Fatalf("a bundle with analytics reports no visit, so this test could not fail: %v", all)
		}
	}
	if report := verifyContacts(t, counted); report.count("load") == 0 || !strings.Contains(report.text, "birds.localhost") ||
		!strings.Contains(report.text, `"reason":"fetch"`) {
		t.Errorf("verify lists %s", report.text)
	}
}

func containsHost(all []request, host string) bool {
	for _, r := range all {
		if u, err := url.Parse(r.url); err == nil && u.Hostname() == host {
			return true
		}
	}
	return false
}

// publishAndExport publishes the site on a new server and exports it with only its domain. The server keeps running.
func publishAndExport(t *testing.T, flags ...string) (file string) {
	t.Helper()
	f := startFreshServer(t, nil, append(flags, "--first-site", "off")...)
	dir := t.TempDir()
	for name, text := range silentDocs() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.CreateProject(t.Context(), client.CreateProject{Name: "Birds", Domain: "birds.localhost",
		Source: client.SourceInput{Path: dir}}); err != nil {
		t.Fatal(err)
	}
	f.project("birds.localhost")
	job, err := f.StartExport(t.Context(), client.StartExport{Domain: "birds.localhost"})
	if err == nil {
		job, err = f.WaitExport(t.Context(), job.JobID, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	link, err := f.CreateExportBundle(t.Context(), job.JobID,
		client.CreateExportBundleParams{Format: client.BundleFormatTarGz})
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(t.TempDir(), "site.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := f.Download(t.Context(), link, out); err != nil {
		t.Fatal(err)
	}
	return out.Name()
}

// serveBundle serves a bundle on another port and returns its address.
func serveBundle(t *testing.T, file string) string {
	t.Helper()
	at := lectern.FreeAddress(t)
	server := lectern.Spawn(t, programPath(t), nil, "serve-bundle", "--source", file, "--listen", at, "--data", t.TempDir())
	server.Await("the bundle", func() bool {
		r, err := http.Get("http://" + at + "/readyz")
		if err != nil {
			return false
		}
		defer r.Body.Close()
		_, _ = io.Copy(io.Discard, r.Body)
		return r.StatusCode == http.StatusOK
	})
	return "http://" + at
}

// contacts is the part of bundle verify's report that lists hosts.
type contacts struct {
	Contacts []struct{ Address, Reason, When string }
	text     string
}

func (c contacts) count(when string) (n int) {
	for _, one := range c.Contacts {
		if one.When == when {
			n++
		}
	}
	return n
}

// verifyContacts runs bundle verify and returns which hosts a bundle would contact. Contacts are an error unless their
// host is allowed.
func verifyContacts(t *testing.T, file string) (c contacts) {
	t.Helper()
	cmd := exec.Command(programPath(t), "bundle", "verify", file, "--json")
	cmd.Env = []string{"HOME=" + t.TempDir()}
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("verify: %v", err)
	}
	if err := json.Unmarshal(out, &c); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(c.Contacts)
	if err != nil {
		t.Fatal(err)
	}
	c.text = strings.ToLower(string(text))
	if cmd.ProcessState.Success() == (c.count("load") > 0) {
		t.Errorf("verify exits with %v and lists %s", cmd.ProcessState, c.text)
	}
	return c
}
