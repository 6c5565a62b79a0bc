package browser

import (
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/conformance/corpus/pagemeasure"
	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// corpus adds real sites to the tests in this file: comma-separated docs folders.
var corpus = flag.String("corpus", "", "docs folders to read in the browser too, separated by commas")

// every opens all pages of our docs in each test and from each place; it is on in nightly runs. Without it,
// TestPagesLoadWithoutErrorsOrLayoutShifts opens pages with all kinds of elements from one place (see pagesOfAllKinds),
// and the pages with most kinds from the others, as the other tests do: a page's defect shows in any place, and a
// place's defect on any page.
var every = flag.Bool("every", tier.Nightly, "open every page of our docs from every place")

// sampleMax limits how many pages of a -corpus site are opened; they are spread evenly over the site.
const sampleMax = 12

// How many of the pages returned by pagesOfAllKinds are opened without -every: richest pages have more than half of the
// kinds, most pages nine tenths.
const (
	richest = 3
	most    = 9
)

// testSite is a site that the tests open.
type testSite struct {
	name    string
	src     fs.FS
	all     bool // every page is opened
	partial bool // pictures are missing from the folder
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

// pages returns the paths to open.
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
	if s.all {
		return out
	}
	return pickEvenly(out, sampleMax)
}

// distinctPages returns the pages whose kinds of elements differ most, the richest first. With -every, it returns all.
func (s testSite) distinctPages(t *testing.T) (out []string) {
	t.Helper()
	pages := s.pages(t)
	if !s.all {
		return pages
	}
	for i := range pages {
		pages[i] += ".html"
	}
	for _, file := range first(most, pagesOfAllKinds(t, exportSite(t, s.src, true), pages)) {
		out = append(out, strings.TrimSuffix(file, ".html"))
	}
	return out
}

// onlyPages returns a site with only the first n of the pages that have files, and these pages. Publishing the other
// pages would take most of the time and is not needed.
func onlyPages(t *testing.T, src fs.FS, pages []string, n int) (site fs.FS, kept []string) {
	t.Helper()
	for _, page := range pages {
		if _, err := fs.Stat(src, page+".mdx"); err == nil && len(kept) < n {
			kept = append(kept, page)
		}
	}
	out := fstest.MapFS{}
	err := fs.WalkDir(src, ".", func(name string, d fs.DirEntry, err error) error {
		page, isPage := strings.CutSuffix(name, ".mdx")
		if err != nil || d.IsDir() || isPage && !slices.Contains(kept, page) && !strings.HasPrefix(name, "snippets/") {
			return err
		}
		data, err := fs.ReadFile(src, name)
		out[name] = &fstest.MapFile{Data: data}
		return err
	})
	var settings map[string]any
	if err == nil {
		err = json.Unmarshal(out["docs.json"].Data, &settings)
	}
	if err == nil {
		settings["navigation"] = map[string]any{"pages": kept}
		out["docs.json"].Data, err = json.Marshal(settings)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out, kept
}

// first returns the first n, or all with -every.
func first[T any](n int, all []T) []T {
	if *every {
		return all
	}
	return all[:min(n, len(all))]
}

// pickEvenly picks at most n entries, spread evenly.
func pickEvenly(all []string, n int) (out []string) {
	if len(all) <= n {
		return all
	}
	for i := range n {
		out = append(out, all[i*len(all)/n])
	}
	return out
}

// C5: in a browser, no page violates the policy under which it is served, throws an error, or requests anything from
// another host unless its author embedded it, and nothing moves after the first paint. Pages are opened from disk,
// below a path, and from our host. With -every, all pages are opened from every place.
func TestPagesLoadWithoutErrorsOrLayoutShifts(t *testing.T) {
	t.Parallel()
	for _, s := range testSites(t) {
		pages := s.distinctPages(t)
		for i, w := range ways {
			t.Run(s.name+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				src, opened := s.src, pages
				if i > 0 {
					opened = first(richest, pages)
				}
				if w.name == "hosted" && s.all && !*every {
					src, opened = onlyPages(t, src, pages, richest)
				}
				base := w.start(t, src)
				p := tab(t)
				tabs, islands := 0, 0
				for _, page := range opened {
					p.visit(w.at(base, page))
					p.expectNoLayoutShift(page)
					p.expectOwnHostOnly(page, base)
					tabs += p.switchTab(page)
					islands += p.waitForIslands()
				}
				if t.Logf("%d pages with tabs, %d client components", tabs, islands); s.all && i == 0 &&
					(tabs == 0 || islands == 0) {
					t.Error("our docs no longer contain tabs or client components")
				}
				if s.partial {
					p.checkConsoleExcept("Failed to load resource") // for missing files and for other hosts
				} else {
					p.checkConsole()
				}
			})
		}
	}
}

// Pages are accessible: axe finds nothing serious and text has enough contrast, in light mode on a wide screen and in
// dark mode on a phone. The first pages are checked as a whole. For the others, only the content is checked, which is
// loaded into the same document, as it is for readers who follow a link: the frame around the content is the same on
// all pages. With -every, all pages are checked as a whole.
func TestPagesAreAccessible(t *testing.T) {
	t.Parallel()
	for _, s := range testSites(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			base := belowPath(t, s.src)
			pages := s.distinctPages(t)
			whole := first(richest, pages)
			if *every { // one tab at a time would leave processors idle
				for part := range slices.Chunk(whole, len(whole)/4+1) {
					t.Run("as a whole from "+part[0], func(t *testing.T) {
						t.Parallel()
						tab(t).checkWhole(base, part)
					})
				}
				return
			}
			p := tab(t)
			p.checkWhole(base, whole)
			for _, page := range pages[len(whole):] {
				p.openInPlace(base + page + ".html")
				for _, look := range looks {
					p.show(look)
					p.checkAxe(page+" "+look.name, "'main'", look.rules)
					p.expectContrast(page + " " + look.name)
				}
			}
		})
	}
}

