package browser

import (
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/client"
)

// joinAs joins with an invitation link that the owner creates on the members page.
func (p *page) joinAs(f *freshServer, email, role string) person {
	p.t.Helper()
	boss := p.openIsolated(p.t)
	boss.navigate(f.url + "/dashboard/settings/members")
	boss.signIn(owner)
	boss.fill("#email", email)
	boss.selectOption("#role", role)
	boss.clickAndLoad(`form[action="/dashboard/settings/members/invite"] button.main`)
	link := boss.text(".secret .copy code")
	if !strings.HasPrefix(link, f.url+"/dashboard/join?token=") {
		p.t.Fatalf("the link is %q", link)
	}
	who := person{email, "a river of small coins"}
	p.join(link, who)
	p.expectEqual("the role", p.text(".side .me .quiet"), role)
	return who
}

// places has the ids of the resources that the owner created.
type places struct {
	Project, Tour, Deployment, Export, Job, Proposal, Key, Member, Invitation string
}

func (f *freshServer) places() (at places) {
	f.t.Helper()
	ctx := f.t.Context()
	must := func(err error) {
		if err != nil {
			f.t.Fatal(err)
		}
	}
	at.Project, at.Tour = f.project("kestrel.localhost"), f.project("tour.localhost")
	deployments, err := f.ListDeployments(ctx, at.Project, client.ListDeploymentsParams{Limit: 1})
	must(err)
	exports, err := f.ListExports(ctx, client.ListExportsParams{Limit: 1})
	must(err)
	jobs, err := f.ListAgentJobs(ctx, at.Tour, client.ListAgentJobsParams{Limit: 1})
	must(err)
	keys, err := f.ListKeys(ctx, client.ListKeysParams{Limit: 1})
	must(err)
	members, err := f.ListMembers(ctx)
	must(err)
	link, err := f.CreateInvitation(ctx,
		client.CreateInvitation{Email: "later" + rand.Text() + "@example.com", Role: "viewer"})
	must(err)
	at.Invitation = link.InvitationID
	at.Deployment, at.Export, at.Job, at.Key = deployments.Deployments[0].StatusID, exports.Jobs[0].JobID,
		jobs.Jobs[0].ID, keys.Keys[0].KeyID
	at.Proposal = (*jobs.Jobs[0].PRLink)[strings.LastIndexByte(*jobs.Jobs[0].PRLink, '/')+1:]
	for _, m := range members.Members {
		if m.Email == owner.email {
			at.Member = m.MemberID
		}
	}
	return at
}

// pages returns the addresses of all pages, by the role they need.
func (at places) pages() map[string][]string {
	project, tour := "/dashboard/projects/"+at.Project, "/dashboard/projects/"+at.Tour
	return map[string][]string{
		"viewer": {"/dashboard/", "/dashboard/projects", project, project + "/deployments", project + "/previews",
			"/dashboard/deployments/" + at.Deployment, "/dashboard/exports",
			"/dashboard/exports/" + at.Export, "/dashboard/agent", tour + "/agent", tour + "/agent/" + at.Job,
			tour + "/automations", tour + "/proposals", tour + "/proposals/" + at.Proposal,
			"/dashboard/analytics", "/dashboard/settings/members", "/dashboard/settings/organization",
			"/dashboard/account"},
		"admin": {"/dashboard/projects/new", project + "/settings", "/dashboard/settings/keys",
			"/dashboard/settings/credentials", "/dashboard/settings/credentials/github-app",
			"/dashboard/settings/webhooks", "/dashboard/settings/audit"},
	}
}

