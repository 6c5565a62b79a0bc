package scim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func TestUserLifecycle(t *testing.T) {
	r := newRig(t)
	made := r.do(201, "POST", "Users", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User",
		"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],"userName":"Ann.Lee","externalId":"x-1","active":true,
		"displayName":"Ann <b>Lee</b>","name":{"givenName":"Ann","familyName":"Lee","formatted":"Ms Lee"},"title":"Editor",
		"password":"not kept","emails":[{"value":"private@example.com","type":"home"},
		{"value":"Ann@Example.com","type":"work","primary":true}],
		"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"department":"Docs"}}`)
	at := "Users/" + made.id()
	if made.header.Get("Location") != "https://docs.example.com/scim/v2/"+at || made.get("meta.location") != made.header.Get("Location") ||
		made.header.Get("ETag") == "" || made.get("meta.version") != made.header.Get("ETag") || made.get("active") != true ||
		made.get("userName") != "Ann.Lee" || made.get("emails.0.value") != "ann@example.com" || made.get("emails.1") != nil ||
		made.get("name.formatted") != "Ann Lee" || made.get("displayName") != "Ann <b>Lee</b>" || strings.Contains(made.raw, "not kept") {
		t.Errorf("%v %s", made.header, made.raw)
	}
	if got := r.role("ann@example.com"); got != account.RoleViewer {
		t.Errorf("the role is %q", got)
	}
	if again := r.do(200, "GET", at, ""); again.raw != made.raw {
		t.Errorf("read %s, made %s", again.raw, made.raw)
	}
	changed := r.do(200, "PUT", at, `{"id":"`+made.id()+`","userName":"ann.lee","emails":[{"value":"ann@example.com"}],"active":true}`)
	if changed.get("userName") != "ann.lee" || changed.get("externalId") != nil || changed.get("displayName") != nil ||
		changed.get("name") != nil || changed.get("meta.version") == made.get("meta.version") {
		t.Errorf("replaced %s", changed.raw)
	}
	if off := r.patch(200, at, `{"op":"Replace","path":"active","value":"False"}`); off.get("active") != false {
		t.Errorf("%s", off.raw)
	}
	if r.role("ann@example.com") != "" || r.do(200, "GET", at, "").get("active") != false {
		t.Error("the deactivated user is still a member, or cannot be read")
	}
	if on := r.patch(200, at, `{"op":"replace","value":{"active":true}}`); on.get("active") != true || on.id() != made.id() {
		t.Errorf("%s", on.raw)
	}
	r.do(204, "DELETE", at, "")
	r.refused(r.as(r.key, "GET", at, ""), 404, "")
	r.refused(r.as(r.key, "DELETE", at, ""), 404, "")
	want := []string{"directory_user.create", "member.join", "directory_user.update", "member.remove",
		"directory_user.update", "directory_user.update", "member.join", "member.remove", "directory_user.delete"}
	if got := r.actions(); !slices.Equal(got, want) {
		t.Errorf("audit log: %v", got)
	}
}

// Existing members are found, linked and managed like members created by the provider.
func TestExistingMemberIsListedAsUser(t *testing.T) {
	r := newRig(t)
	r.member(r.acme.ID, "owner@example.com", account.RoleOwner)
	m := r.member(r.acme.ID, "ann@example.com", account.RoleEditor)
	if got := r.find("Users", `userName eq "ANN@example.com"`); !slices.Equal(got, []string{m.ID}) {
		t.Fatalf("found %v", got)
	}
	r.refused(r.as(r.key, "POST", "Users", `{"userName":"ann@example.com"}`), 409, "uniqueness")
	linked := r.patch(200, "Users/"+m.ID, `{"op":"add","path":"externalId","value":"x-1"}`)
	if linked.get("externalId") != "x-1" || r.role("ann@example.com") != account.RoleEditor {
		t.Errorf("%s", linked.raw)
	}
	r.patch(200, "Users/"+m.ID, `{"op":"replace","path":"active","value":false}`)
	r.refused(r.as(r.key, "POST", "Users", `{"userName":"ann@example.com"}`), 409, "uniqueness")
	if got := r.find("Users", `active eq false`); !slices.Equal(got, []string{m.ID}) {
		t.Errorf("inactive are %v", got)
	}
}

// SCIM does not change owners, and the error says why.
func TestOwnersCannotBeChanged(t *testing.T) {
	r := newRig(t)
	m := r.member(r.acme.ID, "owner@example.com", account.RoleOwner)
	at := "Users/" + m.ID
	off := `{"Operations":[{"op":"replace","path":"active","value":false}]}`
	for _, a := range []answer{r.as(r.key, "PATCH", at, off), r.as(r.key, "DELETE", at, "")} {
		r.refused(a, 403, "")
		if !strings.Contains(a.raw, "last owner") {
			t.Error(a.raw)
		}
	}
	second := r.member(r.acme.ID, "second@example.com", account.RoleOwner)
	a := r.as(r.key, "PATCH", "Users/"+second.ID, off)
	if r.refused(a, 403, ""); !strings.Contains(a.raw, "cannot deactivate or remove an owner") {
		t.Error(a.raw)
	}
	r.refused(r.as(r.key, "PATCH", at, `{"Operations":[{"op":"replace","path":"emails","value":[{"value":"x@example.com"}]}]}`), 403, "")
	r.patch(200, at, `{"op":"replace","path":"displayName","value":"The owner"}`)
	group := r.group("Writers", m.ID)
	r.do(204, "DELETE", "Groups/"+group, "")
	if r.role("owner@example.com") != account.RoleOwner {
		t.Error("an owner lost the role")
	}
	user := r.user("new@example.com")
	r.group("Heads", user)
	if got := r.role("new@example.com"); got != account.RoleAdmin {
		t.Errorf("a group with the role owner gave %q", got)
	}
}

// Deactivation ends sessions and links, just like removing a member.
func TestDeactivationEndsSessionsAndLinks(t *testing.T) {
	r := newRig(t)
	r.member(r.acme.ID, "owner@example.com", account.RoleOwner)
	at := "Users/" + r.user("ann@example.com")
	m, err := r.store.FindMemberByEmail(t.Context(), r.acme.ID, "ann@example.com")
	r.ok(err)
	r.tx(func(tx *store.Tx) error {
		p, err := tx.CreatePerson(t.Context(), account.Person{Email: "ann@example.com", Issuer: "i", Subject: "s"})
		if err != nil {
			return err
		}
		if _, err := tx.CreateSession(t.Context(), account.Session{Hash: "h", PersonID: p.ID, OrganizationID: r.acme.ID,
			Method: "oidc"}); err != nil {
			return err
		}
		_, err = tx.CreateInvitation(t.Context(), account.Invitation{OrganizationID: r.acme.ID, Kind: account.InviteJoin,
			Email: "ann@example.com", Role: account.RoleAdmin, Hash: "i", CreatedBy: m.ID,
			ExpiresAt: r.clock.Now().AddDate(0, 0, 7)})
		return err
	})
	r.patch(200, at, `{"op":"Replace","value":{"active":"false"}}`)
	if _, err := r.store.FindVisitor(t.Context(), "h"); !fault.Is(err, fault.NotFound) {
		t.Errorf("the session still works: %v", err)
	}
	if links, err := r.store.ListInvitations(t.Context(), r.acme.ID); err != nil || len(links) != 0 {
		t.Errorf("links still work: %+v (error %v)", links, err)
	}
	if !slices.Contains(r.actions(), "invitation.revoke") {
		t.Error("the audit log does not say that links ended")
	}
	err = r.store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.AddMember(t.Context(), r.acme.ID, "ann@example.com", account.RoleViewer)
		return err
	})
	if !fault.HasCode(err, "member_deactivated") {
		t.Errorf("a deactivated person was added as a member: %v", err)
	}
}

