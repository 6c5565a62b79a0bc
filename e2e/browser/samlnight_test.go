//go:build nightly

package browser

import (
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/samlidp"
)

// Members sign in with a SAML provider. Their groups there determine their permissions here. For someone without a
// group, the page says whom to contact.
func TestMembersSignInWithSAML(t *testing.T) {
	t.Parallel()
	port, err := testserver.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	listen := "127.0.0.1:" + strconv.Itoa(port)
	home := "http://localhost:" + strconv.Itoa(port) // a different site from the provider's
	idp := samlidp.Start(t, home+"/dashboard/saml/acs")
	startFreshServer(t, nil, "--listen", listen, "--first-site", "off", "--public-url", home, "--saml-metadata-url",
		idp.Metadata, "--saml-name", "Acme", "--saml-roles", "writers=editor")
	p := tab(t)
	p.navigate(home + "/dashboard/projects")
	p.expectEqual("the button", p.text(`a[href^="/dashboard/saml/start"]`), "Sign in with Acme")
	p.clickAndLoad(`a[href^="/dashboard/saml/start"]`)
	p.signInAtSAML(idp, "writer")
	p.expectEqual("where one goes on", p.path(), "/dashboard/projects")
	p.expectEqual("the role", p.text(".side .me .quiet"), "editor")
	p.checkConsole()
	q := tab(t)
	q.navigate(home + "/dashboard/sign-in")
	q.clickAndLoad(`a[href^="/dashboard/saml/start"]`)
	q.signInAtSAML(idp, "nobody")
	if q.exists(".side .me") || !strings.Contains(q.text("main"), "none of your groups has access") {
		t.Errorf("somebody without a group sees %s", q.text("main"))
	}
}
