//go:build nightly

package browser

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// fetchAs requests a page of the site as a program with this user agent.
func (f *freshServer) fetchAs(name, path string) {
	f.t.Helper()
	req, err := http.NewRequestWithContext(f.t.Context(), http.MethodGet, f.url+path, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	req.Host = countedDomain + ":" + f.port
	req.Header.Set("User-Agent", name)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		f.t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		f.t.Fatalf("%s as %s: %d", path, name, res.StatusCode)
	}
}

// Visits, searches and feedback appear on a site's analytics page a moment later. Programs are distinguished by name,
// and readers whose browser opts out are not counted. No cookie is set.
func TestVisitsAppearInAnalytics(t *testing.T) {
	t.Parallel()
	f := startFreshServer(t, nil)
	id := publishCounted(f)
	root := tab(t)
	reader := root.openIsolated(t)
	visitAndGiveFeedback(reader, f)
	readFromDisk(reader, f)
	for _, wish := range []string{`"doNotTrack", { get: () => "1" }`, `"globalPrivacyControl", { get: () => true }`} {
		readUncounted(root.openIsolated(t), f, wish)
	}
	f.fetchAs("Mozilla/5.0 (compatible; ChatGPT-User/1.0)", "/hover.md")
	f.fetchAs("Mozilla/5.0 (compatible; Googlebot/2.1)", "/hover")
	checkAnalyticsPages(root.openIsolated(t), f, id)
}

// visitAndGiveFeedback simulates one reader's visit: four pages, two searches, a missing page, copied code, and two
// comments.
func visitAndGiveFeedback(p *page, f *freshServer) {
	p.t.Helper()
	site := f.site(countedDomain)
	p.allowClipboard(site)
	p.navigate(site + "/")
	p.click("figure.code > button.copy")
	p.waitFor(`document.querySelector("button.copy[data-state]")`)
	p.markDocument()
	p.follow(`#content a[href="/hover"]`, "How kestrels hover")
	p.expectSameDocument(true)
	p.searchFor("masonry")
	p.waitFor(`document.querySelector('dialog.search [role="option"][data-target="/nest"]')`)
	p.click(`dialog.search [role="option"][data-target="/nest"]`)
	p.waitForHeading("Where they nest")
	p.searchFor("zeppelin")
	p.waitFor(`document.querySelector('dialog.search .search-note').textContent.includes("“zeppelin”")`)
	p.key(kb.Escape)
	p.waitFor(`!document.querySelector("dialog.search").open`)

	p.click(`#content a[href="/gone"]`) // fetched by a script first, then opened by the browser: counts as one reader
	p.waitFor(`location.pathname === "/gone" && document.querySelector("h1")`)
	p.navigate(site + "/")
	p.click(`.feedback button[data-helpful="false"]`)
	p.waitFor(`document.activeElement.matches(".feedback textarea")`)
	p.key("Say more about owls")
	p.key(kb.Tab)
	p.key(kb.Enter)
	p.waitFor(`document.querySelector('.feedback [role="status"]').textContent === "Thank you."`)
	run(p, chromedp.EmulateViewport(390, 844))
	p.screenshot("feedback-phone")
	p.click("figure.code > button.report")
	p.waitFor(`document.activeElement.matches("dialog.feedback-dialog textarea")`)
	p.screenshot("feedback-report-phone")
	p.key("Does not run")
	p.key(kb.Tab)
	p.key(kb.Enter)
	p.waitFor(`!document.querySelector("dialog.feedback-dialog")`)
	cookies, err := chromedp.Call(p.ctx, network.GetCookies, network.GetCookiesParams{})
	if err != nil || len(cookies.Cookies) > 0 {
		p.t.Errorf("the site set cookies: %v %v", cookies, err)
	}
	if kept := eval[string](p,
		`Object.keys(localStorage).join()`); strings.Trim(strings.ReplaceAll(kept, "lectern-recent", ""), ",") != "" {
		p.t.Errorf("the browser stores %s", kept)
	}
	p.checkConsoleExcept("Failed to load resource: the server responded with a status of 404")
	run(p, chromedp.Navigate("about:blank"))
}

