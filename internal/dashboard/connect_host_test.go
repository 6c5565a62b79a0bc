package dashboard_test

import (
	"context"
	"crypto/rand"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/serve/githubapp"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
)

// connectedTo lets a dashboard connect to a GitLab server at an address on this machine.
func connectedTo(t *testing.T, address string) func(*parts) {
	t.Helper()
	return connectedBy(t, strings.TrimPrefix(address, "http://")+"=gitlab@"+address)
}

// connectedBy lets a dashboard connect to a code host, given in the format of the operator's setting.
func connectedBy(t *testing.T, entry string) func(*parts) {
	t.Helper()
	servers, err := forge.ParseServers([]string{entry})
	must(t, err)
	return func(p *parts) {
		hosts := forge.Hosts{Servers: servers, HTTP: forgetest.Client(t), Trusts: func(string) bool { return true },
			Tokens: forge.NewTokens(forgetest.Client(t), time.Now), Now: time.Now}
		p.API.Hosts = hosts
		p.API.Place = func(ctx context.Context, made project.Project) (connect.Place, error) {
			row, err := p.API.Store.FindCredentialByName(ctx, made.OrganizationID, made.Source.Credential)
			if err != nil {
				return nil, err
			}
			value, _, err := credential.Open([][]byte{master}, row)
			if err != nil {
				return nil, err
			}
			return hosts.Place(made.Source.Repository, forge.Credential{User: value.User, Password: value.Password})
		}
	}
}

// storeAt creates a credential for an address and returns its id.
func (r *rig) storeAt(name, address, secret string) string {
	r.t.Helper()
	if status, page := r.post("admin", credentials, values("name", name, "kind", "token", "url", address, "secret",
		secret)); status != http.StatusSeeOther {
		r.t.Fatalf("%d %s", status, page)
	}
	found, err := r.store.FindCredentialByName(r.t.Context(), r.a.org.ID, name)
	must(r.t, err)
	return found.ID
}

func TestConnectionIsTestedInTheDashboard(t *testing.T) {
	_, address, key := forgetest.GitLabConnection(t)
	r := newRig(t, connectedTo(t, address))
	good, bad := r.storeAt("good", address+"/acme", key), r.storeAt("bad", address, "wr0ng-t0ken-value")
	status, page := r.post("admin", credentials+"/"+good+"/test", values("repository", address+"/acme/docs.git"))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, page)
	}
	wants(t, page, "good works", "accepts the credential of lectern-bot", "It can manage the repository&#39;s webhooks.",
		"/dashboard/projects/new?credential="+good)
	if status, page = r.post("admin", credentials+"/"+bad+"/test", nil); status != http.StatusOK {
		t.Fatalf("%d %s", status, page)
	}
	wants(t, page, "bad does not work", "it is wrong, expired or revoked")
	r.wantKeptSecret(t, "wr0ng-t0ken-value")
	if status, page = r.post("admin", credentials+"/"+good+"/test",
		values("repository", "https://elsewhere.example.com/x/y")); status != http.StatusForbidden {
		t.Errorf("a repository elsewhere: %d", status)
	}
	wants(t, page, "is not for this repository")
}

// The form for a new project lists repositories page by page and fills in the selected one, without scripts.
func TestRepositoryIsChosenForANewProject(t *testing.T) {
	_, address, key := forgetest.GitLabConnection(t)
	r := newRig(t, connectedTo(t, address))
	const form = "/dashboard/projects/new"
	wants(t, r.page("admin", form), "Connect a code host")
	id := r.storeAt("good", address+"/acme", key)
	wants(t, r.page("admin", form), "Find repositories", "good")
	first := r.page("admin", form+"?credential="+id)
	wants(t, first, "acme/site-0", "More repositories")
	next := regexp.MustCompile(`href="([^"]*cursor=[^"]*)">More`).FindStringSubmatch(first)
	if next == nil || strings.Contains(r.page("admin", strings.ReplaceAll(next[1], "&amp;", "&")), "acme/site-0<") {
		t.Error("the second page does not contain the next repositories")
	}
	found := r.page("admin", form+"?credential="+id+"&search=guide-7")
	wants(t, found, "acme/guide-7")
	if strings.Contains(found, "acme/site-1") {
		t.Error("the search returned another repository")
	}
	chosen := r.page("admin", form+"?"+url.Values{"credential": {id}, "repository": {address + "/acme/guide-7.git"},
		"branch": {"main"}}.Encode())
	wants(t, chosen, `value="`+address+`/acme/guide-7.git"`, `value="good"`, `value="guide-7"`)
	wants(t, r.page("admin", form+"?credential="+r.storeAt("bad", address, "wr0ng-t0ken-value")), "rejected")
	r.wantKeptSecret(t, "wr0ng-t0ken-value")
}

