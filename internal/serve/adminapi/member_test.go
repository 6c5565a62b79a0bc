package adminapi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// lastEvent returns the newest event of an organization.
func (w *world) lastEvent(t testing.TB, org string) (action, actor, target string, data map[string]string) {
	t.Helper()
	list, err := w.store.FindEvents(t.Context(), org, store.EventFilter{}, 0, 1)
	must(t, err)
	if len(list) == 0 {
		t.Fatal("nothing was recorded")
	}
	return list[0].Action, list[0].Actor, list[0].Target, list[0].Data
}

func TestOrganizationCanBeReadAndRenamed(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	got := w.do(t, ask{"GET", "/v1/organization", x.key, "", nil}).want(t, 200).object(t)
	if got["organizationId"] != x.org.ID || got["name"] != "a" || got["plan"] != "pro" {
		t.Errorf("%v", got)
	}
	got = w.do(t, ask{"PATCH", "/v1/organization", x.key, `{"name":"  Ålesund & Co  "}`, nil}).want(t, 200).object(t)
	if got["name"] != "Ålesund & Co" {
		t.Errorf("%v", got)
	}
	if action, actor, target, data := w.lastEvent(t, x.org.ID); action != "organization.rename" || actor != x.keyID ||
		target != x.org.ID || data["before"] != "a" || data["after"] != "Ålesund & Co" {
		t.Errorf("%s %s %s %v", action, actor, target, data)
	}
	for _, bad := range []string{`{"name":""}`, `{"name":" "}`, `{"name":"a\u0000b"}`,
		`{"name":"` + strings.Repeat("x", 101) + `"}`, `{}`, `{"name":"x","plan":"enterprise"}`} {
		w.do(t, ask{"PATCH", "/v1/organization", x.key, bad, nil}).want(t, 400)
	}
}

func TestMemberListShowsAccountDetails(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	ctx := t.Context()
	var newcomer account.Member
	must(t, w.store.Tx(ctx, func(tx *store.Tx) (err error) {
		if newcomer, err = tx.AddMember(ctx, x.org.ID, "newcomer@example.com", account.RoleViewer); err != nil {
			return err
		}
		p, err := tx.FindPersonByEmail(ctx, x.members["owner"].Email)
		if err != nil {
			return err
		}
		p.Name, p.TOTPSealed = "Olga", "sealed"
		if err := tx.UpdatePerson(ctx, p); err != nil {
			return err
		}
		_, err = tx.CreateSession(ctx,
			account.Session{Hash: "h", PersonID: p.ID, OrganizationID: x.org.ID, Method: "password"})
		return err
	}))
	type list struct {
		Members []struct {
			MemberID, Email, Role string
			Name, LastSeenAt      *string
			HasAccount, TwoFactor bool
		}
	}
	got := read[list](t, w.do(t, ask{"GET", "/v1/members", x.key, "", nil}).want(t, 200))
	if len(got.Members) != 7 {
		t.Fatalf("%d members", len(got.Members))
	}
	for _, m := range got.Members {
		switch m.MemberID {
		case x.members["owner"].ID:
			if m.Name == nil || *m.Name != "Olga" || !m.TwoFactor || !m.HasAccount || m.LastSeenAt == nil ||
				m.Role != "owner" {
				t.Errorf("%+v", m)
			}
		case newcomer.ID:
			if m.Name != nil || m.TwoFactor || m.HasAccount || m.LastSeenAt != nil || m.Role != "viewer" {
				t.Errorf("%+v", m)
			}
		}
	}
}

// Only owners can promote and demote owners; keys have the permissions of admins. The audit record has the role
// before and after.
func TestRoleChangesRequirePermission(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	set := func(who string, target account.Role, role string) reply {
		a := ask{"PATCH", "/v1/members/" + x.members[target].ID, x.key, `{"role":"` + role + `"}`, nil}
		if who != "key" {
			a = a.as(x.members[account.Role(who)])
		}
		return w.do(t, a)
	}
	for _, c := range []struct {
		who    string
		target account.Role
		role   string
		want   int
	}{
		{"key", "owner", "viewer", 403}, {"admin", "owner", "viewer", 403}, {"key", "viewer", "owner", 403},
		{"admin", "admin", "owner", 403},
		{"editor", "viewer", "editor", 403}, {"owner", "owner", "viewer", 409}, {"owner", "viewer", "boss", 400},
		{"key", "viewer", "editor", 200},
		// The former viewer is an owner now.
		{"admin", "viewer", "viewer", 200}, {"owner", "admin", "owner", 200}, {"admin", "owner", "editor", 200},
	} {
		if got := set(c.who, c.target, c.role); got.status != c.want {
			t.Errorf("%s makes the %s a %s: %d %s", c.who, c.target, c.role, got.status, got.body)
		}
	}
	if got := set("admin", "admin", "viewer").want(t, 409); got.code(t) != "last_owner" {
		t.Errorf("%s", got.body)
	}
	if action, actor, target, data := w.lastEvent(t, x.org.ID); action != "member.role" ||
		actor != x.members["admin"].ID || target != x.members["owner"].ID ||
		data["before"] != "owner" || data["after"] != "editor" || data["email"] != x.members["owner"].Email {
		t.Errorf("%s %s %s %v", action, actor, target, data)
	}
	// The new role applies from the next request on.
	w.do(t, ask{"GET", "/v1/events", "", "", nil}.as(x.members["owner"])).want(t, 403)
}

