package adminapi_test

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// neededScope returns the scope that an operation requires, from a rule instead of the route table: members,
// invitations, keys and settings of the organization require admin, whatever the method.
func neededScope(r adminapi.Route) account.Scope {
	for _, managed := range []string{"/v1/members", "/v1/invitations", "/v1/keys", "/v1/credentials", "/v1/webhook-endpoints"} {
		if r.Pattern == managed || strings.HasPrefix(r.Pattern, managed+"/") {
			return "admin"
		}
	}
	switch {
	case r.Pattern == "/v1/organization" && r.Method != "GET",
		strings.HasPrefix(r.Pattern, "/v1/projects/{projectId}/members"):
		return "admin"
	case strings.HasPrefix(r.Pattern, "/discovery/"):
		return "discovery"
	case r.Method == "GET":
		return "read"
	}
	return "write"
}

// K4: every route × every set of scopes. A key is accepted if and only if it has the required scope; the refusal names
// the scope.
func TestEveryRouteChecksScopes(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	all := []account.Scope{"read", "write", "discovery", "admin"}
	for set := 1; set < 1<<len(all); set++ {
		var scopes []account.Scope
		for i, s := range all {
			if set&(1<<i) != 0 {
				scopes = append(scopes, s)
			}
		}
		key, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.Scopes = scopes })
		for _, r := range adminapi.Routes() {
			if r.Scope == "" {
				continue
			}
			need := neededScope(r)
			may := slices.Contains(scopes, need) || need == "discovery" && slices.Contains(scopes, "read")
			// The ids do not exist, so an accepted request changes little.
			got := w.do(t, samples[r.OperationID].ask(nobody(w)).by(r, key))
			refused := got.status == 403 && got.code(t) == "scope_required" &&
				strings.Contains(string(got.body), "requires a key with the scope "+string(need)+".")
			if refused == may {
				t.Errorf("%s with %v: %d %s", r.OperationID, scopes, got.status, got.body)
			}
		}
		w.clock.Advance(2 * time.Hour) // the keys and links created here must not use up the hourly limits
	}
}

// A key never grants a scope that it lacks: neither through a key, nor through a role, nor through a password link
// for someone.
func TestKeyCannotGrantMissingScope(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	adminOnly, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.Scopes = []account.Scope{"admin"} })
	reader, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.Scopes = []account.Scope{"admin", "read"} })
	for _, c := range []struct {
		key, method, path, body, field string
		want                           int
	}{
		{adminOnly, "POST", "/v1/keys", `{}`, "scopes", 403},
		{adminOnly, "POST", "/v1/keys", `{"scopes":["read"]}`, "scopes", 403},
		{adminOnly, "POST", "/v1/keys", `{"scopes":["discovery"]}`, "scopes", 403},
		{adminOnly, "POST", "/v1/keys", `{"scopes":["admin"]}`, "", 201},
		{reader, "POST", "/v1/keys", `{"scopes":["admin","write"]}`, "scopes", 403},
		{reader, "POST", "/v1/keys", `{"scopes":["discovery","read","admin"]}`, "", 201},
		{adminOnly, "POST", "/v1/invitations", `{"email":"v@example.com","role":"viewer"}`, "role", 403},
		{reader, "POST", "/v1/invitations", `{"email":"v@example.com","role":"viewer"}`, "", 201},
		{reader, "POST", "/v1/invitations", `{"email":"e@example.com","role":"editor"}`, "role", 403},
		{reader, "POST", "/v1/invitations", `{"email":"a@example.com","role":"admin"}`, "role", 403},
		{x.key, "POST", "/v1/invitations", `{"email":"a@example.com","role":"admin"}`, "", 201},
		{x.key, "POST", "/v1/invitations", `{"email":"o@example.com","role":"owner"}`, "", 403},
		{reader, "PATCH", "/v1/members/" + x.members["viewer"].ID, `{"role":"editor"}`, "role", 403},
		{reader, "PATCH", "/v1/members/" + x.members["editor"].ID, `{"role":"viewer"}`, "", 200},
		{reader, "POST", "/v1/members/" + x.members["admin"].ID + "/password-link", "", "role", 403},
		{x.key, "POST", "/v1/members/" + x.members["owner"].ID + "/password-link", "", "", 403},
		{x.key, "DELETE", "/v1/members/" + x.members["owner"].ID, "", "", 403},
		{reader, "POST", "/v1/members/" + x.members["viewer"].ID + "/password-link", "", "", 201},
	} {
		got := w.do(t, ask{c.method, c.path, c.key, c.body, nil})
		if got.status != c.want || c.field != "" && !strings.Contains(string(got.body), `"field":"`+c.field+`"`) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, got.status, got.body)
		}
	}
}

