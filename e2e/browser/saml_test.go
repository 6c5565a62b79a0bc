package browser

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/samlidp"
)

// signInAtSAML signs in on the provider's page and waits until the browser has returned.
func (p *page) signInAtSAML(idp samlidp.Server, who string) {
	p.t.Helper()
	p.waitFor(`location.origin === ` + quote(idp.URL) + ` && document.readyState === 'complete'`)
	p.fill("#person", who)
	p.clickAndLoad("#sign-in")
	p.waitFor(`location.origin !== ` + quote(idp.URL) + ` && document.readyState === 'complete' && !document.querySelector('[name=again]')`)
}

// Readers sign in with a SAML provider on another site, whose form a browser sends without cookies. They return to the
// page that they requested. Someone in none of the site's groups is refused.
func TestReadersSignInWithSAML(t *testing.T) {
	t.Parallel()
	f, boss, project := startPrivate(t, "--allow-address", "127.0.0.1")
	idp := samlidp.Start(t, f.site("secret.localhost")+"/login/saml/main/acs")
	boss.navigate(f.url + "/dashboard/projects/" + project + "/settings")
	boss.click(`input[name="mode"][value="saml"]`)
	eval[bool](boss, `(document.querySelector('[name="saml.label"]').closest('details').open = true)`)
	boss.fill(`[name="saml.label"]`, "Acme")
	boss.fill(`[name="saml.metadataUrl"]`, idp.Metadata)
	boss.fill(`[name="saml.groups"]`, "readers")
	boss.clickAndLoad(`form[action$="/readers"] button.main`)
	if !strings.Contains(boss.text("body"), "All readers of the site were signed out") {
		t.Fatalf("the settings page shows %s", boss.text("main"))
	}
	start := f.site("secret.localhost") + "/guides/start"
	for who, admitted := range map[string]bool{"reader": true, "nobody": false} {
		p := tab(t)
		f.waitUntil("the sign-in page", func() bool { p.navigate(start); return p.path() == "/login" })
		p.expectEqual("the button", p.text("a.button"), "Continue with Acme")
		p.clickAndLoad("a.button")
		p.signInAtSAML(idp, who)
		if admitted {
			p.expectEqual("where a reader arrives", p.path(), "/guides/start")
			p.expectEqual("the page", p.text("h1"), "Start here")
			p.checkConsole()
			continue
		}
		if !strings.Contains(p.text(".problem"), "may not read this site") {
			t.Errorf("a stranger sees %s", p.text("body"))
		}
		p.navigate(start)
		p.expectEqual("where a stranger stays", p.path(), "/login")
	}
	read, err := f.GetReaderAccess(t.Context(), project)
	if err != nil || read.Mode != "saml" || read.ReaderSessions != 1 ||
		read.Providers[0].SAML != (client.ReaderSAML{MetadataURL: idp.Metadata}) {
		t.Errorf("%+v %v", read, err)
	}
}
