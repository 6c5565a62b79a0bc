package browser

import (
	"flag"
	"fmt"
	"html"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// sample is the number of pages to open in a corpus site's bundle.
var sample = flag.Int("sample", 25, "pages of each bundle of -corpus to open")

// bases are the places from which one bundle is opened: below a path of a host with a strict policy, from disk, and,
// with -every, at the root of a plain host.
var bases = []struct {
	name  string
	start func(t *testing.T, dir string) string
}{
	{"sub-path", func(t *testing.T, dir string) string {
		return fallback(t, dir, "/docs/", policyOf(t, dir)) + "/docs/"
	}},
	{"file", func(_ *testing.T, dir string) string {
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir) + "/"}).String()
	}},
	{"root", func(t *testing.T, dir string) string { return fallback(t, dir, "/", "") + "/" }},
}

// B8, B9, B10, S5: a bundle written by the program is opened from several places in a browser that can reach no other
// host. Pages load, nothing fails, no other host is contacted, every link, anchor and file exists, tabs and client
// components work, and search finds the right page. Without -every, the test opens only some pages, and fewer of them
// from disk. With -corpus, it also opens some pages of real sites; content that their authors embed from other hosts is
// counted separately.
func TestBundlesContactNoOtherHost(t *testing.T) {
	t.Parallel()
	binary := programPath(t)
	for _, s := range testSites(t) {
		t.Run(s.name, func(t *testing.T) {
			u := exportAndUnpack(t, binary, s)
			goal := s.goal(t)
			for i, b := range first(2, bases) {
				rich := richest
				if i > 0 && !*every {
					rich = 1
				}
				t.Run(b.name, func(t *testing.T) {
					t.Parallel()
					u.openPages(t, s, goal, b.start(t, u.dir), rich)
				})
			}
		})
	}
}

// openPages opens a bundle's pages below a base: for our docs, the first rich pages returned by pagesOfAllKinds, or all
// with -every.
func (u unpacked) openPages(t *testing.T, s testSite, g goal, base string, rich int) {
	pages, lively, moves := u.documents(t)
	redirects := slices.Sorted(maps.Keys(moves))
	if s.all {
		pages, redirects = append(first(rich, pagesOfAllKinds(t, u.dir, pages)), first(1, lively)...), distinctMoves(moves)
	} else {
		pages, redirects = append(pickEvenly(pages, *sample), pickEvenly(lively, *sample/4)...), pickEvenly(redirects, *sample/5)
	}
	slices.Sort(pages)
	pages = slices.Compact(pages)
	p, w := openIsolatedTab(t)
	run(p, chromedp.EmulateViewport(1280, 900))
	c := &crawl{base: base, dir: u.dir, pages: map[string]pageInfo{}}
	tabs, islands := 0, 0
	for _, name := range pages {
		p.visit(base + (&url.URL{Path: name}).EscapedPath())
		islands += p.waitForIslands()
		c.pages[name] = eval[pageInfo](p, readPageInfo)
		tabs += p.switchTab(name)
		w.waitIdle(p)
	}
	for _, name := range redirects {
		if end := p.openMoved(w, base, name, moves); end != "" && c.pages[end].Here == "" {
			c.pages[end] = eval[pageInfo](p, readPageInfo)
		}
	}
	p.visit(base + (&url.URL{Path: g.start}).EscapedPath() + ".html")
	p.searchAndClick(g)
	found := eval[pageInfo](p, readPageInfo)
	// the document was loaded for the first page, so relative addresses in its head belong to that page
	found.Links = nil
	if _, opened := c.pages[g.path+".html"]; !opened {
		c.pages[g.path+".html"] = found
	}
	w.waitIdle(p)
	if s.partial {
		p.checkConsoleExcept("Failed to load resource") // for missing files and for other hosts
	} else {
		p.checkConsole()
	}
	u.check(p, s, c, w.finish(p, base))
	t.Logf("%d pages and %d redirects opened, %d with tabs, %d client components", len(pages), len(redirects), tabs,
		islands)
	if s.all && (tabs == 0 && rich > 1 || islands == 0) {
		t.Error("our docs no longer contain tabs or client components")
	}
}

// distinctMoves picks one moved page for each combination of depth and number of parent folders in its target's
// address. With -every, it returns all.
func distinctMoves(moves map[string]string) (out []string) {
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(moves)) {
		to := moves[name]
		kind := fmt.Sprint(strings.Count(name, "/"), strings.Count(to, "../"), strings.ContainsAny(to, "?#"))
		if !seen[kind] || *every {
			out = append(out, name)
		}
		seen[kind] = true
	}
	return out
}

