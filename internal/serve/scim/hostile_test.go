package scim_test

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/scim"
	"github.com/lectern-docs/lectern/internal/store"
)

// Requests without a valid key that has the scope scim get nothing, and learn nothing from the paths they try.
func TestOnlyKeysWithSCIMScopeAreAccepted(t *testing.T) {
	r := newRig(t)
	for _, path := range []string{"Users", "Users/mem_x", "Nothing", "ServiceProviderConfig", ""} {
		r.refused(r.as("", "GET", path, ""), 401, "")
		r.refused(r.as("lectern_wrong", "GET", path, ""), 401, "")
		for _, scope := range []string{"read", "write", "discovery", "admin"} {
			key, _ := r.newKey(r.acme.ID, scope)
			r.refused(r.as(key, "GET", path, ""), 403, "")
		}
	}
	if a := r.as("", "GET", "Users", ""); a.header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("%v", a.header)
	}
	r.tx(func(tx *store.Tx) error {
		_, err := tx.RevokeKey(t.Context(), r.acme.ID, r.keyID, false)
		return err
	})
	r.refused(r.as(r.key, "GET", "Users", ""), 401, "")
}

func TestAddressAndRateLimitsApplyToKeys(t *testing.T) {
	r := newRig(t, func(o *scim.Options) { o.Rate = auth.NewRate(3, nil, o.Now) })
	for range 3 {
		r.do(200, "GET", "Users", "")
		r.clock.Advance(-time.Second) // stay within a minute
	}
	a := r.as(r.key, "GET", "Users", "")
	if r.refused(a, 429, ""); a.header.Get("Retry-After") == "" {
		t.Errorf("%v", a.header)
	}
	k, err := account.NewKey(r.acme.ID, account.Request{Scopes: []string{"scim"}, Addresses: []string{"203.0.113.7"}}, r.clock.Now())
	r.ok(err)
	if k.AllowsAddress(netip.MustParseAddr("192.0.2.1")) {
		t.Fatal("the key has no address list")
	}
	k.Hash = account.NewHasher(master).Hash("lectern_")
	secret := account.NewSecret(strings.NewReader(strings.Repeat("k", 100)))
	k.Prefix, k.Hash = account.Visible(secret), account.NewHasher(master).Hash(secret)
	r.tx(func(tx *store.Tx) error { _, err := tx.CreateKey(t.Context(), k); return err })
	r.refused(r.as(secret, "GET", "Users", ""), 403, "")
}

// A8: another organization's ids are unknown wherever an id is accepted, and nothing in that organization changes.
func TestOtherOrganizationsAreInvisible(t *testing.T) {
	r := newRig(t)
	user, group := r.user("ann@example.com"), ""
	group = r.group("Staff", user)
	before := r.do(200, "GET", "Groups/"+group, "").raw + r.do(200, "GET", "Users/"+user, "").raw
	off := `{"Operations":[{"op":"replace","path":"active","value":false}]}`
	clear := `{"Operations":[{"op":"remove","path":"members"}]}`
	unknown := strings.ReplaceAll(r.as(r.foreign, "GET", "Users/mem_"+strings.Repeat("a", 26), "").raw, "\n", "")
	for _, c := range [][3]string{{"GET", "Users/" + user, ""}, {"PUT", "Users/" + user, `{"userName":"x@example.com"}`},
		{"PATCH", "Users/" + user, off}, {"DELETE", "Users/" + user, ""}} {
		a := r.as(r.foreign, c[0], c[1], c[2])
		if r.refused(a, 404, ""); strings.TrimSpace(a.raw) != unknown {
			t.Errorf("%v: %s differs from %s", c, a.raw, unknown)
		}
	}
	for _, c := range [][3]string{{"GET", "Groups/" + group, ""}, {"PUT", "Groups/" + group, `{"displayName":"x"}`},
		{"PATCH", "Groups/" + group, clear}, {"DELETE", "Groups/" + group, ""}} {
		r.refused(r.as(r.foreign, c[0], c[1], c[2]), 404, "")
	}
	r.refused(r.as(r.foreign, "POST", "Groups", `{"displayName":"Mine","members":[{"value":"`+user+`"}]}`), 400, "invalidValue")
	for _, filter := range []string{`userName eq "ann@example.com"`, `id eq "` + user + `"`, `active eq true`} {
		if a := r.as(r.foreign, "GET", "Users?filter="+url.QueryEscape(filter), ""); a.get("totalResults") != 0.0 {
			t.Errorf("%s: %s", filter, a.raw)
		}
	}
	if a := r.as(r.foreign, "GET", "Groups?filter="+url.QueryEscape(`members eq "`+user+`"`), ""); a.get("totalResults") != 0.0 {
		t.Error(a.raw)
	}
	if made := r.as(r.foreign, "POST", "Users", `{"userName":"ann@example.com"}`); made.status != 201 {
		t.Errorf("another organization cannot use the same name: %s", made.raw)
	}
	if after := r.do(200, "GET", "Groups/"+group, "").raw + r.do(200, "GET", "Users/"+user, "").raw; after != before {
		t.Errorf("before %s\nafter %s", before, after)
	}
}