// The person who set an account's password may not have proven that the address is theirs, so provisioning must not
// give anything to someone who knows that password.
func TestProvisioningDoesNotTrustPasswords(t *testing.T) {
	r := newRig(t)
	account1 := func(email string) (p account.Person) {
		r.tx(func(tx *store.Tx) (err error) {
			p, err = tx.CreatePerson(t.Context(), account.Person{Email: email, PasswordHash: "hash"})
			return err
		})
		return p
	}
	p := account1("ann@example.com")
	at := "Users/" + r.user("ann@example.com")
	if now, err := r.store.FindPerson(t.Context(), p.ID); err != nil || now.PasswordHash != "" {
		t.Errorf("%+v (error %v)", now, err)
	}
	r.tx(func(tx *store.Tx) error {
		p.PasswordHash = "chosen later"
		return tx.UpdatePerson(t.Context(), p)
	})
	r.patch(200, at, `{"op":"replace","path":"active","value":false}`)
	r.patch(200, at, `{"op":"replace","path":"active","value":true}`)
	if now, err := r.store.FindPerson(t.Context(), p.ID); err != nil || now.PasswordHash != "chosen later" {
		t.Errorf("a returning member lost the password: %+v (error %v)", now, err)
	}
	account1("bob@example.com")
	r.member(r.other.ID, "bob@example.com", account.RoleOwner)
	r.refused(r.as(r.key, "POST", "Users", `{"userName":"bob@example.com"}`), 403, "")
	if now, err := r.store.FindPersonByEmail(t.Context(), "bob@example.com"); err != nil || now.PasswordHash != "hash" {
		t.Errorf("another organization's member lost the password: %+v (error %v)", now, err)
	}
	r.member(r.acme.ID, "bob@example.com", account.RoleViewer) // has accepted an invitation
	if len(r.find("Users", `userName eq "bob@example.com"`)) != 1 {
		t.Error("the member is not found")
	}
}

