//go:build nightly

package browser

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// Readers of a bundle sign in at a real OpenID Connect provider. Pages show what it says about them.
func TestReadersOfABundleSignInWithAnIdentityProvider(t *testing.T) {
	t.Parallel()
	server := gitea.Shared(t)
	g := &provider{Server: server, boss: server.User(t)}
	g.organization = server.Organization(t, g.boss)
	reader, stranger := g.User(t), g.User(t)
	g.Team(t, g.boss, g.organization, "readers", reader)
	address := lectern.FreeAddress(t)
	id, secret := server.OIDCClient(t, "bundle", "http://"+address+"/docs/login/callback")
	settings, err := json.Marshal(map[string]any{"mode": "oidc", "providers": []map[string]any{{"name": "gitea",
		"label": "Gitea", "issuer": server.URL, "clientId": id, "clientSecret": secret, "scopes": []string{"groups"},
		"groups": []string{g.organization + ":readers"}}}})
	if err != nil {
		t.Fatal(err)
	}
	home := serveForReaders(t, address, "/docs", "--readers-file", writeSecret(t, "readers.json", settings))
	for who, admitted := range map[gitea.User]bool{reader: true, stranger: false} {
		p := tab(t).openIsolated(t)
		p.acceptDialogs() // the Gitea of these tests has no scripts of its own, and says so
		p.navigate(home)
		p.expectEqual("the button", p.text("a.button"), "Continue with Gitea")
		p.clickAndLoad("a.button")
		p.signInAtProvider(g, who)
		p.waitFor(`location.host === ` + quote(address) + ` && document.readyState === 'complete'`)
		if admitted {
			p.expectEqual("where a reader arrives", p.path(), "/docs/")
			p.waitFor(`document.querySelector('article.content').innerText.includes('Hello ` + who.Name + `.')`)
			continue
		}
		if !strings.Contains(p.text(".problem"), "may not read this site") {
			t.Errorf("a stranger sees %s", p.text("body"))
		}
		p.navigate(home)
		p.expectEqual("where a stranger stays", p.path(), "/docs/login")
	}
}