// forms returns the forms that a viewer may not send, with their required fields.
func (at places) forms() map[string]map[string]string {
	project, tour := "/dashboard/projects/"+at.Project, "/dashboard/projects/"+at.Tour
	return map[string]map[string]string{
		"/dashboard/projects": {"name": "X", "domain": "x.localhost",
			"kind": "git", "source.repository": "https://git.example.com/x.git"},
		project + "/update":   {},
		project + "/rollback": {"deployment": at.Deployment},
		project + "/previews": {"branch": "main"},
		project + "/settings": {"name": "X",
			"domains": "x.localhost"},
		project + "/webhook-secret": {},
		project + "/webhook":        {},
		project + "/delete": {"name": "Kestrels",
			"confirm": "Kestrels"},
		"/dashboard/exports":                          {"domain": "docs.localhost"},
		"/dashboard/exports/" + at.Export + "/cancel": {},
		"/dashboard/exports/" + at.Export + "/bundle": {"format": "zip"},
		tour + "/agent": {"prompt": "fix broken links",
			"model": "builtin"},
		tour + "/agent/" + at.Job + "/message":         {"message": "go on"},
		tour + "/agent/" + at.Job + "/redo":            {},
		tour + "/agent/" + at.Job + "/stop":            {},
		tour + "/agent/" + at.Job + "/archive":         {},
		tour + "/proposals/" + at.Proposal + "/merge":  {},
		tour + "/proposals/" + at.Proposal + "/close":  {},
		tour + "/proposals/" + at.Proposal + "/review": {"do": "approve"},
		tour + "/automations":                          {"name": "on-call", "trigger": "call", "workflow": "format", "maxPerDay": "1"},
		tour + "/products":                             {"product": "code", "repository": "https://git.example.com/code.git"},
		"/dashboard/settings/credentials": {"name": "x", "kind": "token",
			"url": "https://git.example.com", "secret": "s"},
		"/dashboard/settings/webhooks": {"url": "https://hooks.example.com/x"},
		"/dashboard/settings/keys": {"label": "X", "scopes": "write",
			"expiresInDays": "7"},
		"/dashboard/settings/keys/" + at.Key + "/revoke":                         {},
		"/dashboard/settings/members/" + at.Member + "/role":                     {"role": "viewer"},
		"/dashboard/settings/members/" + at.Member + "/remove":                   {},
		"/dashboard/settings/members/" + at.Member + "/password-link":            {},
		"/dashboard/settings/members/invitations/" + at.Invitation + "/withdraw": {},
		"/dashboard/settings/members/invite": {"email": "x@example.com",
			"role": "viewer", "expiresInDays": "7"},
		"/dashboard/settings/organization": {"name": "X"},
	}
}

// checkViewer checks that a viewer sees no form for an action that the role does not allow, and is refused when
// submitting one anyway.
func checkViewer(p *page, f *freshServer) {
	p.joinAs(f, "viewer@example.com", "viewer")
	at := f.places()
	own := map[string]bool{"/dashboard/sign-out": true, "/dashboard/theme": true}
	p.navigate(f.url + "/dashboard/")
	for _, path := range at.pages()["viewer"] {
		got := p.fetchPage(path)
		p.expectEqual("the page", got.Path, path)
		for _, action := range got.Forms {
			leave := strings.HasPrefix(action, "/dashboard/settings/members/") &&
				strings.HasSuffix(action, "/remove") && !strings.Contains(action, at.Member)
			if !own[action] && !leave && !strings.HasPrefix(action, "/dashboard/account/") {
				p.t.Errorf("%s offers %s to a viewer", path, action)
			}
		}
	}
	for _, path := range at.pages()["admin"] {
		if got := p.fetchPage(path); got.Status != http.StatusForbidden || got.Editable {
			p.t.Errorf("%s: %d to a viewer", path, got.Status)
		}
	}
	before := f.eventsBy(p, "viewer@example.com")
	for _, path := range slices.Sorted(maps.Keys(at.forms())) {
		if status := p.postForm(path, at.forms()[path]); status != http.StatusForbidden {
			p.t.Errorf("POST %s: %d to a viewer", path, status)
		}
	}
	if after := f.eventsBy(p, "viewer@example.com"); !slices.Equal(before, after) {
		p.t.Errorf("a viewer's actions are %v, previously %v", after, before)
	}
	p.checkConsoleExcept("Failed to load resource: the server responded with a status of 403")
}

// fetchedPage describes a dashboard page as served to the signed-in person.
type fetchedPage struct {
	Path     string   // where redirects ended
	Status   int      // of the response
	Forms    []string // action paths of its forms
	Editable bool     // whether it has a form with fields
}

// fetchPage requests a page from a script. The response is the same as for a visit, but nothing has to be rendered.
func (p *page) fetchPage(path string) fetchedPage {
	p.t.Helper()
	return run(p, chromedp.Evaluate[fetchedPage](`new Promise((done, failed) => {
		const r = new XMLHttpRequest();
		r.open('GET', `+quote(path)+`);
		r.responseType = 'document';
		r.onload = () => done({ path: new URL(r.responseURL).pathname, status: r.status,
			editable: r.response.querySelector('main form.stack') !== null,
			forms: [...r.response.forms].filter((f) => f.method === 'post')
				.map((f) => new URL(f.getAttribute('action') ?? '', r.responseURL).pathname) });
		r.onerror = failed;
		r.send();
	})`, chromedp.EvalAwaitPromise))
}

