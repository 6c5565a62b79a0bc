//go:build nightly

package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// quietBrowser returns flags that, together with the driver's, keep a browser from contacting its vendor. No flag stops
// it from looking up some of its vendor's hosts for updates, hints and forms, whatever page it shows. These lookups are
// blocked, so that only requests of servers and pages are counted. Hosts that pages are known to load from, such as
// fonts.googleapis.com, fonts.gstatic.com and www.googletagmanager.com, are not blocked.
func quietBrowser() []chromedp.ExecAllocatorOption {
	own := []string{"*.google.com", "*.gvt1.com", "*-pa.googleapis.com", "content-autofill.googleapis.com",
		"update.googleapis.com", "safebrowsing.googleapis.com"}
	return []chromedp.ExecAllocatorOption{chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true), chromedp.Flag("no-pings", true),
		chromedp.Flag("disable-features",
			disabledFeatures+",OptimizationHints,OptimizationGuideModelDownloading,MediaRouter,"+
				"AutofillServerCommunication"),
		chromedp.Flag("host-resolver-rules", "MAP "+strings.Join(own, " ~NOTFOUND, MAP ")+" ~NOTFOUND")}
}

// F7: an air-gapped server, and a browser that visits its sites, its dashboard and a bundle, send nothing: not one
// packet leaves the network namespace in which both run, including name lookups. All traffic except loopback goes to a
// device that this test reads, so that requests that would fail silently elsewhere are counted here. Control packets
// before and after verify the counting.
func TestAirGappedServerContactsNoOtherHost(t *testing.T) {
	t.Parallel()
	if runIsolated(t) {
		return
	}
	s := setUpNetwork(t)
	s.probe()
	s.expectEmpty("before anything runs")
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json") // no CORS headers: only the proxy can read the response
		fmt.Fprintf(w, `{"name": "Kestrel", "asked": %q}`, r.URL.Path)
	}))
	defer api.Close()
	f := startFreshServer(t, nil, "--deployment-type", "air-gapped", "--features-search", "local", "--features-assistant",
		"local", "--playground-origins", api.URL, "--git-poll-interval", "1s")
	g := &airGapTest{freshServer: f, page: ownBrowser(t, quietBrowser()...).tab(t), sink: s, api: api.URL}
	s.expectEmpty("after the start")
	g.publish()
	g.publishExternalSources()
	s.expectEmpty("after publishing")
	g.walk(f.site("birds.localhost"))
	s.expectEmpty("after a visit of the site")
	g.checkAudit()
	g.navigate(f.site("docs.localhost") + "/")
	g.dashboard()
	s.expectEmpty("after a visit of the dashboard")
	g.bundle()
	s.probe() // after the probe, everything sent before it has been counted
	s.expectEmpty("at the end")
	s.probeBrowser(g.page)
}

// airGapTest is the state of one test behind an air gap.
type airGapTest struct {
	*freshServer
	*page
	*sink
	api string
}

func (g *airGapTest) folder(pairs ...string) string {
	dir := g.freshServer.t.TempDir()
	for i := 0; i < len(pairs); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, pairs[i]), []byte(pairs[i+1]), 0o600); err != nil {
			g.freshServer.t.Fatal(err)
		}
	}
	return dir
}

