package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// Who acts is the session's member, whatever a request's headers say: no key, no forwarded address and no host of the
// sender's gets through.
func TestHeadersCannotChangeWhoActs(t *testing.T) {
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
	// A key with every right does not lift a viewer, and does not stand in for a session.
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
	// What an editor does is recorded as the editor's.
	if got := r.send("editor", http.MethodPost, path, r.form("editor"), spoof); got.status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.status, got.body)
	}
	all := r.auditEvents(r.a.org.ID)
	if last := all[len(all)-1]; !strings.HasPrefix(last, r.people["editor"].member.ID+" deployment.start ") {
		t.Error(last)
	}
}

// A key in a form's organization, or an organization in a form, is nothing either: the session's counts.
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
	// One's own project cannot be rolled back to another organization's version.
	if status, _ := r.post("foreign", "/dashboard/projects/"+r.b.project.ID+"/rollback",
		form); status != http.StatusNotFound {
		t.Errorf("a foreign version: %d", status)
	}
	if after := r.auditEvents(r.a.org.ID); len(after) != len(before) {
		t.Errorf("%q", after[len(before):])
	}
}

// A role that was taken away, or a session that ended, counts with the next click.
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

// An answer that is passed on keeps its headers and its status, and requires the same of every client.
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