// readFromDisk opens a page of the site's bundle from the reader's disk. The published site receives its events.
func readFromDisk(p *page, f *freshServer) {
	p.t.Helper()
	docs, dir := fstest.MapFS{}, p.t.TempDir()
	for name, text := range countedDocs() {
		docs[name] = &fstest.MapFile{Data: []byte(text)}
	}
	disk, err := os.OpenRoot(dir)
	if err != nil {
		p.t.Fatal(err)
	}
	defer disk.Close()
	offers := capability.Offers{Analytics: capability.Analytics{On: true, To: f.site(countedDomain)}}
	if _, err := build.Build(p.t.Context(), docs, build.Options{Links: link.Relative, Offers: offers},
		output.NewDir(disk)); err != nil {
		p.t.Fatal(err)
	}
	p.navigate("file://" + filepath.ToSlash(filepath.Join(dir, "nest.html")))
	p.waitFor(`document.querySelector(".feedback:not([hidden])")`)
	p.checkConsole()
	run(p, chromedp.Navigate("about:blank"))
}

// searchFor opens the search and types text.
func (p *page) searchFor(text string) {
	p.t.Helper()
	p.click("[data-search]")
	p.waitFor(`document.activeElement.matches("#search-input")`)
	p.fill("#search-input", text)
}

// readUncounted reads three pages with a browser that opts out of analytics; wish is the navigator property that
// expresses this. The browser emulates a phone, on which the form at the end of a short page is visible: it must not
// move anything when its script loads.
func readUncounted(p *page, f *freshServer, wish string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument,
		cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: `Object.defineProperty(Navigator.prototype, ` + wish +
			`)`}); err != nil {
		p.t.Fatal(err)
	}
	w := watchRequests(p)
	run(p, chromedp.EmulateViewport(390, 844))
	p.navigate(f.site(countedDomain) + "/")
	p.expectNoLayoutShift("/")
	p.follow(`#content a[href="/hover"]`, "How kestrels hover")
	p.navigate(f.site(countedDomain) + "/nest")
	p.expectNoLayoutShift("/nest")
	run(p, chromedp.Navigate("about:blank"))
	if !w.requested("/nest") || w.requested(capability.Path) {
		p.t.Errorf("%s: the visit was counted or did not happen", wish)
	}
	p.checkConsole()
}

// checkAnalyticsPages checks the figures in the dashboard as the owner and sets the state of the feedback.
func checkAnalyticsPages(p *page, f *freshServer, id string) {
	p.t.Helper()
	p.makeOwner(f)
	at := f.url + "/dashboard/projects/" + id + "/analytics"
	p.reloadUntil(at, `.figures > div:nth-child(1) strong`, "5")
	p.reloadUntil(at, `.figures > div:nth-child(3) strong`, "1")
	p.expectEqual("AI", p.text(".figures > div:nth-child(2) strong"), "1")
	p.expectEqual("visitors", p.text(".figures > div:nth-child(4) strong"), "1")
	pages := p.text(`[aria-label="Pages, the most read first"]`)
	for _, path := range []string{"/hover", "/nest"} {
		if !strings.Contains(pages, path) {
			p.t.Errorf("%s is not among the pages: %s", path, pages)
		}
	}
	if !eval[bool](p, `document.querySelector(".chart .pillar.human").getBoundingClientRect().height > 0`) {
		p.t.Error("the chart is empty")
	}
	p.checkLook("analytics")
	p.reloadUntil(at+"/search", `[aria-label="Searches, the most frequent first"] tbody`, "masonry")
	p.reloadUntil(at+"/search", `[aria-label="Searches, the most frequent first"] tbody`, "zeppelin")
	p.expectEqual("opened most", p.text(`td[data-label="Opened most"] a`), "/nest")
	p.checkLook("analytics-search")
	p.reloadUntil(at+"/missing", "main tbody", "/gone")
	p.expectEqual("times", p.text(`td[data-label="Times"]`), "1")
	p.checkLook("analytics-missing")
	p.navigate(f.url + "/dashboard/analytics")
	p.checkLook("analytics-sites")
	p.navigate(at + "/feedback")
	p.checkLook("analytics-feedback")
	p.checkConsoleExcept(refused, axeStyles)
	p.withoutScripts()
	p.navigate(at + "/feedback")
	p.expectEqual("what was said", strings.Join(eval[[]string](p,
		`[...document.querySelectorAll(".said blockquote")].map((b) => b.textContent)`), ", "),
		"Does not run, Say more about owls")
	p.selectOption(`.said li:nth-child(2) select`, "resolved")
	p.clickAndLoad(`.said li:nth-child(2) button`)
	p.expectEqual("what was done", p.text(".did"), "Saved.")
	p.expectEqual("its state", p.text(".said li:nth-child(2) .state"), "resolved")
}