// Every member may leave, except an organization's last owner. Removing someone else requires the admin role, and
// removing an owner requires the owner role.
func TestRemovingMembersRequiresRole(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	remove := func(by, target account.Role) reply {
		return w.do(t, ask{"DELETE", "/v1/members/" + x.members[target].ID, "", "", nil}.as(x.members[by]))
	}
	remove("viewer", "").want(t, 403)
	remove("editor", "viewer").want(t, 403)
	remove("admin", "owner").want(t, 403)
	w.do(t, ask{"DELETE", "/v1/members/" + x.members["owner"].ID, x.key, "", nil}).want(t, 403)
	if got := remove("owner", "owner").want(t, 409); got.code(t) != "last_owner" {
		t.Errorf("%s", got.body)
	}
	remove("viewer", "viewer").want(t, 204)
	if action, actor, target, data := w.lastEvent(t, x.org.ID); action != "member.remove" || actor != target ||
		target != x.members["viewer"].ID || data["role"] != "viewer" {
		t.Errorf("%s %s %s %v", action, actor, target, data)
	}
	if got := remove("viewer", "viewer").want(t, 401); got.code(t) != "session_ended" {
		t.Errorf("%s", got.body)
	}
	remove("admin", "viewer").want(t, 404)
	remove("admin", "editor").want(t, 204)
	remove("guest", "").want(t, 403)
	remove("guest", "guest").want(t, 204)
	remove("owner", "admin").want(t, 204)
	w.do(t, ask{"DELETE", "/v1/members/" + x.members[""].ID, x.key, "", nil}).want(t, 204)
	if got := w.do(t, ask{"GET", "/v1/members", x.key, "", nil}).
		want(t, 200); strings.Count(string(got.body), `"memberId"`) != 1 {
		t.Errorf("%s", got.body)
	}
}

// A new password gives access to all of the person's organizations, so an organization can create such a link only
// for people who are in no other organization, and only for roles that the caller could grant.
func TestPasswordResetLinks(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, func(o *adminapi.Options) { o.PublicURL = "https://lectern.example.com/" })
	other := w.newTenant(t, "b", account.PlanPro)
	link := func(m account.Member) ask {
		return ask{"POST", "/v1/members/" + m.ID + "/password-link", x.key, "", nil}
	}
	got := w.do(t, link(x.members["viewer"])).want(t, 201).object(t)
	token, ok := strings.CutPrefix(got["url"].(string), "https://lectern.example.com/dashboard/new-password?token=")
	if !ok || !account.IsToken(token) || got["kind"] != "password" || got["email"] != x.members["viewer"].Email ||
		got["role"] != nil ||
		got["expiresAt"] != w.clock.Now().Add(24*time.Hour).UTC().Truncate(time.Microsecond).Format(time.RFC3339Nano) {
		t.Errorf("%v", got)
	}
	found, err := w.store.FindInvitation(t.Context(), account.TokenHash(token))
	if err != nil || !found.Open(w.clock.Now()) || found.OrganizationID != x.org.ID {
		t.Errorf("%+v %v", found, err)
	}
	if action, _, target, data := w.lastEvent(t, x.org.ID); action != "member.password_link" ||
		target != x.members["viewer"].ID || strings.Contains(jsonText(t, data), token) {
		t.Errorf("%s %s %v", action, target, data)
	}
	w.do(t, link(x.members["owner"])).want(t, 403)
	w.do(t, link(x.members["owner"]).as(x.members["admin"])).want(t, 403)
	w.do(t, link(x.members["owner"]).as(x.members["owner"])).want(t, 201)
	var newcomer account.Member
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		if newcomer, err = tx.AddMember(t.Context(), x.org.ID, "newcomer@example.com", account.RoleViewer); err != nil {
			return err
		}
		_, err = tx.AddMember(t.Context(), other.org.ID, x.members["editor"].Email, account.RoleViewer)
		return err
	}))
	if got := w.do(t, link(newcomer)).want(t, 409); got.code(t) != "no_account" {
		t.Errorf("%s", got.body)
	}
	if got := w.do(t, link(x.members["editor"])).want(t, 409); got.code(t) != "in_other_organizations" ||
		!strings.Contains(string(got.body), "lectern org invite --password "+x.members["editor"].Email) {
		t.Errorf("%s", got.body)
	}
}
