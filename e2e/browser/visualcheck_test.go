package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/conformance/corpus/pagemeasure"
)

// Names of the checks of the visual suite, as findings show them.
const (
	checkContrast  = "contrast"
	checkOverflow  = "overflow"
	checkCropped   = "cropped text"
	checkShift     = "layout shift"
	checkConsole   = "console"
	checkSelectors = "selector"
)

// view is a colour scheme and a window width in which a page is opened.
type view struct {
	scheme string
	width  int64 // CSS pixels
}

func (v view) String() string { return fmt.Sprintf("%s, %d px", v.scheme, v.width) }

// views are the pairs of views in which a page is opened. It is opened in the first view and then changed in place, as
// when the reader turns the phone or the system changes its colours. A site's first page is measured in both views, so
// each site is measured in both schemes and both widths. The other pages are measured only in the first one, unless
// site.both is set. Pages cycle through the pairs, and the next page starts in the view where the last one ended or in
// a similar one, because a change costs as much as two measurements.
var views = [][]view{
	{{"light", 1440}, {"dark", 390}},
	{{"dark", 390}, {"light", 1440}},
	{{"dark", 1440}, {"light", 390}},
	{{"light", 390}, {"dark", 1440}},
}

// allViews replaces views with -every.
var allViews = [][]view{
	{{"light", 1440}, {"dark", 1440}, {"dark", 390}, {"light", 390}},
	{{"dark", 390}, {"light", 390}, {"light", 1440}, {"dark", 1440}},
}

// finding is a defect of one element.
type finding struct{ site, page, view, check, element, figure string }

func (f finding) String() string {
	return fmt.Sprintf("%s: %s: %s: %s: %s: %s", f.site, f.page, f.view, f.check, f.element, f.figure)
}

// inspection opens and measures pages of one site.
type inspection struct {
	*page
	site    string
	limit   float64 // minimum contrast of every text
	ready   string  // expression that is true when the author's scripts are done; "" if there is nothing to wait for
	moves   bool    // the author's script moves content
	now     view    // the page's current view
	matched map[string]bool
	found   []finding
}

// inspect opens pages of a site in all views, in a tab that no other test uses at the same time. paths start with a
// slash.
func inspect(t *testing.T, in *page, site visualSite, base string, paths []string) []finding {
	t.Helper()
	own := *in
	own.t = t
	s := &inspection{page: &own, site: site.name, limit: site.limit(), ready: site.ready,
		moves: site.moves, matched: map[string]bool{}}
	turns := views
	if *every {
		turns = allViews
	}
	for i, path := range paths {
		pair := turns[(site.turn+i)%len(turns)]
		if i > 0 && !site.both {
			pair = first(1, pair)
		}
		for n, v := range pair {
			if s.emulate(v); n == 0 {
				s.load(base, path, v)
			}
			s.measure(path, v)
			for _, m := range s.consoleErrors() {
				s.report(path, v, checkConsole, m.URL, "%s", m)
			}
		}
	}
	// A page that stays open may fetch the next one after its server has stopped, which would be reported for the next
	// site.
	run(s.page, chromedp.Navigate("about:blank"))
	for selector, matches := range s.matched {
		if !matches {
			s.found = append(s.found, finding{s.site, "all pages", "all views", checkSelectors, selector,
				"matches no element"})
		}
	}
	slices.SortFunc(s.found, func(a, b finding) int { return strings.Compare(a.String(), b.String()) })
	return s.found
}

func (s *inspection) report(path string, v view, check, element, figure string, values ...any) {
	s.found = append(s.found, finding{s.site, path, v.String(), check, element, fmt.Sprintf(figure, values...)})
}

// emulate changes the width and colours and returns after a frame has been drawn with them.
func (s *inspection) emulate(v view) {
	s.t.Helper()
	if v == s.now {
		return
	}
	if v.width != s.now.width {
		run(s.page, chromedp.EmulateViewport(v.width, 900))
	}
	if v.scheme != s.now.scheme {
		if _, err := chromedp.Call(s.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: v.scheme}}}); err != nil {
			s.t.Fatal(err)
		}
	}
	s.now = v
	// listeners of media queries have run by then
	const drawn = `new Promise((done) => requestAnimationFrame(() => done(true)))`
	run(s.page, chromedp.Evaluate[bool](drawn, chromedp.EvalAwaitPromise))
}

func (s *inspection) load(base, path string, v view) {
	s.t.Helper()
	s.visit(base + path)
	run(s.page, chromedp.Evaluate[bool](`document.fonts.ready.then(() => true)`, chromedp.EvalAwaitPromise))
	s.waitForIslands()
	if s.ready != "" {
		s.waitFor(s.ready)
	}
	s.waitFor(`[...document.querySelectorAll("figure.mermaid")].every((f) =>
		f.dataset.state !== undefined || f.getBoundingClientRect().top > innerHeight)`)
	if moved := s.shift(); moved.Sum > shiftMax && !s.moves {
		s.report(path, v, checkShift, strings.Join(moved.What, " | "), "%.3f, want at most %v", moved.Sum, shiftMax)
	}
}

// measure compares the page in its current view with the limits.
func (s *inspection) measure(path string, v view) {
	s.t.Helper()
	got := eval[pagemeasure.Page](s.page, pagemeasure.Expression(s.limit))
	if got.Texts == 0 {
		s.report(path, v, checkContrast, "body", "no text could be measured")
	}
	for _, f := range got.Faint {
		s.report(path, v, checkContrast, f.Element, "%q has %.2f:1, want %v:1", f.Text, f.Ratio, s.limit)
	}
	if got.Overflow > 0 {
		s.report(path, v, checkOverflow, strings.Join(got.Wide, ", "), "the document is %d px wider than the window",
			got.Overflow)
	}
	for _, l := range got.Lost {
		s.report(path, v, checkCropped, l.Element, "%q is %s by %.0f px: %s", l.Text,
			map[string]string{"cropped": "cut off", "beside": "outside its box"}[l.How], l.By, l.Box)
	}
	for selector, matches := range got.Selectors {
		s.matched[selector] = s.matched[selector] || matches
	}
	name := strings.Trim(strings.ReplaceAll(path, "/", "-"), "-")
	s.screenshot(fmt.Sprintf("%s-%s-%s-%d", s.site, name, v.scheme, v.width))
}