func TestInvalidRequestsGetSCIMErrors(t *testing.T) {
	r := newRig(t)
	user, group := r.user("ann@example.com"), r.group("Staff")
	patch := func(op string) string { return `{"Operations":[` + op + `]}` }
	deep := strings.Repeat("(", 5000) + `userName eq "a"` + strings.Repeat(")", 5000)
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		kind               string
	}{
		"nested filter":            {"GET", "Users?filter=" + url.QueryEscape(deep), "", 400, "invalidFilter"},
		"short nested filter":      {"GET", "Users?filter=" + url.QueryEscape(`((userName eq "a"))`), "", 400, "invalidFilter"},
		"nested choice":            {"GET", "Users?filter=" + url.QueryEscape(`emails[emails[value eq "a"]]`), "", 400, "invalidFilter"},
		"many conditions":          {"GET", "Users?filter=" + url.QueryEscape(strings.Repeat(`id eq "a" and `, 20)+`id eq "a"`), "", 400, "invalidFilter"},
		"other operators":          {"GET", "Users?filter=" + url.QueryEscape(`userName co "a"`), "", 400, "invalidFilter"},
		"unknown attribute":        {"GET", "Users?filter=" + url.QueryEscape(`role eq "owner"`), "", 400, "invalidFilter"},
		"filter by null":           {"GET", "Users?filter=" + url.QueryEscape(`userName eq null`), "", 400, "invalidFilter"},
		"filter by a list":         {"GET", "Users?filter=" + url.QueryEscape(`userName eq ["a"]`), "", 400, "invalidFilter"},
		"NUL":                      {"GET", "Users?filter=" + url.QueryEscape(`userName eq "\u0000"`), "", 400, "invalidValue"},
		"count":                    {"GET", "Users?count=many", "", 400, "invalidValue"},
		"huge start":               {"GET", "Users?startIndex=99999999999999999999", "", 400, "invalidValue"},
		"no userName":              {"POST", "Users", `{"displayName":"x"}`, 400, "invalidValue"},
		"no address":               {"POST", "Users", `{"userName":"x"}`, 400, "invalidValue"},
		"address with markup":      {"POST", "Users", `{"userName":"<script>@example.com"}`, 400, "invalidValue"},
		"control characters":       {"POST", "Users", `{"userName":"a@example.com","displayName":"a\u0007"}`, 400, "invalidValue"},
		"long name":                {"POST", "Users", `{"userName":"a@example.com","displayName":"` + strings.Repeat("x", 300) + `"}`, 400, "invalidValue"},
		"active as a number":       {"POST", "Users", `{"userName":"a@example.com","active":1}`, 400, "invalidValue"},
		"no JSON":                  {"POST", "Users", `{`, 400, "invalidSyntax"},
		"a list":                   {"POST", "Users", `[]`, 400, "invalidSyntax"},
		"null":                     {"POST", "Users", `null`, 400, "invalidSyntax"},
		"too large":                {"POST", "Users", `{"userName":"` + strings.Repeat("x", 1<<20) + `"}`, 413, ""},
		"no operations":            {"PATCH", "Users/" + user, `{}`, 400, "invalidSyntax"},
		"unknown operation":        {"PATCH", "Users/" + user, patch(`{"op":"move","path":"active"}`), 400, "invalidSyntax"},
		"unknown path":             {"PATCH", "Users/" + user, patch(`{"op":"add","path":"role","value":"owner"}`), 400, "invalidPath"},
		"unknown part":             {"PATCH", "Users/" + user, patch(`{"op":"add","path":"displayName.x","value":"a"}`), 400, "invalidPath"},
		"unknown schema":           {"PATCH", "Users/" + user, patch(`{"op":"add","path":"urn:x:y:role","value":"a"}`), 400, "invalidPath"},
		"path no text":             {"PATCH", "Users/" + user, patch(`{"op":"add","path":7,"value":"a"}`), 400, "invalidPath"},
		"broken path":              {"PATCH", "Users/" + user, patch(`{"op":"add","path":"emails[type eq","value":"a"}`), 400, "invalidPath"},
		"remove without a path":    {"PATCH", "Users/" + user, patch(`{"op":"remove"}`), 400, "noTarget"},
		"remove the name":          {"PATCH", "Users/" + user, patch(`{"op":"remove","path":"userName"}`), 400, "mutability"},
		"change the id":            {"PATCH", "Users/" + user, patch(`{"op":"replace","path":"id","value":"x"}`), 400, "mutability"},
		"join a group by the user": {"PATCH", "Users/" + user, patch(`{"op":"add","path":"groups","value":[{"value":"` + group + `"}]}`), 400, "mutability"},
		"no value":                 {"PATCH", "Users/" + user, patch(`{"op":"replace","value":"x"}`), 400, "invalidValue"},
		"many operations":          {"PATCH", "Users/" + user, patch(strings.Repeat(`{"op":"remove","path":"title"},`, 1000) + `{"op":"remove","path":"title"}`), 400, "invalidSyntax"},
		"group without a name":     {"POST", "Groups", `{"members":[]}`, 400, "invalidValue"},
		"unknown member":           {"POST", "Groups", `{"displayName":"x","members":[{"value":"mem_x"}]}`, 400, "invalidValue"},
		"group as a member":        {"POST", "Groups", `{"displayName":"x","members":[{"value":"` + group + `","type":"Group"}]}`, 400, "invalidValue"},
		"group in a group":         {"PATCH", "Groups/" + group, patch(`{"op":"add","path":"members","value":[{"value":"` + group + `"}]}`), 400, "invalidValue"},
		"members no objects":       {"PATCH", "Groups/" + group, patch(`{"op":"add","path":"members","value":["` + user + `"]}`), 400, "invalidValue"},
		"member chosen by name":    {"PATCH", "Groups/" + group, patch(`{"op":"remove","path":"members[display eq \"a\"]"}`), 400, "invalidPath"},
		"unknown path of a group":  {"PATCH", "Groups/" + group, patch(`{"op":"add","path":"owners","value":[]}`), 400, "invalidPath"},
		"unknown user":             {"GET", "Users/' OR 1=1", "", 404, ""},
		"unknown group":            {"DELETE", "Groups/" + user, "", 404, ""},
		"unknown path here":        {"GET", "Roles", "", 404, ""},
		"deeper path":              {"GET", "Users/" + user + "/groups", "", 404, ""},
		"wrong method":             {"DELETE", "Users", "", 405, ""},
		"bulk":                     {"POST", "Bulk", `{"Operations":[]}`, 501, ""},
		"me":                       {"GET", "Me", "", 501, ""},
	} {
		path := strings.ReplaceAll(c.path, " ", "%20")
		a := r.as(r.key, c.method, path, c.body)
		if r.refused(a, c.status, c.kind); a.status != c.status || len(a.raw) > 2000 {
			t.Errorf("%s: %d with %d bytes", name, a.status, len(a.raw))
		}
	}
	r.refused(r.as(r.key, "POST", "Users", `{"userName":"a@example.com"}`, "Content-Type", "text/plain"), 415, "")
	if a := r.do(200, "GET", "Users", ""); a.get("totalResults") != 1.0 {
		t.Error("a refused request created a user")
	}
	if got := fmt.Sprint(r.actions()); got != "[directory_user.create member.join directory_group.create]" {
		t.Errorf("refused requests are in the audit log: %s", got)
	}
}

// A failed operation undoes the ones before it.
func TestPatchIsAtomic(t *testing.T) {
	r := newRig(t)
	ann := r.user("ann@example.com")
	group := r.group("Writers", ann)
	before := r.do(200, "GET", "Groups/"+group, "").raw
	r.refused(r.as(r.key, "PATCH", "Groups/"+group, `{"Operations":[{"op":"remove","path":"members"},
		{"op":"add","path":"members","value":[{"value":"mem_unknown"}]}]}`), 400, "invalidValue")
	if after := r.do(200, "GET", "Groups/"+group, "").raw; after != before || r.role("ann@example.com") != account.RoleEditor {
		t.Errorf("before %s\nafter %s", before, after)
	}
}