// publish publishes a site with an API. Its description also names an external host.
func (g *airGapTest) publish() {
	t := g.freshServer.t
	dir := g.folder("docs.json",
		`{"name": "Birds", "theme": "mint", "colors": {"primary": "#0055ff"}, "api": {"openapi": "api.json"}, "navigation": {"pages": ["index", "hover", "find"]}}`,
		"index.mdx", "---\ntitle: Birds of prey\n---\nRead how they [hover](/hover).\n",
		"hover.mdx",
		"---\ntitle: How kestrels hover\n---\nKestrels face the wind and beat their wings quickly.\n\n## Wind\n\nWithout wind they flap harder.\n",
		"find.mdx", "---\ntitle: Find a bird\nopenapi: GET /birds/first\n---\nThe first bird.\n",
		"api.json", `{"openapi": "3.1.0", "info": {"title": "Birds", "version": "1"}, "servers": [{"url": "`+
			g.api+`"}, {"url": "https://birds.example.com"}],
			"paths": {"/birds/first": {"get": {"summary": "Find a bird", "responses": {"200": {"description": "One", "content": {"application/json": {"schema": {"type": "object", "properties": {"name": {"type": "string"}}}}}}}}}}}`)
	p, err := g.CreateProject(t.Context(),
		client.CreateProject{Name: "Birds", Domain: "birds.localhost", Source: client.SourceInput{Path: dir}})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.update(p.ProjectID); err != nil {
		t.Fatal(err)
	}
}

