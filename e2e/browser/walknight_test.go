//go:build nightly

package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A reader searches with the keyboard, switches the colours, goes to the next page and uses the phone's drawer. This
// works the same from disk, below a path and on our host, for our docs and for other sites.
func TestReadersCanNavigateTheSite(t *testing.T) {
	t.Parallel()
	for _, s := range testSites(t) {
		goal := s.goal(t)
		for _, w := range ways {
			t.Run(s.name+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				base := w.start(t, s.src)
				p := tab(t)
				run(p, chromedp.EmulateViewport(1280, 900))
				p.visit(w.at(base, goal.start))
				p.search(goal)
				p.toggleScheme()
				p.checkSkipLink()
				p.checkDrawer()
				if s.partial {
					p.checkConsoleExcept("Failed to load resource")
				} else {
					p.checkConsole()
				}
			})
		}
	}
}

// search searches for the goal's title and opens its page.
func (p *page) search(g goal) {
	p.t.Helper()
	p.waitFor(`document.querySelector("[data-search]")?.hidden === false`)
	p.key("k", chromedp.ModifierCtrl)
	p.waitFor(`document.activeElement.matches("dialog.search input")`)
	p.key(strings.ToLower(g.title))
	p.waitFor(activeOption + `?.querySelector(".search-title")?.textContent.toLowerCase() === "` +
		strings.ToLower(g.title) + `"`)
	p.key(kb.Enter)
	p.waitFor(`document.querySelector("h1")?.textContent.trim() === "` + g.title +
		`" && document.querySelector("dialog.search[open]") === null`)
	p.waitFor(`document.readyState === "complete"`)
}

// toggleScheme switches between light and dark, if the site has the switch.
func (p *page) toggleScheme() {
	p.t.Helper()
	if eval[bool](p, `"strict" in document.documentElement.dataset`) {
		return
	}
	const paper = `getComputedStyle(document.body).backgroundColor + getComputedStyle(document.documentElement).colorScheme`
	before := eval[string](p, paper)
	p.click("button.scheme")
	p.waitFor(paper + ` !== "` + before + `"`)
}

// checkSkipLink checks, from the top of the page, that the first Tab focuses the link that skips to the content.
func (p *page) checkSkipLink() {
	p.t.Helper()
	eval[bool](p,
		`(document.activeElement.blur(), getSelection().removeAllRanges(), document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute("tabindex"), true)`)
	p.key(kb.Tab)
	p.waitFor(`document.activeElement.matches(".skip") && document.activeElement.getBoundingClientRect().top >= 0`)
	p.key(kb.Enter)
	p.waitFor(`location.hash === "#content"`)
}

func (p *page) checkDrawer() {
	p.t.Helper()
	run(p, chromedp.EmulateViewport(390, 800))
	const shown = `(document.querySelector(".sidebar a")?.getClientRects().length ?? 0) > 0`
	p.waitFor(`!(` + shown + `)`)
	p.click("details.drawer > summary")
	p.waitFor(shown)
	p.key(kb.Escape)
	p.waitFor(`!(` + shown + `)`)
}
