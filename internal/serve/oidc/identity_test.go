package oidc

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestIdentityIsReadFromTokenOrUserinfo(t *testing.T) {
	without := func(names ...string) func(object) {
		return func(c object) {
			for _, n := range names {
				delete(c, n)
			}
		}
	}
	set := func(name string, value any) func(object) { return func(c object) { c[name] = value } }
	base := func(change func(*Identity)) func(string) Identity {
		return func(issuer string) Identity {
			who := Identity{Issuer: issuer, Subject: "person-1", Email: "owner@example.com", Verified: true,
				Name: "Owner", Groups: []string{"docs", "staff"}}
			if change != nil {
				change(&who)
			}
			return who
		}
	}
	unverified := base(func(w *Identity) { w.Verified = false })
	noEmail := base(func(w *Identity) { w.Email, w.Verified = "", false })
	for name, c := range map[string]struct {
		claim func(object)
		info  object
		asked int // number of requests to userinfo
		opt   func(*Options)
		want  func(string) Identity
	}{
		"all in the token": {want: base(nil)},
		"several audiences": {claim: func(c object) { c["aud"], c["azp"] = []string{"other", clientID}, clientID },
			want: base(nil)},
		"proof missing":       {claim: without("email_verified"), want: unverified},
		"proof false":         {claim: set("email_verified", false), want: unverified},
		"proof as a text":     {claim: set("email_verified", "true"), want: base(nil)},
		"proof false as text": {claim: set("email_verified", "false"), want: unverified},
		"proof is one":        {claim: set("email_verified", 1), want: unverified},
		"one group": {claim: set("groups", "staff"),
			want: base(func(w *Identity) { w.Groups = []string{"staff"} })},
		"no groups": {claim: set("groups", []string{}), want: base(func(w *Identity) { w.Groups = []string{} })},
		"groups twice": {claim: set("groups", []string{"b", "a", "", "b"}),
			want: base(func(w *Identity) { w.Groups = []string{"a", "b"} })},
		"groups by other name": {claim: set("roles", "r"), opt: func(o *Options) { o.GroupsClaim = "roles" },
			want: base(func(w *Identity) { w.Groups = []string{"r"} })},
		"groups by userinfo": {claim: without("groups"), asked: 1,
			info: object{"sub": "person-1", "groups": []string{"x"}, "email": "other@example.com", "name": "Other"},
			want: base(func(w *Identity) { w.Groups = []string{"x"} })},
		"groups nowhere": {claim: without("groups"), info: object{"sub": "person-1"}, asked: 1,
			want: base(func(w *Identity) { w.Groups = nil })},
		"address by userinfo": {claim: without("email"), asked: 1,
			info: object{"sub": "person-1", "email": "viewer@example.com", "email_verified": true,
				"groups": []string{"x"}},
			want: base(func(w *Identity) { w.Email = "viewer@example.com" })},
		"address without proof by userinfo": {claim: without("email"),
			info: object{"sub": "person-1", "email": "viewer@example.com"}, asked: 1,
			want: base(func(w *Identity) { w.Email, w.Verified = "viewer@example.com", false })},
		"address nowhere": {claim: without("email"), info: object{"sub": "person-1"}, asked: 1, want: noEmail},
		"address is no text": {claim: set("email", object{}), info: object{"sub": "person-1"}, asked: 1,
			want: noEmail},
		"address is no one": {claim: set("email", "owner"), info: object{"sub": "person-1"}, asked: 1, want: noEmail},
		"address in two rows": {claim: set("email", "owner@example.com\r\nx"), info: object{"sub": "person-1"},
			asked: 1, want: noEmail},
		"endless address": {claim: set("email", strings.Repeat("o", 300)+"@example.com"),
			info: object{"sub": "person-1"}, asked: 1, want: noEmail},
		"endless name": {claim: set("name", strings.Repeat("é", 5000)),
			want: base(func(w *Identity) { w.Name = strings.Repeat("é", 200) })},
		"name with breaks": {claim: set("name", "\x1b[31mA\n\u202eB"),
			want: base(func(w *Identity) { w.Name = "[31mA B" })},
		"name of the account": {claim: func(c object) { c["name"], c["preferred_username"] = " ", "owner" },
			want: base(func(w *Identity) { w.Name = "owner" })},
	} {
		t.Run(name, func(t *testing.T) {
			p := openIDP(t)
			p.claim, p.info = c.claim, c.info
			opt := p.options()
			if c.opt != nil {
				c.opt(&opt)
			}
			who, err := finish(t, New(opt))
			if err != nil || !reflect.DeepEqual(who, c.want(p.URL)) {
				t.Errorf("%+v, %v, want %+v", who, err, c.want(p.URL))
			}
			if n := p.requests("/userinfo"); n != c.asked {
				t.Errorf("%d requests to userinfo", n)
			}
		})
	}
}

