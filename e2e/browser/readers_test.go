package browser

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// corpus adds real sites to the tests of this file: folders with a site file, separated by commas.
var corpus = flag.String("corpus", "", "docs folders to read in the browser too, separated by commas")

// every opens all pages of our docs in each test and from each place. Without it,
// TestPagesLoadWithoutErrorsOrLayoutShifts opens nearly all of them (see fewAlike) from one place, and some from the
// others, as the other tests do: a defect of a page shows in any place, and a defect of a place on any page.
var every = flag.Bool("every", false, "open every page of our docs from every place")

// sampleMax bounds the pages looked at of one site; they are spread over it.
const sampleMax = 12

// testSite is a site that the tests open.
type testSite struct {
	name    string
	src     fs.FS
	all     bool // every page is looked at
	whole   bool // every listed page, also those that are alike
	partial bool // the folder lacks its pictures
}

func testSites(t *testing.T) []testSite {
	t.Helper()
	out := []testSite{{name: "docs", src: docs.Site, all: true}}
	if *corpus == "" {
		return out
	}
	for dir := range strings.SplitSeq(*corpus, ",") {
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = root.Close() })
		out = append(out, testSite{name: filepath.Base(dir), src: root.FS(), partial: true})
	}
	return out
}

// pages returns the paths to look at.
func (s testSite) pages(t *testing.T) (out []string) {
	t.Helper()
	loaded, _, err := load.Load(t.Context(), s.src, load.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loaded.Site.Pages {
		if p.Listed && p.Details().External == "" {
			out = append(out, p.Path)
		}
	}
	if s.whole {
		return out
	}
	if s.all {
		return dropSimilar(out)
	}
	return pickEvenly(out, sampleMax)
}

// alike are folders of our docs whose pages are all built the same way: operations of the API description, and decisions,
// which are plain text.
var alike = []string{"reference/api/", "decisions/"}

// dropSimilar keeps some pages of each folder in alike, and all others. With -every it keeps all.
func dropSimilar(pages []string) []string {
	if *every {
		return pages
	}
	rest, samples := slices.Clone(pages), []string(nil)
	for _, folder := range alike {
		inside := func(page string) bool { return strings.HasPrefix(page, folder) }
		var found []string
		for _, page := range rest {
			if inside(page) {
				found = append(found, page)
			}
		}
		rest = slices.DeleteFunc(rest, inside)
		samples = append(samples, pickEvenly(found, sampleMax)...)
	}
	return append(rest, samples...)
}

// samplePages returns pages of all kinds; with -every, all pages.
func samplePages(pages []string) []string {
	if *every {
		return pages
	}
	return pickEvenly(pages, sampleMax)
}

// rich are folders of our docs whose pages show what authors can use, so that each page differs from the others.
var rich = []string{"components/", "write/"}

// variedPages returns the pages of the folders in rich and some others; with -every, all pages.
func variedPages(pages []string) []string {
	isRich := func(page string) bool {
		return slices.ContainsFunc(rich, func(folder string) bool { return strings.HasPrefix(page, folder) })
	}
	if *every {
		return pages
	}
	plain := slices.DeleteFunc(slices.Clone(pages), isRich)
	return append(slices.DeleteFunc(slices.Clone(pages), func(page string) bool { return !isRich(page) }),
		pickEvenly(plain, sampleMax)...)
}

// pickEvenly picks at most n of all, evenly.
func pickEvenly(all []string, n int) (out []string) {
	if len(all) <= n {
		return all
	}
	for i := range n {
		out = append(out, all[i*len(all)/n])
	}
	return out
}

// C5: in a browser, no page breaks the policy it is served under, throws, or asks another host for anything but what
// its author put there; and nothing moves after the first paint. Read from disk, below a path, and from our host. With
// -every, all pages are opened from everywhere.
func TestPagesLoadWithoutErrorsOrLayoutShifts(t *testing.T) {
	t.Parallel()
	for _, s := range testSites(t) {
		pages := s.pages(t)
		for i, w := range ways {
			t.Run(s.name+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				base := w.start(t, s.src)
				p := tab(t)
				tabs, islands := 0, 0
				opened := variedPages(pages)
				if i > 0 {
					opened = samplePages(pages)
				}
				for _, page := range opened {
					p.visit(w.at(base, page))
					p.expectNoLayoutShift(page)
					p.expectOwnHostOnly(page, base)
					tabs += p.switchTab(page)
					islands += p.waitForIslands()
				}
				if t.Logf("%d pages with tabs, %d client components", tabs, islands); s.all && i == 0 &&
					(tabs == 0 || islands == 0) {
					t.Error("our docs show neither tabs nor client components any more")
				}
				if s.partial {
					p.checkConsoleExcept("Failed to load resource") // of what the folder does not hold, and of other hosts
				} else {
					p.checkConsole()
				}
			})
		}
	}
}

