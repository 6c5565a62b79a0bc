package browser

import (
	"strings"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/client"
)

// runAgent asks an agent to fix links in the sample site, and follows it to the page of its proposal.
func (s *ownerSession) runAgent() (proposal string) {
	tour := s.f.project("tour.localhost")
	s.open("/dashboard/agent")
	s.open("/dashboard/projects/" + tour + "/agent")
	s.fill("#prompt", "fix broken links")
	s.clickAndLoad("#start button.main")
	s.recordAddress()
	s.markDocument()
	s.waitFor(`document.querySelector('#job .state').dataset.state === 'changed'`)
	s.waitFor(
		`document.querySelector('#record .entry[data-kind=prompt]').textContent.includes('fix broken links') && document.querySelectorAll('#record details.call').length > 2`)
	s.waitFor(`document.querySelector('#change .diff ins') !== null && document.querySelector('#do form[action$="/stop"]') === null`)
	s.checkChangesVisible("the job when the agent has stopped")
	s.expectSameDocument(true)
	s.followLink(`#job a[href*="/proposals/"]`)
	s.recordAddress()
	s.checkChangesVisible("the proposal")
	for tries := 0; !s.exists(".file a.look"); tries++ { // the preview is built after the proposal is created
		s.navigate(eval[string](s.page, `location.href`))
		if tries > 500 {
			s.t.Fatal("no preview appears")
		}
	}
	preview := s.openTab()
	preview.navigate(eval[string](s.page,
		`[...document.querySelectorAll('.file a.look')].find((a) => a.href.endsWith('/guides/first-cup')).href`))
	preview.expectEqual("the previewed page", preview.text("h1"), "Your first cup")
	preview.waitFor(linkFixed)
	return eval[string](s.page, `location.href`)
}

// linkFixed is true on the sample site's page once the agent's fix of its link is live.
const linkFixed = `document.querySelector('#content a[href="/guides/descaling"]') !== null`

// checkChangesVisible fails the test unless the lines of the change are visible and nothing is wider than the window.
func (p *page) checkChangesVisible(name string) {
	p.t.Helper()
	for _, line := range []string{`del`, `ins`} {
		if !eval[bool](p, `[...document.querySelectorAll('.diff `+line+
			`')].some((e) => e.checkVisibility() && e.getBoundingClientRect().width > 100)`) {
			p.t.Errorf("%s: no %s is visible", name, line)
		}
	}
}

// merge clicks the page's merge button; the site then shows the change.
func (s *ownerSession) merge(proposal string) {
	site := s.openTab()
	site.navigate(s.f.site("tour.localhost") + "/guides/first-cup")
	if eval[bool](site, linkFixed) {
		s.t.Fatal("the site already has the change")
	}
	s.clickAndLoad(`form[action$="/merge"] button`)
	s.waitFor(
		`document.querySelector('#state .state').dataset.state === 'merged' && document.querySelector('form[action$="/merge"]') === null`)
	s.expectEqual("the address after merging", eval[string](s.page, `location.href.split('?')[0]`), proposal)
	s.markDocument()
	s.waitFor(`document.querySelector('#state').textContent.includes('It is published')`)
	s.expectSameDocument(true)
	s.checkChangesVisible("the merged proposal")
	site.navigate(s.f.site("tour.localhost") + "/guides/first-cup")
	if !eval[bool](site, linkFixed) {
		s.t.Error("the site lacks the change")
	}
}

// checkHistory checks that the overview and the audit log describe in words what was done and by whom (D8).
func (s *ownerSession) checkHistory() {
	s.open("/dashboard/settings/organization")
	s.fill("main form[method=post] input[name=name]", "Kestrel Works")
	s.clickAndLoad(`main form[action="/dashboard/settings/organization"] button`)
	s.expectEqual("the organization", s.text(".side .org"), "Kestrel Works")
	s.open("/dashboard/")
	if recent := s.text("#recent-title ~ ul"); !strings.Contains(recent, "owner@example.com") {
		s.t.Errorf("recent activity: %s", recent)
	}
	s.open("/dashboard/settings/audit")
	list, err := s.f.ListEvents(s.t.Context(), client.ListEventsParams{Limit: 100})
	if err != nil {
		s.t.Fatal(err)
	}
	by := map[string]string{}
	for _, e := range list.Events {
		if e.ActorName != nil {
			by[e.Action] = *e.ActorName
		}
	}
	for _, action := range []string{"key.create", "project.create", "export.start", "agent.start", "proposal.merge",
		"organization.rename"} {
		if by[action] != owner.email {
			s.t.Errorf("%s is by %q; the log has %v", action, by[action], by)
		}
	}
	check, err := s.f.CheckEvents(s.t.Context())
	if err != nil || !check.Intact {
		s.t.Errorf("the audit log does not verify: %+v %v", check, err)
	}
}

// signOutAndCheck signs out and checks that every visited address now redirects to the sign-in page, and back after
// signing in.
func (s *ownerSession) signOutAndCheck() {
	s.open("/dashboard/account")
	other := s.openTab() // another tab of the same person, left open
	other.navigate(s.f.url + "/dashboard/")
	s.signOut()
	other.waitFor(`location.pathname === '/dashboard/sign-in'`)
	for _, address := range s.been { // a script's request uses the browser's cache like a visit, but renders nothing
		got := run(s.page, chromedp.Evaluate[struct{ Path, Text string }](`fetch(`+quote(address)+
			`).then(async (r) => ({ path: new URL(r.url).pathname, text: await r.text() }))`, chromedp.EvalAwaitPromise))
		if got.Path != "/dashboard/sign-in" || strings.Contains(got.Text, "Kestrel") {
			s.t.Errorf("%s shows %s after signing out", address, got.Path)
		}
	}
	last := s.been[len(s.been)-2]
	s.navigate(last)
	s.signIn(person{owner.email, "not the password at all"})
	if s.path() != "/dashboard/sign-in" || s.text(".alert") == "" {
		s.t.Error("a wrong password is not reported")
	}
	s.fill("#password", owner.password)
	s.clickAndLoad("main form.stack button.main")
	s.expectEqual("where one goes on", eval[string](s.page, `location.href`), last)
}
