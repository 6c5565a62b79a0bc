package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/store"
)

// A person in two organizations switches in one window. Another window, which still shows the first organization,
// cannot change the second.
func TestFormOfAnotherOrganizationIsRefused(t *testing.T) {
	r := newRig(t)
	r.withPassword("owner")
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.AddMember(t.Context(), r.b.org.ID, "owner@example.com", account.RoleOwner)
		return err
	}))
	w := r.walker()
	w.signIn("owner@example.com")
	s := r.followAs(w, "/dashboard/projects")
	s.want("change")
	first := map[string]reply{}
	for _, path := range []string{"/dashboard/settings/keys", "/dashboard/settings/members",
		"/dashboard/settings/organization", "/dashboard/projects/new", "/dashboard/account"} {
		first[path] = w.open(path)
	}
	other := r.b.org.ID
	if strings.Contains(first["/dashboard/account"].body, "Switch to "+r.a.org.Name) {
		other = r.a.org.ID
	}
	w.page = first["/dashboard/account"]
	w.do(http.MethodPost, "/dashboard/switch", url.Values{"csrf": {w.csrf()}, "organization": {other}})
	w.leads("/dashboard/?did=switched")
	last := "" // a change that was detected before the switch may still arrive
	for e := s.next(); e != ""; e = s.next() {
		last = e
	}
	if last != "gone" {
		t.Errorf("the other window continues with another organization: %q", last)
	}
	before := r.dump()
	for path, form := range map[string]url.Values{
		"/dashboard/settings/keys": {"label": {"ci"}, "scopes": {"read"}, "expiresInDays": {"30"}},
		"/dashboard/settings/members/invite": {"email": {"else@example.com"}, "role": {"owner"},
			"expiresInDays": {"7"}},
		"/dashboard/settings/organization": {"name": {"Renamed"}},
		"/dashboard/projects": {"name": {"New"}, "domain": {"new.a.example"}, "kind": {"git"},
			"source.repository": {"https://git.example.com/x.git"}},
	} {
		w.page = first["/dashboard/settings/keys"]
		form.Set("csrf", w.csrf())
		w.do(http.MethodPost, path, form)
		w.is(http.StatusConflict, "Nothing was done", "another organization")
	}
	if after := r.dump(); after != before {
		t.Errorf("something changed:\n%s", difference(before, after))
	}
	w.page = first["/dashboard/account"] // this page concerns the person, whatever their current organization
	w.send("/dashboard/account/name", "name", "Still me")
	w.leads("/dashboard/account?did=name-saved")
}

// A form beyond the limit is distinguished from a broken one.
func TestTooLargeFormIsRefused(t *testing.T) {
	r := newRig(t)
	for _, path := range []string{"/dashboard/sign-in", "/dashboard/settings/keys"} {
		form := r.form("owner")
		form.Set("label", strings.Repeat("x", 600_000))
		got := r.send("owner", http.MethodPost, path, form)
		if got.status != http.StatusRequestEntityTooLarge || !strings.Contains(got.body, "The form is too large") {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// A project that is deleted while the page of all agents is rendered is omitted; the page is shown.
func TestAgentsPageToleratesADeletedProject(t *testing.T) {
	var r *rig
	deleted := false
	r = newRig(t, func(p *parts) {
		p.wrap = func(api http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				api.ServeHTTP(w, q)
				if q.URL.Path == "/v1/projects" && !deleted {
					deleted = true
					must(t, r.store.Tx(t.Context(),
						func(tx *store.Tx) error { return tx.DeleteProject(t.Context(), r.a.org.ID, r.a.folder.ID) }))
				}
			})
		}
	})
	status, body := r.get("viewer", "/dashboard/agent")
	if status != http.StatusOK || !deleted || !strings.Contains(body, "Latest jobs") {
		t.Errorf("%d, deleted %v", status, deleted)
	}
}

// A person who switches to another organization in one window, while a page is rendered in another, stays signed in,
// and the other window requests the page again.
func TestSwitchingOrganizationDuringARequestKeepsTheSession(t *testing.T) {
	var r *rig
	switched := false
	r = newRig(t, func(p *parts) {
		p.wrap = func(api http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				if !switched {
					switched = true
					must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error {
						list, err := tx.ListSessions(t.Context(), r.people["viewer"].person.ID)
						if err != nil {
							return err
						}
						if _, err := tx.AddMember(t.Context(), r.b.org.ID, "viewer@example.com",
							account.RoleViewer); err != nil {
							return err
						}
						return tx.MoveSession(t.Context(), list[0].ID, r.b.org.ID)
					}))
				}
				api.ServeHTTP(w, q)
			})
		}
	})
	got := r.send("viewer", http.MethodGet, "/dashboard/projects", nil)
	if got.status != http.StatusSeeOther || got.header.Get("Set-Cookie") != "" {
		t.Errorf("%d %v", got.status, got.header)
	}
	if status, to := r.get("viewer", got.header.Get("Location")); status != http.StatusSeeOther ||
		to != "/dashboard/projects" {
		t.Errorf("%d %s", status, to)
	}
	if status, body := r.get("viewer", "/dashboard/projects"); status != http.StatusOK ||
		!strings.Contains(body, "docs.b.example") {
		t.Errorf("%d", status)
	}
}

// csrf returns the token in the forms of the walker's page.
func (w *walker) csrf() string {
	w.t.Helper()
	_, rest, ok := strings.Cut(w.page.body, `name="csrf" value="`)
	token, _, end := strings.Cut(rest, `"`)
	if !ok || !end {
		w.t.Fatal("the page has no form")
	}
	return token
}

// followAs follows a page with the walker's session.
func (r *rig) followAs(w *walker, page string) *stream {
	r.t.Helper()
	r.people["walker"] = &somebody{token: w.token()}
	return r.follow("walker", page)
}
