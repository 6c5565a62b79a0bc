package scim_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// members returns the ids of a group's members.
func (r *rig) members(group string) (ids []string) {
	r.Helper()
	list, _ := r.do(200, "GET", "Groups/"+group, "").body["members"].([]any)
	for _, one := range list {
		ids = append(ids, one.(map[string]any)["value"].(string))
	}
	return ids
}

func TestGroupsGrantSameRolesAsSignIn(t *testing.T) {
	r := newRig(t)
	ann := r.user("ann@example.com")
	writers := r.group("Writers", ann)
	want := func(role account.Role, when string) {
		t.Helper()
		if got := r.role("ann@example.com"); got != role {
			t.Errorf("%s: %q, want %q", when, got, role)
		}
	}
	want(account.RoleEditor, "in a group of editors")
	admins := r.do(201, "POST", "Groups", `{"displayName":"Anything","externalId":"guid-admins"}`).id()
	r.patch(204, "Groups/"+admins, `{"op":"Add","path":"members","value":[{"value":"`+ann+`"}]}`)
	want(account.RoleAdmin, "in a group whose external id has a role")
	if got := r.do(200, "GET", "Users/"+ann, ""); got.get("groups.0.display") != "Writers" || got.get("groups.1.value") != admins {
		t.Error(got.raw)
	}
	r.patch(200, "Users/"+ann, `{"op":"replace","path":"active","value":false}`)
	r.patch(204, "Groups/"+admins, `{"op":"Remove","path":"members[value eq \"`+ann+`\"]"}`)
	r.patch(200, "Users/"+ann, `{"op":"replace","path":"active","value":true}`)
	want(account.RoleEditor, "active again")
	r.patch(204, "Groups/"+writers, `{"op":"replace","path":"displayName","value":"Others"}`)
	want(account.RoleViewer, "the group has another name")
	r.patch(204, "Groups/"+writers, `{"op":"replace","value":{"id":"`+writers+`","displayName":"Writers"}}`)
	want(account.RoleEditor, "it has its name again")
	r.do(204, "DELETE", "Groups/"+writers, "")
	want(account.RoleViewer, "the group is gone")
	r.group("Unmapped", ann)
	want(account.RoleViewer, "in a group without a role")
	if roles := slices.DeleteFunc(r.actions(), func(a string) bool { return a != "member.role" }); len(roles) != 5 {
		t.Errorf("%d changes of the role", len(roles))
	}
	foreign := r.as(r.foreign, "POST", "Users", `{"userName":"bob@example.com"}`)
	r.as(r.foreign, "POST", "Groups", `{"displayName":"Writers","members":[{"value":"`+foreign.id()+`"}]}`)
	if m, err := r.store.FindMemberByEmail(t.Context(), r.other.ID, "bob@example.com"); err != nil || m.Role != account.RoleViewer {
		t.Errorf("group roles of one organization apply in another: %+v (error %v)", m, err)
	}
}

// The requests that Entra ID and Okta send to change a group's members.
func TestGroupMembershipRequestsOfKnownProviders(t *testing.T) {
	r := newRig(t)
	a, b, c := r.user("a@example.com"), r.user("b@example.com"), r.user("c@example.com")
	group := r.group("Staff", a)
	for _, step := range []struct {
		operations string
		want       []string
	}{
		{`{"op":"Add","path":"members","value":[{"value":"` + b + `"},{"value":"` + c + `"}]}`, []string{a, b, c}},
		{`{"op":"add","path":"members","value":{"value":"` + b + `"}}`, []string{a, b, c}},
		{`{"op":"Remove","path":"members","value":[{"value":"` + a + `"}]}`, []string{b, c}},
		{`{"op":"remove","path":"members[value eq \"` + b + `\"]"},{"op":"remove","path":"members[value eq \"` + b + `\"]"}`, []string{c}},
		{`{"op":"replace","path":"members","value":[{"value":"` + a + `","display":"A","type":"User"}]}`, []string{a}},
		{`{"op":"add","value":{"members":[{"value":"` + b + `"}]}}`, []string{a, b}},
		{`{"op":"remove","path":"urn:ietf:params:scim:schemas:core:2.0:Group:members[value eq \"` + b + `\"]"}`, []string{a}},
		{`{"op":"remove","path":"members"}`, nil},
		{`{"op":"add","path":"externalId","value":"x"},{"op":"add","path":"members","value":[]}`, nil},
	} {
		r.patch(204, "Groups/"+group, step.operations)
		if got := r.members(group); !slices.Equal(got, step.want) {
			t.Errorf("after %s: %v, want %v", step.operations, got, step.want)
		}
	}
	full := r.do(200, "PUT", "Groups/"+group, `{"displayName":"Staff","members":[{"value":"`+c+`"}]}`)
	if full.get("members.0.value") != c || full.get("externalId") != nil || full.get("members.0.$ref") != "https://docs.example.com/scim/v2/Users/"+c {
		t.Error(full.raw)
	}
	for filter, want := range map[string]int{`displayName eq "sTAFF"`: 1, `members eq "` + c + `"`: 1,
		`id eq "` + group + `" and members.value eq "` + a + `"`: 0, `members[value eq "` + c + `"]`: 1, `externalId eq "x"`: 0} {
		if got := r.find("Groups", filter); len(got) != want {
			t.Errorf("%s: %v", filter, got)
		}
	}
	if list := r.do(200, "GET", "Groups?excludedAttributes=members", ""); list.get("Resources.0.displayName") != "Staff" ||
		strings.Contains(list.raw, c) {
		t.Error(list.raw)
	}
	r.refused(r.as(r.key, "POST", "Groups", `{"displayName":"staff"}`), 409, "uniqueness")
	r.do(204, "DELETE", "Users/"+c, "")
	if got := r.members(group); got != nil {
		t.Errorf("a removed user is still a member: %v", got)
	}
}

func TestLargeGroupIsReplacedInOneRequest(t *testing.T) {
	r := newRig(t)
	const n = 300
	var members []map[string]string
	for i := range n {
		members = append(members, map[string]string{"value": r.user(fmt.Sprintf("u%d@example.com", i))})
	}
	raw, err := json.Marshal(map[string]any{"displayName": "Writers", "members": members})
	r.ok(err)
	group := r.do(201, "POST", "Groups", string(raw)).id()
	if got := r.members(group); len(got) != n {
		t.Errorf("%d members", len(got))
	}
	if r.role("u7@example.com") != account.RoleEditor {
		t.Error("a member does not have the group's role")
	}
	r.do(200, "PUT", "Groups/"+group, `{"displayName":"Writers"}`)
	if got := r.members(group); got != nil || r.role("u7@example.com") != account.RoleViewer {
		t.Errorf("%d members are left", len(got))
	}
}