func TestAddressIsFixedOnceAccountExists(t *testing.T) {
	r := newRig(t)
	at := "Users/" + r.user("ann@example.com")
	move := func(to string) answer {
		return r.as(r.key, "PATCH", at,
			`{"Operations":[{"op":"Replace","path":"emails[type eq \"work\"].value","value":"`+to+`"}]}`)
	}
	if a := move("ann.lee@example.com"); a.status != 200 || a.get("emails.0.value") != "ann.lee@example.com" ||
		r.role("ann@example.com") != "" || r.role("ann.lee@example.com") != account.RoleViewer {
		t.Errorf("%d %s", a.status, a.raw)
	}
	r.tx(func(tx *store.Tx) error {
		_, err := tx.CreatePerson(t.Context(), account.Person{Email: "ann.lee@example.com", Issuer: "i", Subject: "s"})
		return err
	})
	r.refused(move("lee@example.com"), 400, "mutability")
	if a := r.patch(200, at, `{"op":"replace","path":"userName","value":"lee"}`); a.get("userName") != "lee" ||
		a.get("emails.0.value") != "ann.lee@example.com" {
		t.Error(a.raw)
	}
	r.user("taken@example.com")
	r.refused(r.as(r.key, "PATCH", at, `{"Operations":[{"op":"replace","path":"userName","value":"TAKEN@example.com"}]}`), 409, "uniqueness")
}

func TestUsersAreFilteredAndPaged(t *testing.T) {
	r := newRig(t)
	var ids []string
	for i := range 5 {
		ids = append(ids, r.user(fmt.Sprintf("user%d@example.com", i)))
	}
	for filter, want := range map[string][]string{
		`userName eq "USER1@example.com"`:                            {ids[1]},
		`userName Eq "user1@example.com" AND active eq true`:         {ids[1]},
		`externalId eq "x-user2@example.com"`:                        {ids[2]},
		`externalId eq "X-user2@example.com"`:                        nil,
		`emails eq "user3@example.com"`:                              {ids[3]},
		`emails.value eq "user3@example.com"`:                        {ids[3]},
		`emails[type eq "work"].value eq "User3@example.com"`:        {ids[3]},
		`emails[type eq "work" and value eq "user3@example.com"]`:    {ids[3]},
		`emails[type eq "home" and value eq "user3@example.com"]`:    nil,
		`emails[primary eq true and value eq "user3@example.com"]`:   {ids[3]},
		`id eq "` + ids[4] + `"`:                                     {ids[4]},
		`active eq false`:                                            nil,
		`active eq "True"`:                                           ids,
		`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"`: nil,
		`userName eq "a\"b' OR '1'='1"`:                              nil,
	} {
		if got := r.find("Users", filter); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", filter, got, want)
		}
	}
	page := r.do(200, "GET", "Users?startIndex=2&count=2", "")
	if page.get("totalResults") != 5.0 || page.get("itemsPerPage") != 2.0 || page.get("startIndex") != 2.0 ||
		page.get("Resources.0.id") != ids[1] || page.get("Resources.1.id") != ids[2] {
		t.Error(page.raw)
	}
	if none := r.do(200, "GET", "Users?count=0", ""); none.get("totalResults") != 5.0 || none.get("Resources.0") != nil {
		t.Error(none.raw)
	}
	if past := r.do(200, "GET", "Users?startIndex=9&count=-1", ""); past.get("totalResults") != 5.0 {
		t.Error(past.raw)
	}
	few := r.do(200, "GET", "Users?count=1&attributes=userName,urn:ietf:params:scim:schemas:core:2.0:User:emails.value", "")
	if few.get("Resources.0.userName") == nil || few.get("Resources.0.emails") == nil || few.get("Resources.0.id") == nil ||
		few.get("Resources.0.schemas") == nil || few.get("Resources.0.active") != nil || few.get("Resources.0.meta") != nil {
		t.Error(few.raw)
	}
	if less := r.do(200, "GET", "Users/"+ids[0]+"?excludedAttributes=emails", ""); less.get("emails") != nil || less.get("userName") == nil {
		t.Error(less.raw)
	}
}

func TestVersionsPreventLostUpdates(t *testing.T) {
	r := newRig(t)
	user, group := r.user("ann@example.com"), r.group("Staff")
	for at, change := range map[string]string{
		"Users/" + user:   `{"Operations":[{"op":"replace","path":"displayName","value":"Ann"}]}`,
		"Groups/" + group: `{"Operations":[{"op":"add","path":"members","value":[{"value":"` + user + `"}]}]}`,
	} {
		seen := r.do(200, "GET", at, "").header.Get("ETag")
		if a := r.as(r.key, "GET", at, "", "If-None-Match", seen); a.status != 304 || a.raw != "" {
			t.Errorf("%d %s", a.status, a.raw)
		}
		if a := r.as(r.key, "PATCH", at, change, "If-Match", seen); a.status != 200 && a.status != 204 {
			t.Errorf("%d %s", a.status, a.raw)
		}
		r.refused(r.as(r.key, "PATCH", at, change, "If-Match", seen), 412, "")
		r.refused(r.as(r.key, "DELETE", at, "", "If-Match", seen), 412, "")
	}
}
