package browser

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// Everything that changes something is a form, so all of it works in a browser without scripts: the owner's account, a
// key, a project from Git, an export with its link, an agent job and the merge of its proposal. Pages that show work
// under way load themselves again.
func TestTheDashboardWithoutScripts(t *testing.T) {
	t.Parallel()
	f := startFresh(t, nil, "--allow-address", "127.0.0.1", "--git-poll-interval", "0")
	p := tab(t)
	p.withoutScripts()
	p.makeOwner(f)
	if p.there("[data-copy] > button") {
		t.Fatal("scripts run")
	}
	p.goes(f.url + "/dashboard/settings/keys")
	p.fill("#label", "plain")
	p.send(`form[action="/dashboard/settings/keys"] button.main`)
	if out := sh(t, p.text("#new-key .code code")); !strings.Contains(out, `"projects":[`) {
		t.Errorf("the key's command answers %s", out)
	}

	address, release := repository(t, smallSite()...)
	p.goes(f.url + "/dashboard/projects/new")
	p.fill("[name=name]", "Kestrels")
	p.fill("[name=domain]", "kestrel.localhost")
	p.fill(`[name="source.repository"]`, address)
	p.send("main form.stack button.main")
	p.send(".head a.button.main")
	if state := p.state("#deployment"); state == "success" {
		t.Errorf("an update without its repository is %s", state)
	}
	release()
	p.awaits(`document.querySelector('#deployment .state').dataset.state === 'success'`) // the page loads itself again
	site := f.project("kestrel.localhost")

	p.goes(f.url + "/dashboard/exports?domain=kestrel.localhost")
	p.same("the site that the address asks for", eval[string](p, `document.querySelector('#domain').value`),
		"kestrel.localhost")
	p.send(`form[action="/dashboard/exports"].stack button.main`)
	p.awaits(`document.querySelector('#progress .state').dataset.state === 'completed'`)
	p.send(`form[action$="/bundle"] button.main`)
	p.same("the bundle's digest", download(t, p.text("#link > .code code")), p.text("#link dd .copy code"))

	p.plainAgent(f)
	before := f.updates(site)
	p.goes(f.url + "/dashboard/projects/" + site)
	p.send(`form[action$="/update"] button`)
	if after := f.updates(site); after != before+1 {
		t.Errorf("%d updates, before %d", after, before)
	}
	p.send(`.foot button[value=dark]`)
	p.same("the theme", eval[string](p, `document.documentElement.dataset.scheme`), "dark")
	p.signOut()
}

// state is the first badge in a part of the page.
func (p *page) state(selector string) string {
	p.t.Helper()
	return eval[string](p, `document.querySelector(`+quote(selector+" .state")+`)?.dataset.state ?? ''`)
}

// plainAgent lets the agent work and merges what it proposes.
func (p *page) plainAgent(f *fresh) {
	p.t.Helper()
	tour := f.project("tour.localhost")
	p.goes(f.url + "/dashboard/projects/" + tour + "/agent")
	p.send(`#prompt-hint a[href*="broken"]`) // an example fills in the form
	p.same("the prompt", strings.ToLower(eval[string](p, `document.querySelector('#prompt').value`)),
		"fix broken links and anchors")
	p.send("#start button.main")
	job := p.path()
	// people write there: it is left alone
	f.await("the end of the job", func() bool { p.goes(f.url + job); return p.state("#job") != "active" })
	p.same("the job", p.state("#job"), "completed")
	p.send(`#job a[href*="/proposals/"]`)
	p.send(`form[action$="/merge"] button`)
	p.same("the proposal", p.state("#state"), "merged")
	p.awaits(`document.querySelector('#state').textContent.includes('It is published')`)
	p.goes(f.site("tour.localhost") + "/guides/first-cup")
	if !eval[bool](p, linkFixed) {
		p.t.Error("the site lacks the change")
	}
}

// updates counts the deployments of a project.
func (f *fresh) updates(projectID string) int {
	f.t.Helper()
	list, err := f.ListDeployments(f.t.Context(), projectID,
		client.ListDeploymentsParams{Kind: "production", Limit: 100})
	if err != nil {
		f.t.Fatal(err)
	}
	return len(list.Deployments)
}
