package adminapi_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/store"
)

func invite(key, email, role, more string) ask {
	return ask{"POST", "/v1/invitations", key, `{"email":"` + email + `","role":"` + role + `"` + more + `}`, nil}
}

func TestInvitationLinkIsShownOnce(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	made := w.do(t, invite(x.key, " Editor@Example.com", "editor", `,"expiresInDays":3`)).want(t, 201)
	got := made.object(t)
	token, ok := strings.CutPrefix(got["url"].(string), w.server.URL+"/dashboard/join?token=")
	if !ok || !account.IsToken(token) || got["kind"] != "join" || got["email"] != "editor@example.com" ||
		got["role"] != "editor" || got["createdBy"] != x.keyID ||
		got["expiresAt"] != w.clock.Now().Add(72*time.Hour).UTC().Truncate(time.Microsecond).Format(time.RFC3339Nano) {
		t.Errorf("%v", got)
	}
	list := w.do(t, ask{"GET", "/v1/invitations", x.key, "", nil}).want(t, 200)
	if strings.Contains(string(list.body), token) || strings.Contains(string(list.body), `"url"`) ||
		strings.Count(string(list.body), `"invitationId"`) != 2 {
		t.Errorf("%s", list.body)
	}
	// K2, K9: neither the log nor an event nor the stored row contains the secret.
	action, _, target, data := w.lastEvent(t, x.org.ID)
	if action != "invitation.create" || target != got["invitationId"] || data["email"] != "editor@example.com" ||
		data["role"] != "editor" || strings.Contains(jsonText(t, data), token) {
		t.Errorf("%s %s %v", action, target, data)
	}
	if strings.Contains(w.log.String(), token) {
		t.Error("the log contains the secret")
	}
	stored, err := w.store.FindInvitation(t.Context(), account.TokenHash(token))
	if err != nil || !stored.Open(w.clock.Now()) || strings.Contains(fmt.Sprint(stored), token) {
		t.Errorf("%+v %v", stored, err)
	}
	// A second link for the address replaces the first.
	w.do(t, invite(x.key, "editor@example.com", "viewer", "")).want(t, 201)
	if stored, err = w.store.FindInvitation(t.Context(), account.TokenHash(token)); err != nil ||
		stored.Open(w.clock.Now()) {
		t.Errorf("%+v %v", stored, err)
	}
}

func TestWithdrawnInvitationStopsWorking(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	path := "/v1/invitations/" + x.invitation.ID
	for range 2 {
		w.do(t, ask{"DELETE", path, x.key, "", nil}).want(t, 204)
	}
	if action, _, target, data := w.lastEvent(t, x.org.ID); action != "invitation.revoke" ||
		target != x.invitation.ID || data["email"] != x.invitation.Email || data["role"] != "editor" {
		t.Errorf("%s %s %v", action, target, data)
	}
	if got := w.do(t, ask{"GET", "/v1/invitations", x.key, "", nil}).
		want(t, 200); string(got.body) != "{\"invitations\":[]}\n" {
		t.Errorf("%s", got.body)
	}
	err := w.store.Tx(t.Context(), func(tx *store.Tx) error { return tx.UseInvitation(t.Context(), x.invitation.ID) })
	if err == nil {
		t.Error("the withdrawn link can be used")
	}
}

func TestInvitationRequiresPermission(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	w.do(t, invite(x.key, "n@example.com", "owner", "")).want(t, 403)
	w.do(t, invite("", "n@example.com", "owner", "").as(x.members["admin"])).want(t, 403)
	w.do(t, invite("", "n@example.com", "viewer", "").as(x.members["editor"])).want(t, 403)
	w.do(t, invite("", "n@example.com", "owner", "").as(x.members["owner"])).want(t, 201)
	w.do(t, invite("", "n@example.com", "admin", "").as(x.members["admin"])).want(t, 201)
	if got := w.do(t, invite(x.key, x.members["viewer"].Email, "editor", "")).
		want(t, 409); got.code(t) != "member_exists" {
		t.Errorf("%s", got.body)
	}
	// A link gives a member without an account access with the member's own role, so the caller must be allowed to
	// grant that role.
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.AddMember(t.Context(), x.org.ID, "first@example.com", account.RoleOwner)
		return err
	}))
	w.do(t, invite(x.key, "first@example.com", "viewer", "")).want(t, 403)
	w.do(t, invite("", "first@example.com", "owner", "").as(x.members["owner"])).want(t, 201)
	for body, field := range map[string]string{`{"email":"x","role":"viewer"}`: "email",
		`{"email":"a@b.c, d@e.f","role":"viewer"}`: "email", `{"email":"a@b.c","role":"king"}`: "role",
		`{"email":"a@b.c","role":"viewer","expiresInDays":0}`:  "expiresInDays",
		`{"email":"a@b.c","role":"viewer","expiresInDays":31}`: "expiresInDays", `{"role":"viewer"}`: "email"} {
		if got := w.do(t, ask{"POST", "/v1/invitations", x.key, body, nil}).
			want(t, 400); !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%s: %s", body, got.body)
		}
	}
}

