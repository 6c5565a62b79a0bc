package scim

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

func FuzzFilter(f *testing.F) {
	for _, seed := range []string{`userName eq "a"`, `emails[type eq "work" and value eq "a"]`, `active eq true and id eq "x"`,
		`emails[type eq "work"].value eq "a"`, `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"`, `a eq`, `[`, `a[b eq 1`,
		`((a eq "b"))`, `a eq "\u0000"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseFilter(text)
		if err == nil && (len(list) == 0 || len(list) > maxConditions) {
			t.Errorf("%d conditions", len(list))
		}
		for _, c := range list {
			if c.name == "" {
				t.Error("a condition without an attribute")
			}
			userFields(c)
			groupFields(c)
		}
		if at, err := parsePath(text); err == nil && at.name == "" {
			t.Error("a path without an attribute")
		}
	})
}

// Whatever a body contains, a user keeps a name and a normalized address.
func FuzzPatch(f *testing.F) {
	for _, seed := range []string{`{"Operations":[{"op":"Replace","path":"active","value":"False"}]}`,
		`{"Operations":[{"op":"add","value":{"emails":[{"value":"x@example.com","primary":true}],"name.givenName":"A"}}]}`,
		`{"Operations":[{"op":"remove","path":"members[value eq \"a\"]"},{"op":"add","path":"members","value":{"value":"b"}}]}`,
		`{"userName":"b","emails":[{"value":"B@example.com"}],"members":[{"value":"x"}],"displayName":"D"}`,
		`{"Operations":[{"op":"replace","path":"emails[type eq \"work\"].value","value":7}]}`, `{"Operations":[{}]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		body, err := parseObject([]byte(text))
		if err != nil {
			return
		}
		user := draft{DirectoryUser: account.DirectoryUser{ID: "mem_1", UserName: "a", Email: "a@example.com"}}
		group := groupDraft{DirectoryGroup: account.DirectoryGroup{ID: "grp_1", DisplayName: "g"},
			had: map[string]bool{"m": true}, wanted: map[string]bool{"m": true}}
		check := func() {
			clean, err := account.CleanEmail(user.Email)
			if user.ID != "mem_1" || user.UserName == "" || err != nil || clean != user.Email {
				t.Errorf("the user became %+v", user)
			}
			if group.ID != "grp_1" || group.DisplayName == "" || group.wanted[""] {
				t.Errorf("the group became %+v", group)
			}
		}
		operations, err := readPatch(body)
		for _, o := range operations {
			if user.apply(o) != nil || group.apply(o) != nil {
				return // the request is rejected, and nothing is stored
			}
		}
		if err == nil {
			check()
		}
		if user.fill(body) == nil && group.fill(body) == nil {
			check()
		}
	})
}