// openMoved opens a page that has moved, waits for the redirect, and returns the target, or "" if it is not in the
// bundle.
func (p *page) openMoved(w *watch, base, name string, moves map[string]string) string {
	p.t.Helper()
	c := crawl{base: base}
	start := base + (&url.URL{Path: name}).EscapedPath()
	end, err := url.Parse(start)
	for hops := 0; err == nil && moves[name] != "" && hops < 10; hops++ {
		end, err = end.Parse(html.UnescapeString(moves[name]))
		if err == nil {
			name, _, _ = c.fileOf(end.String())
		}
	}
	if err != nil {
		p.t.Fatal(err)
	}
	if !strings.HasPrefix(end.String(), base) {
		return "" // a target on another site, which does not exist here
	}
	run(p, chromedp.Navigate(start))
	short := strings.TrimSuffix(end.EscapedPath(), "index.html") // some servers leave it out
	p.waitFor(`location.pathname.startsWith("` + short +
		`") && document.readyState === "complete" && document.querySelector("p.moved") === null`)
	w.waitIdle(p)
	return name
}

// searchAndClick types the goal's title into the search and clicks the result.
func (p *page) searchAndClick(g goal) {
	p.t.Helper()
	title := strings.ToLower(g.title)
	p.waitFor(`document.querySelector("[data-search]")?.hidden === false`)
	p.key("k", chromedp.ModifierCtrl)
	p.waitFor(`document.activeElement.matches("dialog.search input")`)
	p.key(title)
	p.waitFor(activeOption + `?.querySelector(".search-title")?.textContent.toLowerCase() === "` + title + `"`)
	p.click(`dialog.search [role="option"][aria-selected="true"]`)
	p.waitFor(`document.querySelector("h1")?.textContent.trim() === "` + g.title +
		`" && document.querySelector("dialog.search[open]") === null && document.readyState === "complete"`)
}

// check fails the test for failed requests, requests to other hosts, broken links and wrong addresses.
func (u unpacked) check(p *page, s testSite, c *crawl, asked []request) {
	shown, foreign, missing := map[string]string{}, map[string]int{}, 0
	for _, seen := range c.pages {
		maps.Copy(shown, seen.Shown)
	}
	for _, r := range asked {
		file, _, inside := c.fileOf(r.url)
		page, _, _ := c.fileOf(r.page)
		if page == "" || strings.HasSuffix(page, "/") {
			page += "index.html" // some servers leave it out
		}
		switch local := regexp.MustCompile(`^(data|blob|about|chrome-error|chrome):`).MatchString(r.url); {
		case inside && r.failure != "" && s.partial && u.known.excusesFile(page, file):
			missing++
		case inside && r.failure != "":
			p.t.Error(r)
		case inside || local:
		case s.partial && shown[r.url] != "":
			foreign[shown[r.url]]++
		default:
			p.t.Errorf("another host: %s", r)
		}
	}
	excused := 0
	for _, g := range c.unresolved() {
		if s.partial && (g.place && u.known.excusesPlace(g.page, g.to) ||
			!g.place && u.known.excusesFile(g.page, g.to)) {
			excused++
			continue
		}
		p.t.Errorf("%s links to %s: %s", g.page, g.to, g.why)
	}
	for _, text := range c.addresses() {
		p.t.Error(text)
	}
	p.t.Logf("%d requests; authors' content: %d missing files, %d broken links, from other hosts %v",
		len(asked), missing, excused, foreign)
}

// The other tests rely on the watch, which records failures and requested hosts, and on the browser having no network.
func TestNetworkLogRecordsFailedRequests(t *testing.T) {
	t.Parallel()
	dir := site(t, searchable()...)
	for _, b := range bases {
		t.Run(b.name, func(t *testing.T) {
			base := b.start(t, dir)
			p, w := openIsolatedTab(t)
			p.visit(base + "index.html")
			run(p, chromedp.Evaluate[bool](`new Promise((done) => { let n = 0;
				for (const u of ["http://elsewhere.example/a.png", "https://192.0.2.1/b.png", "missing.png"]) {
					const i = new Image(); i.onerror = i.onload = (e) => { if (++n === 3) done(true) }; i.src = u } })`,
				chromedp.EvalAwaitPromise))
			failed := map[string]bool{}
			for _, r := range w.finish(p, base) {
				if failed[strings.TrimPrefix(r.url, base)] = r.failure != ""; r.url == base+"index.html" &&
					r.failure != "" {
					t.Error(r)
				}
			}
			for _, u := range []string{"http://elsewhere.example/a.png", "https://192.0.2.1/b.png", "missing.png"} {
				if !failed[u] {
					t.Errorf("%s was not seen to fail: %v", u, failed)
				}
			}
		})
	}
}