// checkWhole checks pages including the frame around their content.
func (p *page) checkWhole(base string, pages []string) {
	p.t.Helper()
	for _, page := range pages {
		p.visit(base + page + ".html")
		p.loadAxe()
		for _, look := range looks {
			p.show(look)
			if *every {
				p.checkAxe(page+" "+look.name, "document", "")
				continue
			}
			p.checkAxe(page+" "+look.name, "document", look.rules)
			p.expectContrast(page + " " + look.name)
		}
	}
}

// look is a width and colour scheme in which a page is shown.
type look struct {
	name, scheme string
	width        int64
	rules        string // of axe, for content whose contrast is measured separately
}

// looks are the widths and schemes in which pages are checked. Of axe's rules, only those that depend on the width are
// checked again on a phone.
var looks = []look{
	{"light", "light", 1280, withoutContrast},
	{"dark on a phone", "dark", 390, narrow},
}

// Rules of axe. Where contrast is measured separately, axe does not check it. narrow has the rules whose findings
// depend on the page's width.
const (
	withoutContrast = `, rules: { 'color-contrast': { enabled: false } }`
	narrow          = `, runOnly: ['scrollable-region-focusable', 'link-in-text-block', 'aria-hidden-focus']`
)

// show changes the width and colours of the open page. It waits until a script has made scrollable tables focusable,
// and finishes colour transitions, because intermediate colours are not what readers see.
func (p *page) show(l look) {
	p.t.Helper()
	run(p, chromedp.EmulateViewport(l.width, 900))
	eval[bool](p, `(document.documentElement.dataset.scheme = '`+l.scheme+
		`', document.getAnimations().forEach((a) => a.finish()), true)`)
	p.waitFor(`[...document.querySelectorAll('.table-scroll')].every((e) => e.scrollWidth <= e.clientWidth + 1 || e.tabIndex === 0)`)
}

// openInPlace follows a link from the open page to another one, which loads into the same document.
func (p *page) openInPlace(address string) {
	p.t.Helper()
	p.markDocument()
	eval[bool](p, `(() => {
		const link = Object.assign(document.createElement('a'), { href: `+quote(address)+` });
		document.querySelector('main').append(link);
		link.click();
		return true;
	})()`)
	p.waitFor(`location.href === ` + quote(address) +
		` && document.readyState === 'complete' && !document.documentElement.hasAttribute('data-loading')`)
	p.expectSameDocument(true)
	p.waitForIslands()
}

// expectContrast fails the test for text with too little contrast to its background.
func (p *page) expectContrast(name string) {
	p.t.Helper()
	const limit = 4.5 // WCAG AA
	got := eval[pagemeasure.Page](p, pagemeasure.Expression(limit))
	if got.Texts == 0 {
		p.t.Errorf("%s: no text could be measured", name)
	}
	for _, f := range got.Faint {
		p.t.Errorf("%s: %s: %q has a contrast of %.2f:1, want %v:1", name, f.Element, f.Text, f.Ratio, limit)
	}
}

func (p *page) visit(address string) {
	p.t.Helper()
	run(p, chromedp.Navigate(address))
	p.waitFor(`document.readyState === 'complete'`)
}

// expectNoLayoutShift fails the test if something moves while the page loads.
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
// or frame: scripts, styles, typefaces and data must come from the site.
func (p *page) expectOwnHostOnly(name, base string) {
	p.t.Helper()
	asked := eval[[]string](p, `(() => {
		const shown = new Set([...document.querySelectorAll('img, video, audio, source, iframe')].flatMap((e) => [e.src, e.currentSrc, e.poster]));
		return performance.getEntriesByType('resource').map((e) => e.name)
			.filter((u) => !/^(data|blob):/.test(u) && !u.startsWith(new URL('/', location).href) && !shown.has(u));
	})()`)
	if len(asked) > 0 {
		slices.Sort(asked)
		p.t.Errorf("%s: the page requests %v (base %s)", name, asked, base)
	}
}

// switchTab selects another tab in the page's content and returns 1, or 0 if none is visible.
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

// loadAxe runs axe's script in the open page.
func (p *page) loadAxe() {
	p.t.Helper()
	axe, err := axeCore()
	if err != nil {
		p.t.Fatal(err)
	}
	eval[bool](p, axe+"; true")
}

// checkAxe runs axe, which must be loaded, on a part of the page; more narrows the rules.
func (p *page) checkAxe(name, part, more string) {
	p.t.Helper()
	ask := `axe.run(` + part + `, { resultTypes: ['violations'], selectors: false, preload: false` + more + ` }).then((r) => r.violations
		.filter((v) => v.impact === 'serious' || v.impact === 'critical')
		.flatMap((v) => v.nodes.slice(0, 3).map((n) => v.id + ': ' + n.html.slice(0, 160) + ' | ' + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? ''))))`
	for _, finding := range run(p, chromedp.Evaluate[[]string](ask, chromedp.EvalAwaitPromise)) {
		p.t.Errorf("%s: %s", name, finding)
	}
}