// An organization can create fifty links an hour, including password links; the next one must wait as long as
// Retry-After says.
func TestInvitationsAreLimitedPerHour(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	other := w.newTenant(t, "b", account.PlanPro)
	w.clock.Advance(2 * time.Hour) // the tenants' existing links are older
	w.do(t, invite(x.key, "first@example.com", "viewer", "")).want(t, 201)
	w.clock.Advance(10 * time.Minute)
	for i := range 49 {
		w.do(t, invite(x.key, fmt.Sprint("n", i, "@example.com"), "viewer", "")).want(t, 201)
	}
	got := w.do(t, invite(x.key, "late@example.com", "viewer", "")).want(t, 429)
	if got.code(t) != "too_many_invitations" || got.header.Get("Retry-After") != strconv.Itoa(50*60) {
		t.Errorf("%v %s", got.header, got.body)
	}
	w.do(t, ask{"POST", "/v1/members/" + x.members["viewer"].ID + "/password-link", x.key, "", nil}).want(t, 429)
	if list := w.do(t, ask{"GET", "/v1/invitations", x.key, "", nil}); strings.Contains(string(list.body), "late@") {
		t.Error("the refused link was stored")
	}
	w.do(t, invite(other.key, "late@example.com", "viewer", "")).want(t, 201)
	w.clock.Advance(50 * time.Minute)
	w.do(t, invite(x.key, "late@example.com", "viewer", "")).want(t, 201)
}

// A removed or demoted member, and a revoked key, cannot regain access with a link that they created; a link for a
// removed member ends too.
func TestLinksExpireWhenTheirCreatorLosesAccess(t *testing.T) {
	patch := func(m account.Member, role string) ask {
		return ask{"PATCH", "/v1/members/" + m.ID, "", `{"role":"` + role + `"}`, nil}
	}
	for name, c := range map[string]struct {
		end  func(x tenant) ask
		left []string // invited addresses whose links still work
	}{
		"nothing": {func(x tenant) ask {
			return patch(x.members[account.RoleEditor], "viewer").as(x.members[account.RoleOwner])
		}, []string{"admin", "key", "owner", "owners"}},
		"admin removed": {func(x tenant) ask {
			return ask{"DELETE", "/v1/members/" + x.members[account.RoleAdmin].ID, x.key, "", nil}
		}, []string{"key", "owner", "owners"}},
		"admin demoted": {func(x tenant) ask {
			return patch(x.members[account.RoleAdmin], "editor").as(x.members[account.RoleOwner])
		}, []string{"key", "owner", "owners"}},
		"owner made admin": {func(x tenant) ask {
			return patch(x.members[account.RoleOwner], "admin").as(x.members[""])
		}, []string{"admin", "key", "owner"}},
		"owner made viewer": {func(x tenant) ask {
			return patch(x.members[account.RoleOwner], "viewer").as(x.members[""])
		}, []string{"admin", "key"}},
		"owner leaves": {func(x tenant) ask {
			return ask{"DELETE", "/v1/members/" + x.members[account.RoleOwner].ID, "", "",
				nil}.as(x.members[account.RoleOwner])
		}, []string{"admin", "key"}},
		"key revoked": {func(x tenant) ask {
			return ask{"DELETE", "/v1/keys/" + x.keyID, "", "", nil}.as(x.members[account.RoleAdmin])
		}, []string{"admin", "owner", "owners"}},
	} {
		t.Run(name, func(t *testing.T) {
			w, x := newWorldOf(t, account.PlanPro, nil)
			must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
				x.members[""] = account.Member{ID: x.members[""].ID, OrganizationID: x.org.ID,
					Email: x.members[""].Email, Role: account.RoleOwner}
				return tx.SetRole(t.Context(), x.members[""], account.RoleOwner)
			}))
			w.do(t, ask{"DELETE", "/v1/invitations/" + x.invitation.ID, x.key, "", nil}).want(t, 204)
			w.do(t, invite("", "admin@example.com", "viewer", "").as(x.members[account.RoleAdmin])).want(t, 201)
			w.do(t, invite(x.key, "key@example.com", "admin", "")).want(t, 201)
			w.do(t, invite("", "owner@example.com", "admin", "").as(x.members[account.RoleOwner])).want(t, 201)
			w.do(t, invite("", "owners@example.com", "owner", "").as(x.members[account.RoleOwner])).want(t, 201)
			w.do(t, c.end(x))
			list := string(w.do(t, ask{"GET", "/v1/invitations", "", "", nil}.as(x.members[""])).want(t, 200).body)
			for _, who := range []string{"admin", "key", "owner", "owners"} {
				if open := strings.Contains(list, `"`+who+`@example.com"`); open != slices.Contains(c.left, who) {
					t.Errorf("link created by %s works: %v", who, open)
				}
			}
		})
	}
}

// A member without an account who was invited and then removed has no access, even with the link.
func TestLinkExpiresWithMembership(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	var m account.Member
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		m, err = tx.AddMember(t.Context(), x.org.ID, "late@example.com", account.RoleEditor)
		return err
	}))
	got := w.do(t, invite(x.key, "late@example.com", "editor", "")).want(t, 201).object(t)
	w.do(t, ask{"DELETE", "/v1/members/" + m.ID, x.key, "", nil}).want(t, 204)
	_, token, _ := strings.Cut(got["url"].(string), "token=")
	if i, err := w.store.FindInvitation(t.Context(), account.TokenHash(token)); err != nil || i.Open(w.clock.Now()) {
		t.Errorf("the link still works: %+v %v", i, err)
	}
	if action, _, target, _ := w.lastEvent(t, x.org.ID); action != "member.remove" || target != m.ID {
		t.Errorf("%s %s", action, target)
	}
}