// status returns the HTTP status of the open document.
func (p *page) status() int {
	p.t.Helper()
	return eval[int](p, `performance.getEntriesByType('navigation')[0].responseStatus`)
}

// postForm submits a form from a script in the open page, with the token of the page's forms.
func (p *page) postForm(path string, fields map[string]string) int {
	p.t.Helper()
	raw, err := json.Marshal(fields)
	if err != nil {
		p.t.Fatal(err)
	}
	return run(p, chromedp.Evaluate[int](`fetch(`+quote(path)+`, { method: 'POST', body: new URLSearchParams({ ...`+
		string(raw)+
		`, csrf: document.querySelector('[name=csrf]').value }) }).then((r) => r.status)`, chromedp.EvalAwaitPromise))
}

// eventsBy lists a person's actions in the audit log.
func (f *freshServer) eventsBy(p *page, email string) (actions []string) {
	p.t.Helper()
	list, err := f.ListEvents(p.t.Context(), client.ListEventsParams{Limit: 100})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, e := range list.Events {
		if e.ActorName != nil && *e.ActorName == email {
			actions = append(actions, e.Action+" "+e.Target)
		}
	}
	return actions
}

// checkAnonymous checks that visitors who are not signed in see the sign-in form at every address and never learn whose
// server it is.
func checkAnonymous(p *page, f *freshServer) {
	at := f.places()
	all := slices.Concat(at.pages()["viewer"], at.pages()["admin"], []string{"/", "/dashboard", "/dashboard/sign-in",
		"/dashboard/settings", "/dashboard/settings/audit/export?format=csv",
		"/dashboard/settings/audit/check", "/dashboard/proposals/" + at.Proposal, "/_dashboard/proposals/" +
			at.Proposal, "/_dashboard/exports", "/dashboard/projects/" + at.Project + "/update",
		"/dashboard/exports/" + at.Export + "/bundle", "/dashboard/settings/keys/" + at.Key})
	p.navigate(f.url + all[0])
	if p.path() != "/dashboard/sign-in" || !p.exists("#password") {
		p.t.Errorf("%s shows a stranger %s", all[0], p.path())
	}
	p.expectNothingRevealed(all[0])
	for _, path := range all[1:] { // the response is the same as for a visit, but nothing has to be rendered
		got := run(p, chromedp.Evaluate[struct{ Path, Text string }](`fetch(`+quote(path)+
			`).then(async (r) => ({ path: new URL(r.url).pathname, text: await r.text() }))`, chromedp.EvalAwaitPromise))
		if got.Path != "/dashboard/sign-in" || !strings.Contains(got.Text, `id="password"`) {
			p.t.Errorf("%s shows a stranger %s: %.300s", path, got.Path, got.Text)
		}
		for _, word := range []string{"Kestrel", owner.email} {
			if strings.Contains(got.Text, word) {
				p.t.Errorf("%s tells a stranger %s", path, word)
			}
		}
	}
	for _, path := range []string{"/dashboard/join?token=x", "/dashboard/new-password?token=x", "/dashboard/nowhere",
		"/dashboard/oidc/callback?code=x&state=x"} {
		p.navigate(f.url + path)
		p.expectNothingRevealed(path)
	}
	p.navigate(f.url + "/dashboard/sign-in")
	for _, path := range slices.Sorted(maps.Keys(at.forms())) {
		got := run(p, chromedp.Evaluate[string](`fetch(`+quote(path)+
			`, { method: 'POST', body: new URLSearchParams({ csrf: 'x' }) }).then(async (r) => r.status + ' ' + await r.text())`, chromedp.EvalAwaitPromise))
		if !strings.HasPrefix(got, "401 ") && !strings.HasPrefix(got, "403 ") || strings.Contains(got, "Kestrel") {
			p.t.Errorf("POST %s returns to a stranger %.300s", path, got)
		}
	}
	p.checkConsoleExcept(refused)
}

func (p *page) expectNothingRevealed(path string) {
	p.t.Helper()
	for _, word := range []string{"Kestrel", owner.email} {
		if strings.Contains(eval[string](p, `document.documentElement.outerHTML`), word) {
			p.t.Errorf("%s tells a stranger %s", path, word)
		}
	}
}
