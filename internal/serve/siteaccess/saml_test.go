package siteaccess_test

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	crewjam "github.com/crewjam/saml"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/saml/samltest"
	"github.com/lectern-docs/lectern/internal/store"
)

// identifyBySAML lets a provider identify a site's readers.
func (r *rig) identifyBySAML(p project.Project, idp *samltest.IDP, change func(*access.Provider)) {
	r.t.Helper()
	one := access.Provider{Name: "main", Label: "Acme <SAML>", SAML: &access.SAMLSettings{Metadata: idp.Metadata()}}
	if change != nil {
		change(&one)
	}
	list, err := access.CleanProviders(access.SAML, []access.Provider{one})
	r.ok(err)
	r.tx(func(tx *store.Tx) error {
		_, err := tx.SetReaderAccess(r.t.Context(), access.Settings{ProjectID: p.ID, Mode: access.SAML, Providers: list})
		return err
	})
}

// beginSAML starts a sign-in and returns the URL that the browser is sent to.
func (b *browser) beginSAML(host, next string) string {
	b.r.t.Helper()
	sent := b.page("https://" + host + "/login/saml/main?next=" + url.QueryEscape(next))
	if sent.StatusCode != http.StatusSeeOther {
		b.r.t.Fatalf("%d %s", sent.StatusCode, sent.text)
	}
	return sent.Header.Get("Location")
}

// bring posts the form from the provider's page without cookies, as a browser does. Then it posts the form from the
// page in the response, with cookies.
func (b *browser) bring(form samltest.Form) answer {
	b.r.t.Helper()
	first := b.r.browser().do(http.MethodPost, form.ACS, form.Values().Encode(), "Sec-Fetch-Site", "cross-site")
	if first.StatusCode != http.StatusOK || !strings.Contains(first.text, `name="again"`) || len(first.Cookies()) > 0 {
		b.r.t.Fatalf("%d %v %s", first.StatusCode, first.Header, first.text)
	}
	return b.again(form, "same-origin")
}

func (b *browser) again(form samltest.Form, from string) answer {
	b.r.t.Helper()
	values := form.Values()
	values.Set("again", "1")
	return b.do(http.MethodPost, form.ACS, values.Encode(), "Sec-Fetch-Site", from)
}

func TestReaderCanSignInWithSAML(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	idp := samltest.New(t, r.Now)
	r.identifyBySAML(p, idp, nil)
	b := r.browser()
	form := b.page("https://" + host + "/login?next=/log")
	if !strings.Contains(form.text, `href="/login/saml/main?next=%2Flog"`) || !strings.Contains(form.text, "Acme &lt;SAML&gt;") {
		t.Errorf("%s", form.text)
	}
	a := b.bring(idp.Answer(b.beginSAML(host, "/log"), samltest.Lie{}))
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/log" || !b.reads(host) {
		t.Fatalf("%d %v %s", a.StatusCode, a.Header, a.text)
	}
	b.do(http.MethodPost, "https://"+host+"/_lectern/api/assistant", "{}", "Sec-Fetch-Site", "same-origin")
	if r.reader.Subject != "main person-1" || strings.Join(r.reader.Groups, " ") != "beta staff" || r.reader.Anonymous {
		t.Errorf("%+v", r.reader)
	}
	about := b.page("https://" + host + "/login/saml/main/metadata")
	for _, want := range []string{`entityID="https://` + host + `/login/saml/main/metadata"`,
		`Location="https://` + host + `/login/saml/main/acs"`} {
		if !strings.Contains(about.text, want) {
			t.Errorf("the metadata lacks %s: %s", want, about.text)
		}
	}
	for _, path := range []string{"/login/saml/none", "/login/saml/none/metadata", "/login/saml/main/other", "/login/saml/",
		"/login/saml/main/acs", "/login/oidc/main"} {
		if a := b.page("https://" + host + path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
}

func TestSAMLRulesLimitReaders(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	idp := samltest.New(t, r.Now)
	for name, c := range map[string]struct {
		rule     access.Provider
		admitted bool
	}{
		"no rule":      {access.Provider{}, true},
		"group":        {access.Provider{Groups: []string{"staff"}}, true},
		"other group":  {access.Provider{Groups: []string{"other"}}, false},
		"domain":       {access.Provider{EmailDomains: []string{"acme.example"}}, true},
		"other domain": {access.Provider{EmailDomains: []string{"example"}}, false},
	} {
		r.identifyBySAML(p, idp, func(p *access.Provider) { p.Groups, p.EmailDomains = c.rule.Groups, c.rule.EmailDomains })
		b := r.browser()
		a := b.bring(idp.Answer(b.beginSAML(host, "/"), samltest.Lie{}))
		if c.admitted != b.reads(host) || !c.admitted && a.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.text)
		}
	}
}

