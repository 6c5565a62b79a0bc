package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// An admin makes a site private in its settings and signs out its readers; other roles cannot, and the audit log
// records it.
func TestReaderAccessIsSetInProjectSettings(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.project.ID
	mode := func(want access.Mode) {
		t.Helper()
		if got, err := r.store.FindReaderAccess(t.Context(), r.a.project.ID); err != nil || got.Mode != want {
			t.Errorf("%+v (error %v), want %s", got, err, want)
		}
	}
	page := r.page("admin", path+"/settings")
	wants(t, page, "Who may read it", `value="public" checked`, "Members of this organization")
	wantsNone(t, page, "Sign all readers out")
	status, body := r.post("admin", path+"/readers", values("mode", "password", "password", "short"))
	if status != http.StatusBadRequest {
		t.Errorf("%d", status)
	}
	wants(t, body, "at least 12 characters", `value="password" checked`)
	mode(access.Public)
	if status, _ = r.post("editor", path+"/readers", values("mode", "organization")); status != http.StatusForbidden {
		t.Errorf("an editor got %d", status)
	}
	if status, _ = r.post("admin", path+"/readers",
		values("mode", "password", "password", "seven green bicycles")); status != http.StatusSeeOther {
		t.Errorf("%d", status)
	}
	mode(access.Password)
	page = r.page("admin", path+"/settings?did=readers-saved")
	wants(t, page, "All readers of the site were signed out", `value="password" checked`, "Sign all readers out",
		"in 0 browsers")
	wantsNone(t, page, "bicycles")
	if status, _ = r.post("admin", path+"/readers/sign-out", values()); status != http.StatusSeeOther {
		t.Errorf("%d", status)
	}
	if status, _ = r.post("admin", path+"/readers", values("mode", "organization")); status != http.StatusSeeOther {
		t.Errorf("%d", status)
	}
	mode(access.Organization)
	status, body = r.post("admin", path+"/readers", values("mode", "oidc", "provider.issuer", "http://id.example.com",
		"provider.clientId", "docs", "provider.clientSecret", "s3cret-of-the-client"))
	if status != http.StatusBadRequest {
		t.Errorf("%d", status)
	}
	wants(t, body, "must be an https:// address", `value="http://id.example.com"`)
	wantsNone(t, body, "s3cret-of-the-client")
	if status, body = r.post("admin", path+"/readers", values("mode", "oidc", "provider.label", "Acme",
		"provider.issuer", "https://id.example.com", "provider.clientId", "docs", "provider.clientSecret",
		"s3cret-of-the-client", "provider.groups", "staff\nbeta")); status != http.StatusSeeOther {
		t.Errorf("%d %s", status, body)
	}
	mode(access.OIDC)
	page = r.page("admin", path+"/settings")
	wants(t, page, `value="https://id.example.com"`, "staff\nbeta", `value="oidc" checked`)
	wantsNone(t, page, "s3cret-of-the-client")
	// if another field changes, the scopes and the secret are kept, unless the secret would be sent to another host
	secret := func() string {
		t.Helper()
		got, err := r.store.FindReaderAccess(t.Context(), r.a.project.ID)
		must(t, err)
		if _, err := got.OpenSecrets([][]byte{master}); err != nil || len(got.Providers) != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
		return got.Providers[0].ClientSecret + " " + strings.Join(got.Providers[0].Scopes, ",")
	}
	edit := func(issuer, scopes string) {
		t.Helper()
		if status, body := r.post("admin", path+"/readers", values("mode", "oidc", "provider.name", "main", "provider.label",
			"Other", "provider.issuer", issuer, "provider.clientId", "docs", "provider.clientSecret", "", "provider.scopes",
			scopes)); status != http.StatusSeeOther {
			t.Errorf("%d %s", status, body)
		}
	}
	edit("https://id.example.com", "groups\nteams")
	if got := secret(); got != "s3cret-of-the-client groups,teams" {
		t.Errorf("stored %s", got)
	}
	wants(t, r.page("admin", path+"/settings"), "groups\nteams", `name="provider.name" value="main"`)
	edit("https://evil.example.com", "groups")
	if got := secret(); got != " groups" {
		t.Errorf("stored %s", got)
	}
	if status, body = r.post("admin", path+"/readers", values("mode", "saml", "saml.metadata", "<nonsense/>")); status !=
		http.StatusBadRequest {
		t.Errorf("%d", status)
	}
	wants(t, body, "The metadata cannot be used", "&lt;nonsense/&gt;", `value="saml" checked`)
	if status, body = r.post("admin", path+"/readers", values("mode", "saml", "saml.label", "Acme", "saml.metadataUrl",
		"https://id.example.com/saml", "saml.groups", "staff\nbeta")); status != http.StatusSeeOther {
		t.Errorf("%d %s", status, body)
	}
	mode(access.SAML)
	wants(t, r.page("admin", path+"/settings"), `value="https://id.example.com/saml"`, "staff\nbeta", `value="saml" checked`)
	if status, body = r.post("admin", path+"/readers", values("mode", "jwt", "jwt.loginUrl", "https://app.example/docs",
		"jwt.keys", "nonsense")); status != http.StatusBadRequest {
		t.Errorf("%d", status)
	}
	wants(t, body, "not a usable public key", "nonsense")
	page = r.page("admin", audit)
	wants(t, page, "changed who may read", "from public to password", "from password to organization",
		"signed out all readers")
	wantsNone(t, page, "bicycles")
}

// A8: a member who comes from a site of the organization is sent back with a code; a person who is not signed in signs
// in first, and a member of another organization is refused.
func TestMembersAreHandedOverToSites(t *testing.T) {
	r := newRig(t)
	domain := r.a.project.Domains[0]
	at := "/dashboard/reader?" + url.Values{"project": {r.a.project.ID}, "host": {domain},
		"state": {account.TokenHash("x")}}.Encode()
	got := r.send("viewer", http.MethodGet, at, nil)
	if to := got.header.Get("Refresh"); got.status != http.StatusOK ||
		!strings.HasPrefix(to, "0;url=http://"+domain+":8080/login/member/return?code=") ||
		!strings.Contains(got.body, `href="http://`+domain+`:8080/login/member/return?code=`) {
		t.Errorf("%d %s", got.status, to)
	}
	got = r.send("", http.MethodGet, at, nil)
	if to := got.header.Get("Location"); got.status != http.StatusSeeOther ||
		to != "/dashboard/sign-in?next="+url.QueryEscape(at) {
		t.Errorf("%d %s", got.status, to)
	}
	if status, body := r.get("foreign", at); status != http.StatusNotFound {
		t.Errorf("a stranger: %d %s", status, body)
	}
	if status, _ := r.get("viewer", strings.Replace(at, url.QueryEscape(domain), "evil.example", 1)); status !=
		http.StatusNotFound {
		t.Errorf("another host: %d", status)
	}
}
