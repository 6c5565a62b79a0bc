package browser

import (
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/samlidp"
)

// signInAtSAML signs in on the provider's page, and waits until the browser is back.
func (p *page) signInAtSAML(idp samlidp.Server, who string) {
	p.t.Helper()
	p.waitFor(`location.origin === ` + quote(idp.URL) + ` && document.readyState === 'complete'`)
	p.fill("#person", who)
	p.clickAndLoad("#sign-in")
	p.waitFor(`location.origin !== ` + quote(idp.URL) + ` && document.readyState === 'complete' && !document.querySelector('[name=again]')`)
}

// Readers sign in with a SAML provider on another site, whose form a browser sends without cookies. They arrive where they
// wanted to go; somebody in no group of the site's stays outside.
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
		t.Fatalf("the settings say %s", boss.text("main"))
	}
	start := f.site("secret.localhost") + "/guides/start"
	for who, admitted := range map[string]bool{"reader": true, "nobody": false} {
		p := tab(t).openIsolated(t)
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

// Members sign in with a SAML provider. Their groups there say what they may do here; somebody without a group learns whom
// to ask.
func TestMembersSignInWithSAML(t *testing.T) {
	t.Parallel()
	port, err := testserver.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	listen := "127.0.0.1:" + strconv.Itoa(port)
	home := "http://localhost:" + strconv.Itoa(port) // another site than the provider's
	idp := samlidp.Start(t, home+"/dashboard/saml/acs")
	startFreshServer(t, nil, "--listen", listen, "--first-site", "off", "--public-url", home, "--saml-metadata-url",
		idp.Metadata, "--saml-name", "Acme", "--saml-roles", "writers=editor")
	p := tab(t).openIsolated(t)
	p.navigate(home + "/dashboard/projects")
	p.expectEqual("the button", p.text(`a[href^="/dashboard/saml/start"]`), "Sign in with Acme")
	p.clickAndLoad(`a[href^="/dashboard/saml/start"]`)
	p.signInAtSAML(idp, "writer")
	p.expectEqual("where one goes on", p.path(), "/dashboard/projects")
	p.expectEqual("the role", p.text(".side .me .quiet"), "editor")
	p.checkConsole()
	q := tab(t).openIsolated(t)
	q.navigate(home + "/dashboard/sign-in")
	q.clickAndLoad(`a[href^="/dashboard/saml/start"]`)
	q.signInAtSAML(idp, "nobody")
	if q.exists(".side .me") || !strings.Contains(q.text("main"), "none of your groups has access") {
		t.Errorf("somebody without a group sees %s", q.text("main"))
	}
}