// Pages can be used by everybody: axe finds nothing serious. The content of pages that differ is checked in light on a
// wide screen, and some pages as a whole, in light and in dark on a phone: what stands around the content is the same
// on all pages. With -every, all pages are checked as a whole.
func TestPagesAreAccessible(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile("../../web/npm/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range testSites(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			base := belowPath(t, s.src)
			p := tab(t)
			pages := variedPages(s.pages(t))
			for _, look := range []struct {
				name, scheme string
				width        int64
				pages        []string
			}{{"light", "light", 1280, pages}, {"dark on a phone", "dark", 390, pickEvenly(pages, sampleMax)}} {
				run(p, chromedp.EmulateViewport(look.width, 900))
				whole := pickEvenly(pages, sampleMax)
				for _, page := range look.pages {
					part := "document"
					if !*every && !slices.Contains(whole, page) {
						part = "'main'"
					}
					p.visit(base + page + ".html")
					eval[bool](p, `(document.documentElement.dataset.scheme = '`+look.scheme+`') !== ''`)
					p.expectAccessible(page+" "+look.name, part, string(axe))
				}
			}
		})
	}
}

func (p *page) visit(address string) {
	p.t.Helper()
	run(p, chromedp.Navigate(address))
	p.waitFor(`document.readyState === 'complete'`)
}

// expectNoLayoutShift fails the test when something moves while the page loads.
func (p *page) expectNoLayoutShift(name string) {
	p.t.Helper()
	if moved := p.shift(); moved.Sum > shiftMax {
		p.t.Errorf("%s: the page moves by %.3f while it loads: %s", name, moved.Sum, strings.Join(moved.What, "\n"))
	}
}

// shiftMax is the layout shift above which a reader notices that something moved.
const shiftMax = 0.02

// shift is the layout shift of a page since it was opened, as browsers compute it (CLS), and what moved.
type shift struct {
	Sum  float64
	What []string
}

func (p *page) shift() shift {
	p.t.Helper()
	const observed = `new Promise((done) => { const found = { sum: 0, what: [] };
		new PerformanceObserver((all) => { for (const e of all.getEntries()) if (!e.hadRecentInput) { found.sum += e.value;
			for (const s of e.sources) found.what.push(e.value.toFixed(3) + ' at ' + Math.round(e.startTime) + ' ms: ' + (s.node?.outerHTML ?? s.node?.textContent ?? '').slice(0, 120)
				+ ' ' + JSON.stringify(s.previousRect) + ' ' + JSON.stringify(s.currentRect)) } })
			.observe({ type: 'layout-shift', buffered: true });
		requestAnimationFrame(() => setTimeout(() => done(found), 50)) })`
	return run(p, chromedp.Evaluate[shift](observed, chromedp.EvalAwaitPromise))
}

// expectOwnHostOnly fails the test if the page requested anything from another host except an embedded picture, video
// or frame:
// scripts, styles, typefaces and data are the site's own.
func (p *page) expectOwnHostOnly(name, base string) {
	p.t.Helper()
	asked := eval[[]string](p, `(() => {
		const shown = new Set([...document.querySelectorAll('img, video, audio, source, iframe')].flatMap((e) => [e.src, e.currentSrc, e.poster]));
		return performance.getEntriesByType('resource').map((e) => e.name)
			.filter((u) => !/^(data|blob):/.test(u) && !u.startsWith(new URL('/', location).href) && !shown.has(u));
	})()`)
	if len(asked) > 0 {
		slices.Sort(asked)
		p.t.Errorf("%s: the page asks %v (base %s)", name, asked, base)
	}
}

// switchTab selects another tab in the page's content, if one is visible, and returns 1 then.
func (p *page) switchTab(name string) int {
	p.t.Helper()
	const other = `[...document.querySelectorAll('article [role="tab"][aria-selected="false"]')].find((e) => e.getClientRects().length > 0)`
	if !eval[bool](p, `(window.otherTab = `+other+`) !== undefined`) {
		return 0
	}
	eval[bool](p, `(window.otherTab.click(), true)`)
	p.waitFor(
		`window.otherTab.ariaSelected === 'true' && document.getElementById(window.otherTab.getAttribute('aria-controls')).getClientRects().length > 0`)
	return 1
}

// waitForIslands waits until the client components of the page are hydrated, and counts them.
func (p *page) waitForIslands() int {
	p.t.Helper()
	p.waitFor(`document.querySelectorAll('lectern-island:not([data-alive])').length === 0`)
	return eval[int](p, `document.querySelectorAll('lectern-island').length`)
}

// expectAccessible fails the test for each serious finding of axe in a part of the page, which is an expression or a
// selector in quotes.
func (p *page) expectAccessible(name, part, axe string) {
	p.t.Helper()
	// colours on their way are not what readers see
	eval[bool](p, axe+"; document.getAnimations().forEach((a) => a.finish()); true")
	p.checkAxe(name, part, "")
}

// checkAxe runs axe, which is in the page already, on a part of the page; more narrows the rules.
func (p *page) checkAxe(name, part, more string) {
	p.t.Helper()
	ask := `axe.run(` + part + `, { resultTypes: ['violations'], selectors: false, preload: false` + more + ` }).then((r) => r.violations
		.filter((v) => v.impact === 'serious' || v.impact === 'critical')
		.flatMap((v) => v.nodes.slice(0, 3).map((n) => v.id + ': ' + n.html.slice(0, 160) + ' | ' + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? ''))))`
	for _, finding := range run(p, chromedp.Evaluate[[]string](ask, chromedp.EvalAwaitPromise)) {
		p.t.Errorf("%s: %s", name, finding)
	}
}
