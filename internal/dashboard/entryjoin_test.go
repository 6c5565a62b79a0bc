package dashboard_test

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/oidc"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

func TestNewPersonJoinsByLink(t *testing.T) {
	r := newRig(t)
	link := r.link(account.InviteJoin, "new@example.com", account.RoleEditor, r.people["owner"].member.ID)
	w := r.walker()
	w.open("/dashboard/join?token=" + link)
	w.is(http.StatusOK, "Join a", "editor", `value="new@example.com"`, "readonly")
	w.send("/dashboard/join", "name", "New", "password", goodPassword)
	w.leads("/dashboard/?did=joined")
	w.follow()
	w.is(http.StatusOK, "Welcome. You are now a member.", "New")
	w.open("/dashboard/join?token=" + link)
	w.is(http.StatusNotFound, "This link is not valid")
	events := strings.Join(r.auditEvents(r.a.org.ID), "\n")
	for _, want := range []string{" invitation.accept inv_", " member.join mem_", " member.sign_in mem_"} {
		if !strings.Contains(events, want) {
			t.Errorf("the audit log lacks %s:\n%s", want, events)
		}
	}
	if strings.Contains(events, link) {
		t.Error("the audit log contains the link's secret")
	}
}

func TestExistingAccountJoinsByButtonOrPassword(t *testing.T) {
	r := newRig(t)
	r.withPassword("foreign")
	w := r.walker()
	link := r.link(account.InviteJoin, "foreign@example.com", account.RoleViewer, "operator")
	w.open("/dashboard/join?token=" + link)
	w.is(http.StatusOK, "already has an account", `autocomplete="current-password"`)
	w.send("/dashboard/join", "password", otherPassword)
	w.is(http.StatusUnauthorized, "the password is wrong")
	w.open("/dashboard/sign-in?next=" + url.QueryEscape("/dashboard/join?token="+link))
	w.send("/dashboard/sign-in", "email", "foreign@example.com", "password", goodPassword)
	w.leads("/dashboard/join?token=" + link)
	w.follow()
	w.is(http.StatusOK, "Join as foreign@example.com")
	token := w.token()
	w.send("/dashboard/join")
	w.leads("/dashboard/?did=joined")
	if w.token() != token {
		t.Error("joining created a new session")
	}
	w.open("/dashboard/projects")
	w.is(http.StatusOK, "docs.a.example", "Switch to b")

	again := r.walker()
	again.open("/dashboard/join?token=" +
		r.link(account.InviteJoin, "foreign@example.com", account.RoleAdmin, "operator"))
	again.send("/dashboard/join", "password", goodPassword)
	again.leads("/dashboard/?did=joined")
}

func TestLinkForAnotherPersonIsExplained(t *testing.T) {
	r := newRig(t)
	r.withPassword("viewer")
	w := r.walker()
	w.signIn("viewer@example.com")
	token := w.token()
	w.open("/dashboard/join?token=" + r.link(account.InviteJoin, "new@example.com", account.RoleAdmin, "operator"))
	w.is(http.StatusOK, "You are signed in here as viewer@example.com, but the link is for new@example.com.")
	w.send("/dashboard/join", "password", otherPassword)
	w.leads("/dashboard/?did=joined")
	if w.token() == token {
		t.Error("the session is still the other person's")
	}
	w.open("/dashboard/account")
	w.is(http.StatusOK, "new@example.com")
	if m, err := r.store.FindMemberByEmail(t.Context(), r.a.org.ID, "viewer@example.com"); err != nil ||
		m.Role != account.RoleViewer {
		t.Errorf("the other person's role changed: %v %v", m, err)
	}
}

func TestPasswordLinkChangesThePassword(t *testing.T) {
	r := newRig(t)
	r.withPassword("viewer")
	link := r.link(account.InvitePassword, "viewer@example.com", account.RoleViewer, r.people["owner"].member.ID)
	w := r.walker()
	w.open("/dashboard/join?token=" + link)
	w.is(http.StatusNotFound, "This link is not valid") // of another kind
	w.open("/dashboard/new-password?token=" + link)
	w.is(http.StatusOK, `value="viewer@example.com"`, `autocomplete="new-password"`)
	w.send("/dashboard/new-password", "password", "viewer1234567")
	w.is(http.StatusBadRequest, "must not be based on the e-mail address")
	w.send("/dashboard/new-password", "password", otherPassword)
	w.leads("/dashboard/?did=password-changed")
	if status, _ := r.get("viewer", "/dashboard/account"); status != http.StatusSeeOther {
		t.Errorf("the session from before: %d", status)
	}
	w.open("/dashboard/new-password?token=" + link)
	w.is(http.StatusNotFound, "This link is not valid")
	w.open("/dashboard/new-password?token=")
	w.is(http.StatusNotFound, "This link is not valid")
}

// vouching is an identity provider that vouches for one person; the protocol is tested in package oidc.
type vouching struct {
	who   oidc.Identity
	state string
}

func (p *vouching) Begin(_ context.Context, redirect, state, _, _ string) (string, error) {
	p.state = state
	return "https://id.example.com/authorize?" + url.Values{"state": {state}, "redirect_uri": {redirect}}.Encode(), nil
}