// The webhook is installed with a new project, and installed again with a new secret by its button; if the permission
// is missing, the page says so and keeps the instructions.
func TestWebhookIsInstalledInTheDashboard(t *testing.T) {
	host, address, key := forgetest.GitLabConnection(t)
	r := newRig(t, connectedTo(t, address))
	r.storeAt("good", address+"/acme", key)
	form := values("name", "New", "domain", "new.a.example", "kind", "git", "source.repository",
		address+"/acme/docs.git", "source.credential", "good", "installWebhook", "yes")
	status, page := r.post("admin", "/dashboard/projects", form)
	if status != http.StatusOK || len(host.Hooks(t)) != 1 {
		t.Fatalf("%d, webhooks %v", status, host.Hooks(t))
	}
	wants(t, page, "The webhook is installed at the code host.")
	at := regexp.MustCompile(`/dashboard/projects/(prj_[a-z2-7]+)`).FindString(page)
	before := host.Hooks(t)[0].Secret
	if _, page = r.post("admin", at+"/webhook-secret", nil); host.Hooks(t)[0].Secret == before {
		t.Error("the code host has the old secret")
	}
	wants(t, page, "The webhook at the code host has the new secret.")
	wants(t, r.page("admin", at+"/settings"), "Install it at the code host")
	if status, where := r.post("admin", at+"/webhook", nil); status != http.StatusSeeOther || len(host.Hooks(t)) != 1 {
		t.Errorf("by its button: %d %s, webhooks %v", status, where, host.Hooks(t))
	}
	host.Demote(t)
	if status, page = r.post("admin", at+"/webhook", nil); status != http.StatusForbidden {
		t.Errorf("without the permission: %d", status)
	}
	wants(t, page, "does not let this credential manage the repository&#39;s webhooks", "role Maintainer", "Secret token")
}

// The form for GitHub can be submitted only to GitHub. Its response is accepted once, from the person who submitted the
// form, and becomes a credential whose repositories can be selected.
func TestGitHubAppIsCreatedInTheDashboard(t *testing.T) {
	host := forgetest.NewAppHost(t)
	host.Web = "https://ghe.example"
	r := newRig(t, connectedBy(t, "ghe.example=github@"+host.URL), func(p *parts) {
		p.Dashboard.GitHubApps = &githubapp.Flow{Hosts: p.API.Hosts, Masters: [][]byte{master}, Rand: rand.Reader,
			Now: p.API.Now, Once: func(ctx context.Context, key string, within time.Duration) (bool, error) {
				used, err := p.API.Store.CountUp(ctx, "github app state", key, 1, within)
				return used.N == 1, err
			}}
	})
	wants(t, r.page("admin", credentials), "Create a GitHub App", "https://github.com")
	if status, page := r.get("admin", credentials+"/github-app?name=app&url=https://evil.example"); status != http.StatusBadRequest ||
		!strings.Contains(page, "must be the https address of GitHub") {
		t.Errorf("another host: %d", status)
	}
	create := func() (back string) {
		begin := r.send("admin", http.MethodGet, credentials+"/github-app?name=app&owner=acme&url="+url.QueryEscape(host.Web), nil)
		if policy := begin.header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' "+host.Web+";") {
			t.Errorf("policy %q", policy)
		}
		state := regexp.MustCompile(`apps/new\?state=([A-Za-z0-9_-]+)"`).FindStringSubmatch(begin.body)
		if state == nil {
			t.Fatalf("no state: %s", begin.body)
		}
		return credentials + "/github-app/created?" + url.Values{"state": {state[1]}, "code": {host.Create()}}.Encode()
	}
	back := create()
	if status, page := r.get("owner", back); status != http.StatusBadRequest || !strings.Contains(page, "was meant for another user") {
		t.Errorf("another person: %d", status)
	}
	page := r.page("admin", back)
	wants(t, page, "The GitHub App was created", host.Web+"/github-apps/lectern-docs/installations/new", host.Web+"/acme")
	if status, _ := r.get("admin", back); status != http.StatusBadRequest {
		t.Errorf("a second time: %d", status)
	}
	made, err := r.store.FindCredentialByName(t.Context(), r.a.org.ID, "app")
	must(t, err)
	r.wantKeptSecret(t, "PRIVATE KEY")
	wants(t, r.page("admin", "/dashboard/projects/new?credential="+made.ID+"&search=site-7"), "acme/site-7")
	wants(t, r.page("admin", "/dashboard/settings/audit"), "stored the credential")

	r.page("admin", create()) // its name is taken, so it gets a different one
	status, page := r.get("admin", create())
	kept := regexp.MustCompile(`name="app" value="([A-Za-z0-9_-]+)"`).FindStringSubmatch(page)
	if status != http.StatusConflict || kept == nil || strings.Contains(page, "PRIVATE KEY") {
		t.Fatalf("no name is left: %d %s", status, page)
	}
	wants(t, page, "could not be stored", "already")
	if _, page = r.post("admin", credentials, url.Values{"app": {kept[1]}, "name": {"third"}}); !strings.Contains(page, "The GitHub App was created") {
		t.Errorf("stored later: %s", page)
	}
	_, err = r.store.FindCredentialByName(t.Context(), r.a.org.ID, "third")
	must(t, err)
	again := create()
	host.Down(true)
	_, page = r.get("admin", again)
	retry := regexp.MustCompile(`href="([^"]+/github-app/created[^"]+)"`).FindStringSubmatch(page)
	if retry == nil {
		t.Fatalf("GitHub is away: %s", page)
	}
	host.Down(false)
	if _, page = r.get("admin", html.UnescapeString(retry[1])); !strings.Contains(page, "is not stored yet") { // names are taken
		t.Errorf("GitHub is back: %s", page)
	}
}