// update publishes a project; the error is the one shown to its author.
func (g *airGapTest) update(projectID string) error {
	t := g.freshServer.t
	t.Helper()
	started, err := g.StartUpdate(t.Context(), projectID, client.StartUpdate{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.WaitUpdate(t.Context(), started.StatusID, nil)
	return err
}

// publishExternalSources publishes projects whose authors name external hosts: a repository, and an API description.
func (g *airGapTest) publishExternalSources() {
	t := g.freshServer.t
	far, err := g.CreateProject(t.Context(), client.CreateProject{Name: "Far", Domain: "far.localhost",
		Source: client.SourceInput{Repository: "https://git.example.com/docs.git"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.update(far.ProjectID); err == nil ||
		!strings.Contains(err.Error(), `may not connect to the address of the host "git.example.com"`) {
		t.Errorf("the error for the author of a remote repository is: %v", err)
	}
	dir := g.folder("docs.json",
		`{"name": "Near", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"groups": [{"group": "G", "pages": ["index"]}, {"group": "API", "openapi": "https://specs.example.com/openapi.json"}]}}`,
		"index.mdx", "---\ntitle: Near\n---\nHere.\n")
	near, err := g.CreateProject(t.Context(),
		client.CreateProject{Name: "Near", Domain: "near.localhost", Source: client.SourceInput{Path: dir}})
	if err != nil {
		t.Fatal(err)
	}
	err = g.update(near.ProjectID) // another test checks whether the page is published without its API
	t.Logf("the error for the author of a remote description: %v", err)
}

// walk reads pages, searches, asks the assistant and calls the API. site is an address without a trailing slash.
func (g *airGapTest) walk(site string) {
	p := g.page
	p.navigate(site + "/")
	p.waitForHeading("Birds of prey")
	p.click(`#content a[href*="hover"]`)
	p.waitForHeading("How kestrels hover")
	p.click("[data-search]")
	p.waitFor(`document.activeElement?.matches("dialog.search input")`)
	p.key("flap harder")
	p.waitFor(shownOptions + `.length >= 1`)
	p.waitFor(activeOption + `?.textContent.includes("Wind")`)
	p.click(".search-close")
	p.waitFor(`document.querySelector("dialog.search[open]") === null`)
	p.waitFor(`document.querySelector("[data-assistant]")?.hidden === false`)
	p.key("i", chromedp.ModifierCtrl)
	p.askAndWait("How do kestrels hover in the wind?")
	p.waitFor(lastAnswer + `.textContent.includes("wings") && ` + lastAnswer +
		`.querySelector(".ask-sources a") !== null`)
	p.click(`.ask-head button[aria-label="Close"]`)
	p.click(`.sidebar a[href*="find"]`)
	p.waitForHeading("Find a bird")
	p.click(".try-open")
	p.waitFor(`document.querySelector(".try-relay:not([hidden]) input") !== null`)
	eval[bool](p,
		`(() => { const box = document.querySelector(".try-relay input"); if (!box.checked) box.click(); return true; })()`)
	p.click(".try-send:not([hidden])")
	p.waitFor(
		`/^200/.test(document.querySelector(".try-status .api-status")?.textContent ?? "") && document.querySelector(".try-answer-body").textContent.includes("/birds/first")`)
	p.checkRefusedServers()
}

// checkRefusedServers checks that servers in the API description that are not on the operator's list are refused and
// receive no request.
func (p *page) checkRefusedServers() {
	p.t.Helper()
	eval[bool](p,
		`(fetch(new URL(JSON.parse(document.querySelector("[data-try-plan]").textContent).proxyURL, document.baseURI), { method: "POST",
		headers: { "Lectern-Target": "https://birds.example.com/birds/first", "Lectern-Method": "GET" } }).then((r) => r.json()).then((answer) => { window.refusal = answer.code; }), true)`)
	p.waitFor(`window.refusal !== undefined`)
	p.expectEqual("a host outside", eval[string](p, `window.refusal`), "origin_not_allowed")
}

// checkAudit checks that the audit log lists visitors' calls to an API that only the operator's list allows (F6).
func (g *airGapTest) checkAudit() {
	t := g.freshServer.t
	list, err := g.ListEvents(t.Context(), client.ListEventsParams{Action: "playground.internal"})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(list.Events); n != 1 || list.Events[0].Actor != "visitor" || list.Events[0].Data["origin"] != g.api ||
		list.Events[0].Data["host"] != "birds.localhost" {
		t.Errorf("%d events: %+v", n, list.Events)
	}
}

// dashboard creates the owner's account and opens every page of the menu.
func (g *airGapTest) dashboard() {
	p := g.page
	p.makeOwner(g.freshServer)
	links := strings.Fields(eval[string](p,
		`[...document.querySelectorAll(".side a[href^='/dashboard/']")].map((a) => a.getAttribute("href")).join(" ")`))
	if len(links) < 4 {
		g.freshServer.t.Errorf("the menu links to %v", links)
	}
	for _, path := range links {
		p.navigate(g.freshServer.url + path)
		if p.text("main h1") == "" {
			g.freshServer.t.Errorf("%s has no heading", path)
		}
	}
}

// bundle exports the site, serves the bundle with its own server below a path, and walks it.
func (g *airGapTest) bundle() {
	t := g.freshServer.t
	job, err := g.StartExport(t.Context(), client.StartExport{Domain: "birds.localhost"})
	if err != nil {
		t.Fatal(err)
	}
	if job, err = g.WaitExport(t.Context(), job.JobID, nil); err != nil || job.Status != client.ExportStatusCompleted {
		t.Fatalf("%+v %v", job, err)
	}
	link, err := g.CreateExportBundle(t.Context(), job.JobID,
		client.CreateExportBundleParams{Format: client.BundleFormatTarGz})
	if err != nil {
		t.Fatal(err)
	}
	site := lectern.FreeAddress(t)
	server := lectern.Spawn(t, programPath(t), []string{"LECTERN_BUNDLE_SOURCE=" + link.BundleURL,
		"LECTERN_DEPLOYMENT_TYPE=air-gapped", "LECTERN_FEATURES_SEARCH=local", "LECTERN_FEATURES_ASSISTANT=local",
		"LECTERN_PLAYGROUND_PROXY=on", "LECTERN_PLAYGROUND_ORIGINS=" + g.api}, "serve-bundle", "--listen", site,
		"--base-path", "/docs", "--data", t.TempDir())
	server.Await("the bundle", func() bool {
		r, err := http.Get("http://" + site + "/readyz")
		if err != nil {
			return false
		}
		defer r.Body.Close()
		_, _ = io.Copy(io.Discard, r.Body)
		return r.StatusCode == http.StatusOK
	})
	g.walk("http://" + site + "/docs")
	if got := eval[string](g.page,
		`new URL(JSON.parse(document.querySelector("[data-try-plan]").textContent).proxyURL, document.baseURI).pathname`); got != "/docs"+capability.ProxyPath {
		t.Errorf("the bundle's proxy is at %s", got)
	}
}