func (p *vouching) Finish(_ context.Context, _, code, _, _ string) (oidc.Identity, error) {
	if code != "right" {
		return oidc.Identity{}, fault.New(fault.Unauthenticated, "oidc_refused",
			"The identity provider did not confirm this sign-in.")
	}
	return p.who, nil
}

func provided(t *testing.T, publicURL string) (*rig, *vouching) {
	p := &vouching{who: oidc.Identity{Issuer: "https://id.example.com", Subject: "1", Email: "one@example.com",
		Verified: true, Groups: []string{"staff"}}}
	var r *rig
	r = newRig(t, func(parts *parts) {
		parts.Dashboard.PublicURL = publicURL
		parts.Dashboard.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		parts.SignIn.Proxies = parts.Dashboard.Proxies
		parts.SignIn.IDP = &signin.IDP{Provider: p, Name: "Example <ID>",
			Roles:          account.GroupRoles{Grants: []account.Grant{{Group: "staff", Role: account.RoleEditor}}},
			OrganizationID: func(context.Context) (string, error) { return r.a.org.ID, nil }}
	})
	return r, p
}

func TestProviderSignInCreatesASession(t *testing.T) {
	r, p := provided(t, "")
	w := r.walker()
	w.open("/dashboard/sign-in?next=/dashboard/projects")
	w.is(http.StatusOK, "Sign in with Example <ID>", "/dashboard/oidc/start?next=%2fdashboard%2fprojects")
	w.open("/dashboard/oidc/start?next=/dashboard/projects")
	want := "https://id.example.com/authorize?redirect_uri=" +
		url.QueryEscape(r.server.URL+"/dashboard/oidc/callback") + "&state=" + p.state
	w.leads(want)
	if c := w.page.header.Get("Set-Cookie"); !strings.HasPrefix(c, "lectern_oidc=") ||
		!strings.Contains(c, "Max-Age=600; HttpOnly; SameSite=Lax") {
		t.Errorf("the cookie is %s", c)
	}
	w.open("/dashboard/oidc/callback?code=right&state=" + p.state)
	w.leads("/dashboard/projects")
	if w.cookie("lectern_oidc") != "" {
		t.Error("the sign-in cookie was not deleted")
	}
	w.follow()
	w.is(http.StatusOK, "docs.a.example", "one@example.com")
	w.open("/dashboard/account")
	w.is(http.StatusOK, "signed in with an identity provider", "You have no password")
}

func TestInvitedPersonContinuesWithTheProvider(t *testing.T) {
	r, p := provided(t, "")
	p.who.Groups = nil
	link := r.link(account.InviteJoin, "one@example.com", account.RoleAdmin, "operator")
	w := r.walker()
	w.open("/dashboard/join?token=" + link)
	w.is(http.StatusOK, "Continue with Example <ID>")
	w.open("/dashboard/oidc/start?next=" + url.QueryEscape("/dashboard/join?token="+link))
	w.open("/dashboard/oidc/callback?code=right&state=" + p.state)
	w.leads("/dashboard/join?token=" + link)
	w.follow()
	w.send("/dashboard/join")
	w.leads("/dashboard/?did=joined")
	w.follow()
	w.is(http.StatusOK, "admin")
}

func TestProviderRefusalReturnsToTheForm(t *testing.T) {
	r, p := provided(t, "")
	for name, c := range map[string]struct {
		query  string
		status int
		words  string
	}{
		"wrong code":  {"code=wrong&state=STATE", http.StatusUnauthorized, "did not confirm this sign-in"},
		"denied":      {"error=access_denied&state=STATE", http.StatusUnauthorized, "denied the sign-in"},
		"wrong state": {"code=right&state=x", http.StatusUnauthorized, "was not started in this browser"},
		"nothing":     {"", http.StatusUnauthorized, "was not started in this browser"},
	} {
		w := r.walker()
		w.open("/dashboard/oidc/start?next=/dashboard/projects")
		w.open("/dashboard/oidc/callback?" + strings.ReplaceAll(c.query, "STATE", p.state))
		w.is(c.status, c.words, "Sign in with Example <ID>")
		if w.token() != "" {
			t.Errorf("%s: there is a session", name)
		}
	}
	p.who.Groups = nil
	w := r.walker()
	w.open("/dashboard/oidc/start")
	w.open("/dashboard/oidc/callback?code=right&state=" + p.state)
	w.is(http.StatusForbidden, "none of your groups has access", "Ask an owner or admin")
	other := r.walker() // another browser with the same IP address
	other.open("/dashboard/oidc/callback?code=right&state=" + p.state)
	other.is(http.StatusUnauthorized, "was not started in this browser")
}

// The browser's cookie must be set on the host to which the provider redirects it.
func TestProviderSignInStartsAtThePublicURL(t *testing.T) {
	r, _ := provided(t, "https://docs.example.com")
	w := r.walker()
	w.open("/dashboard/oidc/start?next=/dashboard/projects")
	w.leads("https://docs.example.com/dashboard/oidc/start?next=%2Fdashboard%2Fprojects")
	plain := newRig(t).walker()
	plain.open("/dashboard/oidc/start")
	plain.is(http.StatusNotFound, "This server has no identity provider configured.")
}
