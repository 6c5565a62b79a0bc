package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// The actor is the session's member, whatever the headers of a request contain: keys, forwarded addresses and hosts
// from the sender have no effect.
func TestHeadersCannotChangeTheActor(t *testing.T) {
	r := newRig(t)
	spoof := func(q *http.Request) {
		q.Header.Set("Authorization", "Bearer "+r.b.key)
		q.Header.Set("X-Forwarded-For", "203.0.113.9")
		q.Header.Set("X-Forwarded-Host", "evil.example")
		q.Header.Set("X-Forwarded-Proto", "https")
	}
	got := r.send("viewer", http.MethodGet, "/dashboard/projects", nil, spoof)
	if got.status != http.StatusOK || !strings.Contains(got.body, "docs.a.example") ||
		strings.Contains(got.body, "docs.b.example") || strings.Contains(got.body, "evil.example") {
		t.Errorf("%d %s", got.status, got.body)
	}
	// A key with all scopes does not raise a viewer's role, and does not replace a session.
	path := "/dashboard/projects/" + r.a.project.ID + "/update"
	for _, who := range []string{"viewer", ""} {
		before := len(r.auditEvents(r.a.org.ID))
		key := r.a.key
		got := r.send(who, http.MethodPost, path, r.form(who), spoof,
			func(q *http.Request) { q.Header.Set("Authorization", "Bearer "+key) })
		if got.status != http.StatusForbidden && got.status != http.StatusUnauthorized ||
			len(r.auditEvents(r.a.org.ID)) != before {
			t.Errorf("%q: %d", who, got.status)
		}
	}
	// The audit log lists the editor as the actor.
	if got := r.send("editor", http.MethodPost, path, r.form("editor"), spoof); got.status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.status, got.body)
	}
	all := r.auditEvents(r.a.org.ID)
	if last := all[len(all)-1]; !strings.HasPrefix(last, r.people["editor"].member.ID+" deployment.start ") {
		t.Error(last)
	}
}

// An organization in a form has no effect either: the session's organization applies.
func TestRequestsUseTheSessionsOrganization(t *testing.T) {
	r := newRig(t)
	form := r.form("foreign")
	form.Set("organization", r.a.org.ID)
	form.Set("deployment", r.a.older.ID)
	before := r.auditEvents(r.a.org.ID)
	for _, rest := range []string{"/update", "/rollback", "/previews", "/settings", "/webhook-secret", "/verify-domain",
		"/readers", "/readers/sign-out", "/delete"} {
		if status, _ := r.post("foreign", "/dashboard/projects/"+r.a.project.ID+rest,
			form); status != http.StatusNotFound {
			t.Errorf("%s: %d", rest, status)
		}
	}
	// A project cannot be rolled back to another organization's version.
	if status, _ := r.post("foreign", "/dashboard/projects/"+r.b.project.ID+"/rollback",
		form); status != http.StatusNotFound {
		t.Errorf("a foreign version: %d", status)
	}
	if after := r.auditEvents(r.a.org.ID); len(after) != len(before) {
		t.Errorf("%q", after[len(before):])
	}
}

// A change of role or the end of a session takes effect with the next request.
func TestChangedRoleTakesEffectAtOnce(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.project.ID + "/update"
	if status, _ := r.post("editor", path, nil); status != http.StatusSeeOther {
		t.Fatal(status)
	}
	r.setRole("editor", account.RoleViewer)
	if status, _ := r.post("editor", path, nil); status != http.StatusForbidden {
		t.Errorf("a viewer by now: %d", status)
	}
	r.setRole("editor", account.RoleAdmin)
	if status, _ := r.get("editor", "/dashboard/projects/"+r.a.project.ID+"/settings"); status != http.StatusOK {
		t.Errorf("an admin by now: %d", status)
	}
}

// A forwarded response keeps its headers and status, and the usual security headers are added.
func TestDownloadsAreForwardedUnchanged(t *testing.T) {
	r := newRig(t)
	got := r.send("admin", http.MethodGet, "/dashboard/settings/audit/export?format=csv", nil)
	if got.status != http.StatusOK || !strings.HasPrefix(got.header.Get("Content-Type"), "text/csv") ||
		!strings.HasPrefix(got.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%d %v", got.status, got.header)
	}
	if got.header.Get("X-Request-Id") == "" ||
		!strings.Contains(got.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%v", got.header)
	}
	if status, body := r.get("editor", "/dashboard/settings/audit/export?format=csv"); status != http.StatusForbidden ||
		!strings.Contains(body, "admin") {
		t.Errorf("an editor: %d", status)
	}
}
