package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// smallSite returns the files of a small, unpublished site.
func smallSite() []string {
	return []string{"docs.json",
		`{"name": "Kestrel", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"pages": ["index"]}}`,
		"index.mdx", "---\ntitle: How kestrels hover\n---\n\nThey face the wind.\n"}
}

// C4, C5, D8, G4, K10: people use a newly started server's dashboard in a real browser: first the owner, from the
// printed link to a merged proposal on the site, then others, on screens of two sizes in light and dark mode.
func TestDashboardWorksInBrowser(t *testing.T) {
	t.Parallel()
	f := startFreshServer(t, nil, "--allow-address", "127.0.0.1", "--git-poll-interval", "0")
	if !t.Run("the owner works", func(t *testing.T) { (&ownerSession{page: tab(t), f: f}).run() }) {
		return // the other subtests need its data
	}
	for _, c := range []struct {
		name  string
		test  func(*page, *freshServer)
		night bool // run only nightly: tests of internal/dashboard cover this without a browser
	}{
		{"every page on every screen", checkEveryPage, false}, // takes the longest
		{"a viewer reads and no more", checkViewer, true},
		{"a stranger sees nothing", checkAnonymous, true},
		{"two factors", checkTwoFactor, true},
		{"sites and other origins cannot act", checkOtherOrigins, false},
		{"the address of an older proposal", checkOldAddresses, true},
	} {
		if c.night && !*every {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := *f
			g.t = t
			c.test(tab(t), &g)
		})
	}
}

// ownerSession is a browser tab in which the owner works.
type ownerSession struct {
	*page
	f    *freshServer
	been []string // visited addresses
}

func (s *ownerSession) run() {
	s.createOwner()
	s.makeKey()
	s.addProject()
	s.export()
	proposal := s.runAgent()
	s.merge(proposal)
	s.checkHistory()
	s.checkConsoleExcept("Failed to load resource: the server responded with a status of 400") // the refused form
	s.signOutAndCheck()
}

// recordAddress records the tab's address and checks that the page has a heading and a title.
func (s *ownerSession) recordAddress() {
	s.t.Helper()
	s.been = append(s.been, eval[string](s.page, `location.href.split('?')[0]`))
	if s.text("main h1") == "" || !strings.HasSuffix(eval[string](s.page, `document.title`), "Lectern") {
		s.t.Errorf("%s has no heading or title", s.path())
	}
}

// open opens a page of the dashboard.
func (s *ownerSession) open(path string) { s.t.Helper(); s.navigate(s.f.url + path); s.recordAddress() }

// createOwner opens the server's address, and creates the owner's account with the link that the server printed.
func (s *ownerSession) createOwner() {
	s.navigate(s.f.url + "/")
	s.expectEqual("where strangers arrive", s.path(), "/dashboard/sign-in")
	if !strings.Contains(s.text("#no-owner"), "link") {
		s.t.Error("the sign-in page does not mention the link")
	}
	s.makeOwner(s.f)
	s.recordAddress()
	s.expectEqual("the role", s.text(".side .me .quiet"), "owner")
	s.expectEqual("what scripts see of the session", eval[string](s.page, `document.cookie`), "")
	late := s.openIsolated(s.t)
	late.navigate(s.f.link)
	if late.exists("form input[type=password]") || strings.Contains(late.text("body"), s.f.organization) {
		s.t.Error("the link works again")
	}
}

