//go:build nightly

package browser

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// Every change is a form, so everything works in a browser without scripts: the owner's account, a key, a project from
// Git, an export with its link, an agent job and the merge of its proposal. Pages that show running work reload
// themselves.
func TestDashboardWorksWithoutScripts(t *testing.T) {
	t.Parallel()
	f := startFreshServer(t, nil, "--allow-address", "127.0.0.1", "--git-poll-interval", "0")
	p := tab(t)
	p.withoutScripts()
	p.makeOwner(f)
	if p.exists("[data-copy] > button") {
		t.Fatal("scripts run")
	}
	p.navigate(f.url + "/dashboard/settings/keys")
	p.fill("#label", "plain")
	p.clickAndLoad(`form[action="/dashboard/settings/keys"] button.main`)
	if out := sh(t, p.text("#new-key .code code")); !strings.Contains(out, `"projects":[`) {
		t.Errorf("the key's command returns %s", out)
	}

	address, release := repository(t, smallSite()...)
	p.navigate(f.url + "/dashboard/projects/new")
	p.fill("[name=name]", "Kestrels")
	p.fill("[name=domain]", "kestrel.localhost")
	p.fill(`[name="source.repository"]`, address)
	p.clickAndLoad("main form.stack button.main")
	p.clickAndLoad(".head a.button.main")
	if state := p.badge("#deployment"); state == "success" {
		t.Errorf("an update without its repository is %s", state)
	}
	release()
	p.waitFor(`document.querySelector('#deployment .state').dataset.state === 'success'`) // the page reloads itself
	site := f.project("kestrel.localhost")

	p.navigate(f.url + "/dashboard/exports?domain=kestrel.localhost")
	p.expectEqual("the site that the address asks for", eval[string](p, `document.querySelector('#domain').value`),
		"kestrel.localhost")
	p.clickAndLoad(`form[action="/dashboard/exports"].stack button.main`)
	p.waitFor(`document.querySelector('#progress .state').dataset.state === 'completed'`)
	p.clickAndLoad(`form[action$="/bundle"] button.main`)
	p.expectEqual("the bundle's digest", download(t, p.text("#link > .code code")), p.text("#link dd .copy code"))

	p.runAgentWithoutScripts(f)
	before := f.updates(site)
	p.navigate(f.url + "/dashboard/projects/" + site)
	p.clickAndLoad(`form[action$="/update"] button`)
	if after := f.updates(site); after != before+1 {
		t.Errorf("%d updates, previously %d", after, before)
	}
	p.clickAndLoad(`.foot button[value=dark]`)
	p.expectEqual("the theme", eval[string](p, `document.documentElement.dataset.scheme`), "dark")
	p.signOut()
}

// badge returns the state of the first badge in a part of the page.
func (p *page) badge(selector string) string {
	p.t.Helper()
	return eval[string](p, `document.querySelector(`+quote(selector+" .state")+`)?.dataset.state ?? ''`)
}

// runAgentWithoutScripts runs an agent job and merges its proposal, on pages without scripts.
func (p *page) runAgentWithoutScripts(f *freshServer) {
	p.t.Helper()
	tour := f.project("tour.localhost")
	p.navigate(f.url + "/dashboard/projects/" + tour + "/agent")
	p.clickAndLoad(`#prompt-hint a[href*="broken"]`) // an example fills in the form
	p.expectEqual("the prompt", strings.ToLower(eval[string](p, `document.querySelector('#prompt').value`)),
		"fix broken links and anchors")
	p.clickAndLoad("#start button.main")
	job := p.path()
	// people type on this page, so it does not reload itself
	f.waitUntil("the end of the job", func() bool { p.navigate(f.url + job); return p.badge("#job") != "active" })
	p.expectEqual("the job", p.badge("#job"), "changed")
	p.clickAndLoad(`#job a[href*="/proposals/"]`)
	p.clickAndLoad(`form[action$="/merge"] button`)
	p.expectEqual("the proposal", p.badge("#state"), "merged")
	p.waitFor(`document.querySelector('#state').textContent.includes('It is published')`)
	p.navigate(f.site("tour.localhost") + "/guides/first-cup")
	if !eval[bool](p, linkFixed) {
		p.t.Error("the site lacks the change")
	}
}

// updates counts the deployments of a project.
func (f *freshServer) updates(projectID string) int {
	f.t.Helper()
	list, err := f.ListDeployments(f.t.Context(), projectID,
		client.ListDeploymentsParams{Kind: "production", Limit: 100})
	if err != nil {
		f.t.Fatal(err)
	}
	return len(list.Deployments)
}