// A key created with another key expires no later than that key, and works from no other addresses.
func TestNewKeyInheritsExpiryAndAddresses(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	end := w.clock.Now().AddDate(0, 0, 8).Truncate(time.Microsecond)
	parent, parentID := w.newKey(t, x.org.ID, func(k *account.Key) {
		k.ExpiresAt = &end
		k.Addresses = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("2001:db8::/32")}
	})
	for body, want := range map[string]struct {
		field, expires, addresses string
	}{
		`{}`: {"", end.Format("2006-01-02T15:04:05.000000Z"),
			`["127.0.0.0/8","2001:db8::/32"]`},
		`{"expiresInDays":null}`: {"", end.Format("2006-01-02T15:04:05.000000Z"),
			`["127.0.0.0/8","2001:db8::/32"]`},
		`{"expiresInDays":7}`:                   {"", "2026-03-11T05:06:07.123456Z", `["127.0.0.0/8","2001:db8::/32"]`},
		`{"expiresInDays":30}`:                  {"expiresInDays", "", ""},
		`{"addresses":["127.0.0.1"]}`:           {"", end.Format("2006-01-02T15:04:05.000000Z"), `["127.0.0.1"]`},
		`{"addresses":["::ffff:127.0.0.1"]}`:    {"", end.Format("2006-01-02T15:04:05.000000Z"), `["127.0.0.1"]`},
		`{"addresses":["127.0.0.0/8"]}`:         {"", end.Format("2006-01-02T15:04:05.000000Z"), `["127.0.0.0/8"]`},
		`{"addresses":["2001:db8:1::/48"]}`:     {"", end.Format("2006-01-02T15:04:05.000000Z"), `["2001:db8:1::/48"]`},
		`{"addresses":["126.0.0.0/7"]}`:         {"addresses", "", ""},
		`{"addresses":["2001:db0::/28"]}`:       {"addresses", "", ""},
		`{"addresses":["127.0.0.1","8.8.8.8"]}`: {"addresses", "", ""},
		`{"addresses":["::/1"]}`:                {"addresses", "", ""},
	} {
		got := w.do(t, ask{"POST", "/v1/keys", parent, body, nil})
		if want.field != "" {
			if got.want(t, 403).code(t) != "key_limit" ||
				!strings.Contains(string(got.body), `"field":"`+want.field+`"`) {
				t.Errorf("%s: %s", body, got.body)
			}
			continue
		}
		made := got.want(t, 201).object(t)
		if made["expiresAt"] != want.expires || jsonText(t, made["addresses"]) != want.addresses ||
			made["createdBy"] != parentID {
			t.Errorf("%s: %v", body, made)
		}
	}
	link := w.do(t, ask{"POST", "/v1/invitations", parent,
		`{"email":"new@example.com","role":"viewer","expiresInDays":30}`, nil}).want(t, 201).object(t)
	if link["expiresAt"] != end.Format("2006-01-02T15:04:05.000000Z") {
		t.Errorf("a link outlives the key that created it: %v", link)
	}
}

// A key that expires, or that works only from some addresses, cannot grant roles that can create keys: those keys
// would have neither limit.
func TestLimitedKeyCannotGrantKeyCreatingRole(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	end := w.clock.Now().AddDate(0, 0, 7)
	ending, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.ExpiresAt = &end })
	bound, _ := w.newKey(t, x.org.ID,
		func(k *account.Key) { k.Addresses = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error { // a member who gets an account through an invitation
		_, err := tx.AddMember(t.Context(), x.org.ID, "waiting@example.com", account.RoleAdmin)
		return err
	}))
	member := func(role account.Role) string { return "/v1/members/" + x.members[role].ID }
	for _, c := range []struct {
		method, path, body, code string
		want                     int
	}{
		{"POST", "/v1/invitations", `{"email":"a@example.com","role":"admin"}`, "key_limit", 403},
		{"POST", "/v1/invitations", `{"email":"o@example.com","role":"owner"}`, "role_required", 403},
		{"POST", "/v1/invitations", `{"email":"waiting@example.com","role":"viewer"}`, "key_limit", 403},
		{"PATCH", member("editor"), `{"role":"admin"}`, "key_limit", 403},
		{"POST", member("admin") + "/password-link", "", "key_limit", 403},
		{"POST", member("owner") + "/password-link", "", "role_required", 403},
		{"POST", "/v1/invitations", `{"email":"e@example.com","role":"editor"}`, "", 201},
		{"POST", member("editor") + "/password-link", "", "", 201},
		{"PATCH", member("viewer"), `{"role":"editor"}`, "", 200},
		{"PATCH", member("viewer"), `{"role":"viewer"}`, "", 200},
	} {
		for name, key := range map[string]string{"ending": ending, "bound": bound} {
			got := w.do(t, ask{c.method, c.path, key, c.body, nil})
			if got.status != c.want ||
				c.code != "" && (got.code(t) != c.code || !strings.Contains(string(got.body), `"hint":`)) {
				t.Errorf("%s: %s %s %s: %d %s", name, c.method, c.path, c.body, got.status, got.body)
			}
		}
	}
	// Removing such a role is allowed.
	w.do(t, ask{"PATCH", member("admin"), ending, `{"role":"viewer"}`, nil}).want(t, 200)
}