// makeKey creates an API key, copies it with the page's button, and uses it with the command that the page shows.
func (s *ownerSession) makeKey() {
	s.allowClipboard(s.f.url)
	s.click(`.side a[href="/dashboard/settings/keys"]`)
	s.waitFor(`document.querySelector('h1')?.textContent === 'API keys' && document.readyState === 'complete'`)
	s.recordAddress()
	s.fill("#label", "From the browser")
	s.clickAndLoad(`form[action="/dashboard/settings/keys"] button.main`)
	shown := s.text("#new-key .copy code")
	s.expectEqual("the key in the clipboard", s.copyText("#new-key .copy"), shown)
	line := s.copyText("#new-key .code")
	if out := sh(s.t, line); !strings.Contains(out, `"projects":[{`) || !strings.Contains(out, "docs.localhost") {
		s.t.Errorf("%s\nreturns %s", line, out)
	}
	s.open("/dashboard/settings/keys")
	if strings.Contains(eval[string](s.page, `document.documentElement.outerHTML`), shown) {
		s.t.Error("the key is shown again")
	}
	if rows := s.text("#keys-title ~ .scroll"); !strings.Contains(rows, "From the browser") ||
		!strings.Contains(rows, "owner@example.com") {
		s.t.Errorf("the list has %s", rows)
	}
}

// copyText presses the copy button of a box, and reads the clipboard.
func (p *page) copyText(box string) string {
	p.t.Helper()
	p.click(box + " > button")
	p.waitFor(`document.querySelector(` + quote(box+" > button") + `).textContent === 'Copied'`)
	return run(p, chromedp.Evaluate[string](`navigator.clipboard.readText()`, chromedp.EvalAwaitPromise))
}

// addProject publishes a Git repository, and follows its progress.
func (s *ownerSession) addProject() {
	address, release := repository(s.t, smallSite()...)
	s.open("/dashboard/projects/new")
	s.fill("[name=name]", "Kestrels")
	s.fill("[name=domain]", "not a domain")
	s.fill(`[name="source.repository"]`, address)
	s.clickAndLoad("main form.stack button.main")
	if s.text("#f-domain-error") == "" ||
		eval[string](s.page, `document.querySelector('[name="source.repository"]').value`) != address {
		s.t.Error("a refused form shows no error or loses the input")
	}
	s.fill("[name=domain]", "kestrel.localhost")
	s.clickAndLoad("main form.stack button.main")
	if !s.exists(".secret .copy") {
		s.t.Error("no secret for webhooks is shown")
	}
	s.clickAndLoad(".head a.button.main")
	s.recordAddress()
	s.markDocument()
	s.waitFor(`document.querySelector('#deployment .state').dataset.state !== 'success'`)
	release()
	s.waitFor(
		`document.querySelector('#deployment .state').dataset.state === 'success' && document.querySelector('.log li') !== null`)
	s.expectSameDocument(true)
	site := s.openTab()
	site.navigate(s.f.site("kestrel.localhost"))
	site.expectEqual("the site's first page", site.text("h1"), "How kestrels hover")
	s.clickAndLoad(`.crumbs li:nth-child(2) a`)
	s.recordAddress()
}

// export creates an archive of the published repository, follows it, and downloads it.
func (s *ownerSession) export() {
	s.open("/dashboard/exports")
	s.selectOption("#domain", "kestrel.localhost")
	s.fill("#version", "1.0")
	s.clickAndLoad(`form[action="/dashboard/exports"].stack button.main`)
	s.recordAddress()
	s.markDocument()
	s.waitFor(`document.querySelector('#progress .state').dataset.state === 'completed'`)
	s.expectSameDocument(true)
	s.clickAndLoad(`form[action$="/bundle"] button.main`)
	sum := s.text("#link dd .copy code")
	link := s.text("#link > .code code")
	s.expectEqual("the bundle's digest", download(s.t, link), sum)
	s.waitFor(`/left$/.test(document.querySelector('time[data-countdown]').textContent)`)
	if !strings.Contains(s.text("#values code"), `bundleUrl: "`+link+`"`) {
		s.t.Error("the chart values lack the link")
	}
	s.clickAndLoad(`#link form[action$="/bundle"] button`) // renew
	if again := s.text("#link > .code code"); again == "" || s.text("#link dd .copy code") != sum {
		s.t.Errorf("the renewed link is %q", again)
	}
}

func download(t *testing.T, address string) string {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close() // read to its end
	h := sha256.New()
	if _, err := io.Copy(h, r.Body); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", address, r.Status, err)
	}
	return hex.EncodeToString(h.Sum(nil))
}