func TestUserinfoIsOptional(t *testing.T) {
	p := openIDP(t)
	p.describe = func(doc object) { delete(doc, "userinfo_endpoint") }
	p.claim = func(c object) { delete(c, "groups") }
	who, err := finish(t, New(p.options()))
	if err != nil || who.Email != "owner@example.com" || who.Groups != nil {
		t.Errorf("%+v, %v", who, err)
	}
}

// If the access token belongs to another person, the person who signs in must not get that person's address or groups.
func TestInvalidUserinfoIsRefused(t *testing.T) {
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body)) // the client may have disconnected
		}
	}
	for name, c := range map[string]struct {
		handle      http.HandlerFunc
		code, cause string
	}{
		"another subject": {answer(200, `{"sub":"person-2","groups":["owners"]}`), "oidc_refused", "another subject"},
		"no subject":      {answer(200, `{"groups":["owners"]}`), "oidc_refused", "another subject"},
		"not JSON":        {answer(200, `<html>`), "oidc_refused", "userinfo"},
		"refused":         {answer(403, "no "+accessToken+strings.Repeat(" no", 9000)), "oidc_refused", "403"},
		"not now":         {answer(503, "{}"), "oidc_unavailable", "503"},
		"endless":         {endless, "oidc_unavailable", "larger"},
		"groups of boxes": {answer(200, `{"sub":"person-1","groups":[{"id":1}]}`), "oidc_misconfigured", "groups"},
	} {
		t.Run(name, func(t *testing.T) {
			p := openIDP(t)
			p.claim = func(c object) { delete(c, "groups") }
			p.instead["/userinfo"] = c.handle
			who, err := finish(t, New(p.options()))
			wantFault(t, err, c.code, c.cause)
			if who.Subject != "" {
				t.Errorf("an identity was returned anyway: %+v", who)
			}
		})
	}
}

func TestGroupsInUnknownFormatAreRefused(t *testing.T) {
	for _, groups := range []any{7, true, object{"a": "b"}, []any{"a", 1}, []any{[]string{"a"}}} {
		p := openIDP(t)
		p.claim = func(c object) { c["groups"] = groups }
		_, err := finish(t, New(p.options()))
		wantFault(t, err, "oidc_misconfigured", "groups")
	}
}

func FuzzClaims(f *testing.F) {
	f.Add([]byte(`{"email":"owner@example.com","email_verified":"true","name":"Owner","groups":["a","b",null]}`))
	f.Add([]byte(`{"email":" \u0000@","name":"\ud800","groups":"x"}`))
	f.Add([]byte(`{"groups":{"a":[1]},"preferred_username":7}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var said claims
		if json.Unmarshal(data, &said) != nil {
			return
		}
		if address, verified := said.email(); address == "" && verified || len(address) > maxEmail ||
			strings.ContainsFunc(address, odd) {
			t.Fatalf("address %q, %v", address, verified)
		}
		if name := said.name(); utf8.RuneCountInString(name) > maxName || !utf8.ValidString(name) ||
			strings.ContainsAny(name, "\r\n\x00\x1b") {
			t.Fatalf("name %q", name)
		}
		groups, present, err := said.groups("groups")
		if err != nil && (present || groups != nil) || slices.Contains(groups, "") || !slices.IsSorted(groups) {
			t.Fatalf("groups %q, %v, %v", groups, present, err)
		}
	})
}
