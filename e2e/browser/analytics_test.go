package browser

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

const countedDomain = "birds.localhost"

// countedDocs returns the files of a small site.
func countedDocs() map[string]string {
	return map[string]string{
		"docs.json": `{"name": "Birds", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"pages": ["index", "hover", "nest"]}}`,
		"index.mdx": "---\ntitle: Birds of prey\n---\nRead how they [hover](/hover).\n\n```js title=\"bird.js\"\nlet bird = 1\n```\n",
		"hover.mdx": "---\ntitle: How kestrels hover\n---\nKestrels face the wind.\n",
		"nest.mdx":  "---\ntitle: Where they nest\n---\nIn old masonry, or [here](/gone).\n",
	}
}

// publishCounted puts a small site on a server and returns its project.
func publishCounted(f *freshServer) string {
	f.t.Helper()
	dir := f.t.TempDir()
	for name, text := range countedDocs() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			f.t.Fatal(err)
		}
	}
	p, err := f.CreateProject(f.t.Context(),
		client.CreateProject{Name: "Birds", Domain: countedDomain, Source: client.SourceInput{Path: dir}})
	if err != nil {
		f.t.Fatal(err)
	}
	f.project(countedDomain)
	return p.ProjectID
}

// watchRequests records the addresses that a tab requests from then on.
func watchRequests(p *page) *watch {
	w := newWatch()
	follow(p.ctx, w, chromedp.Events(p.ctx, network.RequestWillBeSent), func(e network.EventRequestWillBeSent) {
		w.all[e.RequestID] = &request{url: e.Request.URL}
		w.order = append(w.order, e.RequestID)
	})
	return w
}

// requested reports whether one of the addresses contains part.
func (w *watch) requested(part string) bool {
	_, all := w.state()
	return slices.ContainsFunc(all, func(r request) bool { return strings.Contains(r.url, part) })
}

// With analytics off, pages contain no analytics code and send no analytics requests, and its endpoints refuse
// requests.
func TestSiteWithoutAnalyticsHasNoAnalyticsCode(t *testing.T) {
	t.Parallel()
	f := startFreshServer(t, nil, "--features-analytics", "off", "--first-site", "off")
	id := publishCounted(f)
	p := tab(t)
	w := watchRequests(p)
	p.navigate(f.site(countedDomain) + "/")
	page := run(p, chromedp.Evaluate[string](`fetch("/").then((r) => r.text())`, chromedp.EvalAwaitPromise))
	for _, trace := range []string{"analytics", "feedback", "lectern:page", capability.Path} {
		if strings.Contains(page, trace) {
			t.Errorf("the page contains %q", trace)
		}
	}
	p.follow(`#content a[href="/hover"]`, "How kestrels hover")
	p.navigate(f.site(countedDomain) + "/nest")
	if !w.requested("/nest") || w.requested(capability.Path) || w.requested("analytics") {
		t.Error("the page requests a disabled feature")
	}
	for _, path := range []string{capability.CountPath, capability.ThumbPath} {
		if status := run(p, chromedp.Evaluate[int](`fetch("`+path+
			`", { method: "POST", body: "[]" }).then((r) => r.status)`, chromedp.EvalAwaitPromise)); status < 400 {
			t.Errorf("%s returns %d", path, status)
		}
	}
	if _, err := f.GetAnalyticsSummary(t.Context(), id, client.GetAnalyticsSummaryParams{}); err == nil ||
		!strings.Contains(err.Error(), "nalytics") {
		t.Errorf("the API returns: %v", err)
	}
}

// reloadUntil reloads a page until one of its elements contains a text.
func (p *page) reloadUntil(address, selector, text string) {
	p.t.Helper()
	(&freshServer{t: p.t}).waitUntil(text+" at "+address, func() bool {
		p.navigate(address)
		return strings.Contains(p.text(selector), text)
	})
}