// K10: a response is accepted only once, in the browser that started the sign-in, on this site and with these
// settings.
func TestSAMLResponseIsBoundToItsRequest(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	other, _ := r.site("other.example.com", deploy.Production)
	idp := samltest.New(t, r.Now)
	r.identifyBySAML(p, idp, nil)
	r.identifyBySAML(other, idp, nil)
	refused := func(name string, b *browser, form samltest.Form) {
		t.Helper()
		if a := b.bring(form); a.StatusCode < 400 || b.session(host) != "" || b.session("other.example.com") != "" {
			t.Errorf("%s: %d %v", name, a.StatusCode, a.Header)
		}
	}
	b, thief := r.browser(), r.browser()
	form := idp.Answer(b.beginSAML(host, "/"), samltest.Lie{})
	refused("a browser that asked for nothing", r.browser(), form)
	thief.beginSAML(host, "/")
	refused("another browser", thief, form)
	changed := form
	changed.RelayState = "https://evil.example/"
	refused("another relay state", b, changed)
	refused("after a failure", b, form)

	b.beginSAML(host, "/")
	if a := b.again(idp.Answer(b.beginSAML(host, "/"), samltest.Lie{}), "cross-site"); a.StatusCode != http.StatusForbidden {
		t.Errorf("another site's form: %d", a.StatusCode)
	}
	elsewhere := r.browser()
	form = idp.Answer(elsewhere.beginSAML("other.example.com", "/"), samltest.Lie{})
	elsewhere.setCookies(host, elsewhere.cookies("other.example.com"))
	form.ACS = strings.Replace(form.ACS, "other.example.com", host, 1)
	refused("a sign-in of another site", elsewhere, form)
	late := r.browser()
	form = idp.Answer(late.beginSAML(host, "/"), samltest.Lie{Assertion: func(a *crewjam.Assertion) {
		a.Conditions.NotOnOrAfter = r.Now().Add(time.Hour)
		a.Subject.SubjectConfirmations[0].SubjectConfirmationData.NotOnOrAfter = r.Now().Add(time.Hour)
	}})
	r.Advance(11 * time.Minute)
	refused("too late", late, form)
	unsigned := r.browser()
	refused("not signed", unsigned, idp.Answer(unsigned.beginSAML(host, "/"), samltest.Lie{Unsigned: true, UnsignedIn: true}))
	stale := r.browser()
	form = idp.Answer(stale.beginSAML(host, "/"), samltest.Lie{})
	r.identifyBySAML(p, idp, nil)
	refused("after a change of the settings", stale, form)
	if text := r.log.String(); strings.Contains(text, "person-1") || strings.Contains(text, form.Response[:40]) ||
		strings.Contains(text, form.RelayState) {
		t.Errorf("the log contains parts of responses: %s", text)
	}
}

// K10: a copied response with the browser's cookies cannot be used again, on any server.
func TestSAMLAssertionCannotBeReused(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	idp := samltest.New(t, r.Now)
	r.identifyBySAML(p, idp, nil)
	second, err := store.Open(t.Context(), store.Options{URL: r.database, Now: r.Now, IDs: id.Source{Rand: rand.Reader}})
	r.ok(err)
	t.Cleanup(func() { _ = second.Close() })
	b, thief := r.browser(), r.browserAt(r.serve(second))
	form := idp.Answer(b.beginSAML(host, "/"), samltest.Lie{})
	thief.setCookies(host, b.cookies(host))
	if a := b.bring(form); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d %s", a.StatusCode, a.text)
	}
	if a := thief.bring(form); a.StatusCode != http.StatusUnauthorized || thief.session(host) != "" ||
		!strings.Contains(a.text, "already used") {
		t.Errorf("%d %s", a.StatusCode, a.text)
	}
}

// After the sign-in, the browser stays on the site, whatever a link contains.
func TestSAMLRedirectsOnlyWithinSite(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	idp := samltest.New(t, r.Now)
	r.identifyBySAML(p, idp, nil)
	for _, next := range []string{"https://evil.example/", "//evil.example", `/\evil.example`, "javascript:alert(1)"} {
		b := r.browser()
		a := b.bring(idp.Answer(b.beginSAML(host, next), samltest.Lie{}))
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/" {
			t.Errorf("%s leads to %d %s", next, a.StatusCode, a.Header.Get("Location"))
		}
	}
}
