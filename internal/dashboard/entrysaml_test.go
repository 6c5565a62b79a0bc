package dashboard_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/serve/saml/samltest"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

// The provider's page submits its form from another site. One of our pages submits it again, and only that request is
// checked.
func TestSAMLFormIsResubmittedFromOurPage(t *testing.T) {
	var r *rig
	var idp *samltest.IDP
	r = newRig(t, func(parts *parts) {
		now := parts.SignIn.Now
		idp = samltest.New(t, now)
		parts.SignIn.IDP = &signin.IDP{Name: "Example <ID>", Roles: account.GroupRoles{Grants: []account.Grant{{Group: "staff", Role: account.RoleEditor}}},
			OrganizationID: func(context.Context) (string, error) { return r.a.org.ID, nil },
			Provider: &signin.SAML{Provider: saml.New(saml.Options{Metadata: idp.Metadata(), Now: now}),
				Store: parts.SignIn.Store, Now: now}}
	})
	w := r.walker()
	w.open("/dashboard/saml/metadata")
	w.is(http.StatusOK, r.server.URL+"/dashboard/saml/acs", `entityID="`+r.server.URL+`/dashboard/saml/metadata"`)
	w.open("/dashboard/sign-in?next=/dashboard/projects")
	w.is(http.StatusOK, "Sign in with Example <ID>", "/dashboard/saml/start?next=%2fdashboard%2fprojects")
	w.open("/dashboard/saml/start?next=/dashboard/projects")
	form := idp.Answer(w.page.header.Get("Location"), samltest.Lie{})
	if form.ACS != r.server.URL+"/dashboard/saml/acs" {
		t.Fatalf("%+v", form)
	}
	elsewhere := func(values url.Values) (status int, text string) { // as browsers do: without Lax cookies
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, form.ACS, strings.NewReader(values.Encode()))
		must(t, err)
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Sec-Fetch-Site", "cross-site")
		res, err := r.server.Client().Do(q)
		must(t, err)
		defer func() { _ = res.Body.Close() }()
		raw, err := io.ReadAll(res.Body)
		must(t, err)
		if len(res.Cookies()) > 0 {
			t.Errorf("another site sets cookies: %v", res.Cookies())
		}
		return res.StatusCode, string(raw)
	}
	values := form.Values()
	values.Set("again", "1")
	if status, text := elsewhere(values); status != http.StatusForbidden {
		t.Errorf("a form from another site is processed: %d %s", status, text)
	}
	status, text := elsewhere(form.Values())
	if status != http.StatusOK || !strings.Contains(text, "data-send") {
		t.Fatalf("%d %s", status, text)
	}
	w.page.body = text
	w.send("/dashboard/saml/acs")
	w.leads("/dashboard/projects")
	w.follow()
	w.is(http.StatusOK, "docs.a.example", "The reader")
	w.open("/dashboard/account")
	w.is(http.StatusOK, "signed in with an identity provider", "You have no password")
	other := r.walker()
	other.page.body = text
	other.send("/dashboard/saml/acs")
	other.is(http.StatusUnauthorized, "was not started in this browser")
	if other.token() != "" {
		t.Error("a browser that did not start the sign-in is signed in")
	}
	w.open("/dashboard/oidc/callback?code=x&state=x")
	w.is(http.StatusUnauthorized, "was not started in this browser")
	plain := newRig(t).walker()
	for _, path := range []string{"/dashboard/saml/metadata", "/dashboard/saml/start"} {
		plain.open(path)
		plain.is(http.StatusNotFound)
	}
	plain.do(http.MethodPost, "/dashboard/saml/acs", form.Values())
	plain.is(http.StatusNotFound)
}
