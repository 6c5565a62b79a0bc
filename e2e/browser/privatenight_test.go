//go:build nightly

package browser

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
)

// Members of the organization read its private sites with their accounts: they sign in at the dashboard and return to
// the site.
func TestMembersReadPrivateSitesWithTheirAccounts(t *testing.T) {
	t.Parallel()
	f, boss, project := startPrivate(t)
	if _, err := f.SetReaderAccess(t.Context(), project, client.SetReaderAccess{Mode: "organization"}); err != nil {
		t.Fatal(err)
	}
	start := f.site("secret.localhost") + "/guides/start"
	f.waitUntil("the sign-in page", func() bool { boss.navigate(start); return boss.path() == "/login" })
	boss.clickAndLoad("a.button")
	boss.waitFor(`location.pathname === '/guides/start' && document.readyState === 'complete'`)
	boss.expectEqual("the page", boss.text("h1"), "Start here")

	p := tab(t)
	p.navigate(start)
	p.clickAndLoad("a.button")
	p.waitFor(`location.pathname === '/dashboard/sign-in' && document.readyState === 'complete'`)
	p.signIn(owner)
	p.waitFor(`location.pathname === '/guides/start' && document.readyState === 'complete'`)
	p.expectEqual("the page", p.text("h1"), "Start here")
	p.navigate(f.url + "/dashboard/")
	p.signOut()
	p.navigate(start)
	p.expectEqual("after signing out of the dashboard", p.path(), "/login")
}

// Readers sign in with a real OpenID Connect provider, on its own pages, and return to the page that they requested.
// Readers in none of the site's groups are refused.
func TestPrivateSiteReadersSignInWithIdentityProvider(t *testing.T) {
	t.Parallel()
	server := gitea.Shared(t)
	g := &provider{Server: server, boss: server.User(t)}
	g.organization = server.Organization(t, g.boss)
	reader, stranger := g.User(t), g.User(t)
	g.Team(t, g.boss, g.organization, "readers", reader)
	f, _, project := startPrivate(t, "--allow-address", "127.0.0.1")
	id, secret := server.OIDCClient(t, "docs", f.site("secret.localhost")+"/login/callback")
	if _, err := f.SetReaderAccess(t.Context(), project, client.SetReaderAccess{Mode: "oidc",
		Providers: []client.ReaderProvider{{Name: "gitea", Label: "Gitea", Issuer: server.URL, ClientID: id,
			ClientSecret: secret, Scopes: []string{"groups"}, Groups: []string{g.organization + ":readers"}}}}); err != nil {
		t.Fatal(err)
	}
	start := f.site("secret.localhost") + "/guides/start"
	for who, admitted := range map[gitea.User]bool{reader: true, stranger: false} {
		p := tab(t)
		p.acceptDialogs() // this Gitea is built without its scripts, and opens a dialog that says so
		f.waitUntil("the sign-in page", func() bool { p.navigate(start); return p.path() == "/login" })
		p.expectEqual("the button", p.text("a.button"), "Continue with Gitea")
		p.clickAndLoad("a.button")
		p.signInAtProvider(g, who)
		p.waitFor(`location.hostname === 'secret.localhost' && document.readyState === 'complete'`)
		if admitted {
			p.expectEqual("where a reader arrives", p.path(), "/guides/start")
			p.expectEqual("the page", p.text("h1"), "Start here")
			continue
		}
		if !strings.Contains(p.text(".problem"), "may not read this site") {
			t.Errorf("a stranger sees %s", p.text("body"))
		}
		p.navigate(start)
		p.expectEqual("where a stranger stays", p.path(), "/login")
	}
}
