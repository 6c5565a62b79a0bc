package browser

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
)

// provider is a real identity provider whose users are in groups, for a server where they sign in with it.
type provider struct {
	*gitea.Server
	boss         gitea.User
	organization string
}

func startProvider(t *testing.T) (*provider, *freshServer) {
	t.Helper()
	server := gitea.Shared(t)
	port, err := testserver.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	listen := "127.0.0.1:" + strconv.Itoa(port)
	id, secret := server.OIDCClient(t, "lectern", "http://"+listen+"/dashboard/oidc/callback")
	g := &provider{Server: server, boss: server.User(t)}
	g.organization = server.Organization(t, g.boss)
	f := startFreshServer(t, []string{"LECTERN_OIDC_CLIENT_SECRET=" + secret}, "--listen", listen, "--first-site", "off",
		"--allow-address", "127.0.0.1", "--oidc-issuer", server.URL,
		"--oidc-client-id", id, "--oidc-name", "Gitea", "--oidc-scopes", "groups", "--oidc-roles",
		g.organization+":writers=editor,"+g.organization+":readers=viewer")
	return g, f
}

// removeFromTeam removes a user from a team.
func (g *provider) removeFromTeam(t *testing.T, team string, who gitea.User) {
	t.Helper()
	var teams []struct {
		ID   int64
		Name string
	}
	g.Call(t, g.boss, http.MethodGet, "/orgs/"+g.organization+"/teams", nil, &teams)
	for _, found := range teams {
		if found.Name == team {
			g.Call(t, g.boss, http.MethodDelete, "/teams/"+strconv.FormatInt(found.ID, 10)+"/members/"+who.Name, nil,
				nil)
			return
		}
	}
	t.Fatalf("no team %s: %+v", team, teams)
}

// People sign in with a real OpenID Connect provider, on its own pages. Their groups there determine their permissions
// here, and are read again at each sign-in. For a person without a group, the page says whom to contact.
func TestPeopleSignInWithIdentityProvider(t *testing.T) {
	t.Parallel()
	g, f := startProvider(t)
	writer, nobody := g.User(t), g.User(t)
	g.Team(t, g.boss, g.organization, "writers", writer)
	g.Team(t, g.boss, g.organization, "readers", writer)
	p := tab(t)
	p.acceptDialogs() // this Gitea is built without its scripts, and opens a dialog that says so
	p.navigate(f.url + "/dashboard/projects")
	p.clickAndLoad(`a[href^="/dashboard/oidc/start"]`)
	p.signInAtProvider(g, writer)
	p.expectEqual("where one goes on", p.path(), "/dashboard/projects")
	p.expectEqual("the role", p.text(".side .me .quiet"), "editor")
	p.navigate(f.url + "/dashboard/")
	p.expectEqual("the overview", p.text("h1"), "Overview")
	p.navigate(f.url + "/dashboard/account")
	if !strings.Contains(p.text("main"), writer.Email) || p.exists(`form[action$="/account/password"]`) {
		t.Errorf("the account is %s", p.text("main"))
	}
	p.checkConsoleExcept("Failed to load resource: the server responded with a status of 404") // of the provider

	g.removeFromTeam(t, "writers", writer)
	p.signOut()
	p.clickAndLoad(`a[href^="/dashboard/oidc/start"]`)
	if !strings.HasPrefix(p.path(), "/dashboard/") { // the provider may ask again
		p.signInAtProvider(g, writer)
	}
	p.expectEqual("the role without the group", p.text(".side .me .quiet"), "viewer")

	q := tab(t)
	q.acceptDialogs()
	q.navigate(f.url + "/dashboard/sign-in")
	q.clickAndLoad(`a[href^="/dashboard/oidc/start"]`)
	q.signInAtProvider(g, nobody)
	if q.exists(".side .me") || !strings.Contains(strings.ToLower(q.text("main")), "ask") ||
		strings.Contains(q.text("body"), f.organization) {
		t.Errorf("somebody without a group sees %s", q.text("main"))
	}
}

// signInAtProvider signs in on the provider's pages and gives consent.
func (p *page) signInAtProvider(g *provider, who gitea.User) {
	p.t.Helper()
	p.waitFor(`location.origin === ` + quote(g.URL) + ` && document.readyState === 'complete'`)
	if p.exists("#user_name") {
		p.fill("#user_name", who.Name)
		p.fill("#password", who.Password)
		p.clickAndLoad(`form[action$="/user/login"] button.primary`)
	}
	if eval[bool](p, `location.origin === `+quote(g.URL)) {
		p.clickAndLoad("#authorize-app")
	}
	p.waitFor(`location.origin !== ` + quote(g.URL) + ` && document.readyState === 'complete'`)
}
