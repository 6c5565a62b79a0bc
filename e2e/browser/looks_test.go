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
	// refused is the browser's message for pages and forms that get a 4xx response.
	refused = "Failed to load resource: the server responded with a status of 4"
	// axeStyles is the browser's message for styles that axe tries to set and the page's policy blocks. Tests without
	// axe check that pages set none.
	axeStyles = "Applying inline style violates"
)

// checkLook checks the open page, alternately on a desktop in light mode and on a phone in dark mode: axe finds nothing
// serious, text has enough contrast, nothing is wider than the window, and every request of the page succeeds. With
// -every, it checks the page at both widths in both modes.
func (p *page) checkLook(name string) {
	p.t.Helper()
	p.checkConsoleExcept(refused, axeStyles)
	defer func() { p.looks++ }()
	p.loadAxe()
	for i, form := range []struct {
		name, theme string
		width       int64
	}{{"desk-light", "light", 1280}, {"desk-dark", "dark", 1280}, {"phone-dark", "dark", 390}, {"phone-light", "light", 390}} {
		if !*every && i != p.looks%2*2 {
			continue
		}
		run(p, chromedp.EmulateViewport(form.width, 900))
		eval[bool](p, `(document.documentElement.dataset.theme = '`+form.theme+
			`', document.getAnimations().forEach((a) => a.finish()), true)`)
		if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			p.t.Errorf("%s-%s: the page is %d pixels too wide: %s", name, form.name, over,
				eval[string](p, `[...document.querySelectorAll('body *')]
				.filter((e) => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((e) => e.outerHTML.slice(0, 120)).join(' | ')`))
		}
		rules := withoutContrast // contrast is measured separately
		if *every {
			rules = ""
		}
		p.checkAxe(name+"-"+form.name, "document", rules)
		p.expectContrast(name + "-" + form.name)
		p.screenshot(name + "-" + form.name)
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

// checkEveryPage opens pages as the owner, including pages with notices or errors: every twelfth one, or all with -every.
func checkEveryPage(p *page, f *freshServer) {
	at := f.places()
	p.navigate(f.url + "/dashboard/sign-in")
	p.checkLook("sign-in")
	p.signIn(owner)
	p.checkKeyboard()
	names := strings.NewReplacer("/dashboard/", "", at.Project, "project", at.Tour, "tour", at.Deployment, "one",
		at.Export, "one", at.Job, "one", at.Proposal, "one", "/", "-")
	for i, path := range slices.Concat(at.pages()["viewer"], at.pages()["admin"],
		[]string{"/dashboard/nowhere", "/dashboard/settings/audit/check"}) {
		if i%12 != 0 && !*every {
			continue
		}
		p.navigate(f.url + path)
		p.checkLook("page-" + names.Replace(path))
	}
	p.navigate(f.url + "/dashboard/projects/" + at.Tour + "/automations")
	p.checkFieldsOfStarts()
	p.navigate(f.url + "/dashboard/settings/members")
	p.fill("#email", "later@example.com")
	p.clickAndLoad(`form[action="/dashboard/settings/members/invite"] button.main`)
	p.checkLook("invitation-made")
	link := p.text(".secret .copy code")
	p.navigate(f.url + "/dashboard/exports/" + at.Export)
	p.clickAndLoad(`form[action$="/bundle"] button.main`)
	p.checkLook("bundle-made")
	p.navigate(f.url + "/dashboard/projects/new")
	p.fill("[name=name]", "X")
	p.fill("[name=domain]", "localhost")
	p.clickAndLoad("main form.stack button.main")
	p.checkLook("project-refused")
	p.signOut()
	p.navigate(link)
	p.checkLook("join")
	p.checkConsoleExcept(refused, axeStyles)
}

// checkFieldsOfStarts checks that an automation's form shows the fields of the chosen trigger.
func (p *page) checkFieldsOfStarts() {
	p.t.Helper()
	for _, c := range []struct{ trigger, want string }{
		{"schedule", "at,timeZone"}, {"label", "label"}, {"findings", "atLeast"}, {"feedback", "at,timeZone,atLeast"}, {"call", ""},
	} {
		p.selectOption("#trigger", c.trigger)
		p.expectEqual("fields of "+c.trigger, eval[string](p,
			`["label", "at", "timeZone", "atLeast"].filter((id) => document.getElementById(id).checkVisibility()).join()`), c.want)
	}
}

// checkKeyboard operates a page with the keyboard: the first Tab key focuses the link that skips the menu, and on a
// phone, Escape closes the menu.
func (p *page) checkKeyboard() {
	p.t.Helper()
	p.key(kb.Tab)
	p.waitFor(`document.activeElement.matches('.skip') && document.activeElement.getBoundingClientRect().top >= 0`)
	p.key(kb.Enter)
	p.waitFor(`location.hash === '#main' && document.activeElement.id === 'main'`)
	run(p, chromedp.EmulateViewport(390, 844))
	eval[bool](p, `(document.querySelector('[data-menu] summary').focus(), true)`)
	p.key(kb.Enter)
	p.waitFor(`document.querySelector('[data-menu] a[href="/dashboard/projects"]').checkVisibility()`)
	p.key(kb.Escape)
	p.waitFor(`!document.querySelector('[data-menu]').open && document.activeElement.matches('[data-menu] summary')`)
	run(p, chromedp.EmulateViewport(1280, 900))
}
