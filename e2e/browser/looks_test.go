package browser

import (
	"flag"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var shots = flag.String("shots", "", "folder for pictures of the dashboard and of the visual suite; none are taken without it")

// axeCore is the accessibility checker that runs in pages.
var axeCore = sync.OnceValues(func() (string, error) {
	raw, err := os.ReadFile("../../web/npm/node_modules/axe-core/axe.min.js")
	return string(raw), err
})

const (
	contrast = `, runOnly: ['color-contrast']`
	// refused is what a browser says of pages and forms that are answered with a 4xx.
	refused = "Failed to load resource: the server responded with a status of 4"
	// axeStyles is what it says of styles that axe tries, and that the page's policy keeps out. Tests without axe see
	// to it that pages try none.
	axeStyles = "Applying inline style violates"
)

// look judges the page that is open on a desk and on a phone, in light and dark: nothing serious is in anybody's way,
// nothing hangs over the edge, and everything that it asks for is there. Axe, which takes most of the time, sees each
// width and each scheme once; with -every, each pair of them.
func (p *page) look(name string) {
	p.t.Helper()
	axe, err := axeCore()
	if err != nil {
		p.t.Fatal(err)
	}
	p.quietBut(refused, axeStyles)
	eval[bool](p, axe+"; true")
	for _, form := range []struct {
		name, theme string
		width       int64
		rules       string // of axe; what the other form of the same width has found out already is left out
	}{{"desk-light", "light", 1280, ""}, {"desk-dark", "dark", 1280, contrast}, {"phone-light", "light", 390, contrast},
		{"phone-dark", "dark", 390, ""}} {
		run(p, chromedp.EmulateViewport(form.width, 900))
		eval[bool](p, `(document.documentElement.dataset.theme = '`+form.theme+
			`', document.getAnimations().forEach((a) => a.finish()), true)`)
		if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			p.t.Errorf("%s-%s: the page is %d pixels too wide: %s", name, form.name, over,
				eval[string](p, `[...document.querySelectorAll('body *')]
				.filter((e) => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((e) => e.outerHTML.slice(0, 120)).join(' | ')`))
		}
		if form.rules != contrast || *every {
			p.findings(name+"-"+form.name, "document", form.rules)
		}
		p.picture(name + "-" + form.name)
	}
	if bad := eval[[]string](p,
		`performance.getEntriesByType('resource').filter((e) => e.responseStatus >= 400).map((e) => e.name)`); len(
		bad) > 0 {
		p.t.Errorf("%s: not found: %v", name, bad)
	}
	if n := eval[int](p, `document.querySelectorAll('h1').length`); n != 1 {
		p.t.Errorf("%s has %d main headings", name, n)
	}
	run(p, chromedp.EmulateViewport(1280, 900))
	eval[bool](p, `delete document.documentElement.dataset.theme`)
}

// everyLook opens every page, among them those with something new or wrong on them, as the owner.
func everyLook(p *page, f *fresh) {
	at := f.places()
	p.goes(f.url + "/dashboard/sign-in")
	p.look("sign-in")
	p.signIn(owner)
	p.reachable()
	names := strings.NewReplacer("/dashboard/", "", at.Project, "project", at.Tour, "tour", at.Deployment, "one",
		at.Export, "one", at.Job, "one", at.Proposal, "one", "/", "-")
	for _, path := range slices.Concat(at.pages()["viewer"], at.pages()["admin"],
		[]string{"/dashboard/nowhere", "/dashboard/settings/audit/check"}) {
		p.goes(f.url + path)
		p.look("page-" + names.Replace(path))
	}
	p.goes(f.url + "/dashboard/settings/members")
	p.fill("#email", "later@example.com")
	p.send(`form[action="/dashboard/settings/members/invite"] button.main`)
	p.look("invitation-made")
	link := p.text(".secret .copy code")
	p.goes(f.url + "/dashboard/exports/" + at.Export)
	p.send(`form[action$="/bundle"] button.main`)
	p.look("bundle-made")
	p.goes(f.url + "/dashboard/projects/new")
	p.fill("[name=name]", "X")
	p.fill("[name=domain]", "localhost")
	p.send("main form.stack button.main")
	p.look("project-refused")
	p.signOut()
	p.goes(link)
	p.look("join")
	p.quietBut(refused, axeStyles)
}

// reachable uses a page by keys: the first leads past the menu, and on a phone Escape closes it.
func (p *page) reachable() {
	p.t.Helper()
	p.key(kb.Tab)
	p.awaits(`document.activeElement.matches('.skip') && document.activeElement.getBoundingClientRect().top >= 0`)
	p.key(kb.Enter)
	p.awaits(`location.hash === '#main' && document.activeElement.id === 'main'`)
	run(p, chromedp.EmulateViewport(390, 844))
	eval[bool](p, `(document.querySelector('[data-menu] summary').focus(), true)`)
	p.key(kb.Enter)
	p.awaits(`document.querySelector('[data-menu] a[href="/dashboard/projects"]').checkVisibility()`)
	p.key(kb.Escape)
	p.awaits(`!document.querySelector('[data-menu]').open && document.activeElement.matches('[data-menu] summary')`)
	run(p, chromedp.EmulateViewport(1280, 900))
}