// An invitation for a member without an account gives access with the member's existing role: a key that cannot grant
// that role cannot create such a link.
func TestKeyCannotInviteMorePrivilegedMember(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.AddMember(t.Context(), x.org.ID, "waiting@example.com", account.RoleEditor)
		return err
	}))
	reader, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.Scopes = []account.Scope{"admin", "read"} })
	a := ask{"POST", "/v1/invitations", reader, `{"email":"waiting@example.com","role":"viewer"}`, nil}
	if got := w.do(t, a).want(t, 403); got.code(t) != "scope_required" {
		t.Errorf("%s", got.body)
	}
	a.key = x.key
	w.do(t, a).want(t, 201)
}

// Revoking a key does not revoke the keys that it created, unless the request says so.
func TestRevokingKeyCanIncludeKeysItCreated(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	parent, parentID := w.newKey(t, x.org.ID, nil)
	child := w.do(t, ask{"POST", "/v1/keys", parent, `{"scopes":["read","admin"]}`, nil}).want(t, 201).object(t)
	w.clock.Advance(time.Second)
	grandchild := w.do(t, ask{"POST", "/v1/keys", child["key"].(string), `{"scopes":["read"]}`, nil}).want(t, 201).
		object(t)
	works := func(key any, want int) {
		t.Helper()
		w.do(t, ask{"GET", "/v1/projects", key.(string), "", nil}).want(t, want)
	}
	w.do(t, ask{"DELETE", "/v1/keys/" + parentID + "?children=perhaps", x.key, "", nil}).want(t, 400)
	w.do(t, ask{"DELETE", "/v1/keys/" + parentID, x.key, "", nil}).want(t, 204)
	works(parent, 401)
	works(grandchild["key"], 200)
	w.do(t, ask{"DELETE", "/v1/keys/" + parentID + "?children=true", x.key, "", nil}).want(t, 204)
	works(child["key"], 401)
	works(grandchild["key"], 401)
	events, err := w.store.ListEvents(t.Context(), x.org.ID, 0, 100)
	must(t, err)
	var got []string
	for _, e := range events {
		if e.Action == "key.revoke" {
			got = append(got, fmt.Sprint(e.Target, " ", e.Data["parent"], " by ", e.Actor))
		}
	}
	by := " by " + x.keyID
	if want := []string{parentID + " " + by, parentID + " " + by, child["keyId"].(string) + " " + parentID + by,
		grandchild["keyId"].(string) + " " + parentID + by}; !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
}

// overtaken simulates a caller who loses their permissions during the request, right after being identified.
type overtaken struct {
	*store.Store
	lose func(store.Principal)
}

func (o *overtaken) FindPrincipal(ctx context.Context, hashes ...string) (store.Principal, error) {
	p, err := o.Store.FindPrincipal(ctx, hashes...)
	if err == nil && o.lose != nil {
		o.lose(p)
	}
	return p, err
}

// A key that is revoked while it creates a key or a link leaves neither behind.
func TestKeyRevokedDuringRequestCreatesNothing(t *testing.T) {
	var keys *overtaken
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) { keys = &overtaken{Store: o.Store}; o.Keys = keys })
	for _, a := range []ask{{"POST", "/v1/keys", "", `{}`, nil},
		{"POST", "/v1/invitations", "", `{"email":"new@example.com","role":"viewer"}`, nil}} {
		key, keyID := w.newKey(t, x.org.ID, nil)
		keys.lose = func(store.Principal) {
			must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
				_, err := tx.RevokeKey(t.Context(), x.org.ID, keyID, true)
				return err
			}))
		}
		a.key = key
		if got := w.do(t, a).want(t, 401); got.code(t) != "invalid_key" {
			t.Errorf("%s: %s", a.path, got.body)
		}
		made, err := w.store.ListKeyChildren(t.Context(), x.org.ID, keyID)
		must(t, err)
		links, err := w.store.ListInvitations(t.Context(), x.org.ID)
		must(t, err)
		if len(made) != 0 || len(links) != 1 || links[0].ID != x.invitation.ID {
			t.Errorf("%s left %v and %v", a.path, made, links)
		}
	}
}

// A response given to one key is not repeated to a key without the operation's scope.
func TestRepeatedRequestRequiresScope(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	reader, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.Scopes = []account.Scope{"read", "admin"} })
	a := ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"` + x.project.Domains[0] + `"}`,
		map[string]string{"Idempotency-Key": "once"}}
	w.do(t, a).want(t, 202)
	a.key = reader
	if got := w.do(t, a).want(t, 403); got.code(t) != "scope_required" {
		t.Errorf("%s", got.body)
	}
}
