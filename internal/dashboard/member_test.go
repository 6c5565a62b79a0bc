package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/dashboard/settings"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

const members = "/dashboard/settings/members"

// at returns the path of a form about one of the rig's people.
func (r *rig) at(who, form string) string {
	return members + "/" + r.people[who].member.ID + "/" + form
}

// roleOf returns a person's current role in organization a, or "" if they are not a member.
func (r *rig) roleOf(who string) account.Role {
	r.t.Helper()
	m, err := r.store.FindMember(r.t.Context(), r.a.org.ID, r.people[who].member.ID)
	if err != nil {
		return ""
	}
	return m.Role
}

// Everybody sees all members; each role gets exactly the forms that the rules permit.
func TestMembersPageOffersOnlyPermittedForms(t *testing.T) {
	r := newRig(t)
	all := []string{"owner", "admin", "editor", "viewer"}
	for who, want := range map[string][]string{
		"owner": {"admin/role", "editor/role", "viewer/role", "admin/remove", "editor/remove", "viewer/remove",
			"admin/password-link", "editor/password-link", "viewer/password-link", "/invite"},
		"admin": {"admin/role", "editor/role", "viewer/role", "admin/remove", "editor/remove", "viewer/remove",
			"editor/password-link", "viewer/password-link", "/invite"},
		"editor": {"editor/remove"},
		"viewer": {"viewer/remove"},
	} {
		status, page := r.get(who, members)
		if status != http.StatusOK {
			t.Fatalf("%s: %d", who, status)
		}
		for _, other := range all {
			if row := rowOf(t, page, r.people[other].member.ID); !strings.HasPrefix(row[0], other+"@example.com") ||
				row[1] != other || row[2] != "without two-factor" || row[3] != "just now" {
				t.Errorf("%s sees %s as %q", who, other, row)
			}
		}
		var paths []string
		for _, w := range want {
			if name, form, _ := strings.Cut(w, "/"); name != "" {
				w = "/" + r.people[name].member.ID + "/" + form
			}
			paths = append(paths, w)
		}
		slices.Sort(paths)
		if got := actions(page, members); !slices.Equal(got, paths) {
			t.Errorf("%s is offered %q, want %q", who, got, paths)
		}
		if strings.Contains(page, "foreign@example.com") {
			t.Errorf("%s sees another organization's people", who)
		}
		if offers := strings.Contains(page, `<option value="owner">`); offers != (who == "owner") {
			t.Errorf("%s is offered the role owner: %v", who, offers)
		}
	}
}

// A crafted form achieves no more than one from a page: the API decides, and nothing changes.
func TestCraftedFormsAboutMembersChangeNothing(t *testing.T) {
	r := newRig(t)
	_, page := r.post("owner", members+"/invite",
		url.Values{"email": {"guest@example.com"}, "role": {"viewer"}, "expiresInDays": {"7"}})
	invitation := regexp.MustCompile(`/invitations/(inv_[a-z2-7]+)/withdraw`).FindStringSubmatch(page)[1]
	role := func(to string) url.Values { return url.Values{"role": {to}} }
	guest := func(role string) url.Values {
		return url.Values{"email": {"new@example.com"}, "role": {role}, "expiresInDays": {"7"}}
	}
	const ownersOnly, needsAdmin, last = "Only an owner can add, change or remove an owner.",
		"This requires the role admin; your role is ", "This is the organization&#39;s last owner."
	for _, c := range []struct {
		who, path string
		form      url.Values
		status    int
		says      string
	}{
		{"viewer", r.at("editor", "role"), role("viewer"), 403, needsAdmin + "viewer."},
		{"viewer", r.at("viewer", "role"), role("owner"), 403, needsAdmin + "viewer."},
		{"viewer", r.at("editor", "remove"), nil, 403, needsAdmin + "viewer."},
		{"viewer", r.at("editor", "password-link"), nil, 403, needsAdmin + "viewer."},
		{"viewer", members + "/invite", guest("viewer"), 403, needsAdmin + "viewer."},
		{"viewer", members + "/invitations/" + invitation + "/withdraw", nil, 403, needsAdmin + "viewer."},
		{"editor", r.at("viewer", "role"), role("editor"), 403, needsAdmin + "editor."},
		{"editor", r.at("editor", "role"), role("admin"), 403, needsAdmin + "editor."},
		{"editor", r.at("owner", "remove"), nil, 403, needsAdmin + "editor."},
		{"editor", r.at("viewer", "password-link"), nil, 403, needsAdmin + "editor."},
		{"editor", members + "/invite", guest("viewer"), 403, needsAdmin + "editor."},
		{"editor", members + "/invitations/" + invitation + "/withdraw", nil, 403, needsAdmin + "editor."},
		{"admin", r.at("editor", "role"), role("owner"), 403, ownersOnly},
		{"admin", r.at("admin", "role"), role("owner"), 403, ownersOnly},
		{"admin", r.at("owner", "role"), role("viewer"), 403, ownersOnly},
		{"admin", r.at("owner", "remove"), nil, 403, ownersOnly},
		{"admin", r.at("owner", "password-link"), nil, 403, ownersOnly},
		{"admin", members + "/invite", guest("owner"), 403, ownersOnly},
		{"admin", r.at("editor", "role"), role("emperor"), 400, "Unknown role &#34;emperor&#34;."},
		{"admin", r.at("editor", "role"), role(hostile), 400, "Unknown role"},
		{"owner", r.at("owner", "role"), role("admin"), 409, last},
		{"owner", r.at("owner", "remove"), nil, 409, last},
		{"foreign", r.at("viewer", "role"), role("editor"), 404, "Member not found."},
		{"foreign", r.at("viewer", "remove"), nil, 404, "Member not found."},
		{"foreign", r.at("viewer", "password-link"), nil, 404, "Member not found."},
		{"foreign", members + "/invitations/" + invitation + "/withdraw", nil, 404, ""},
	} {
		t.Run(c.who+" "+c.path[len(members):], func(t *testing.T) {
			r.wantUnchanged(t, r.a, func() {
				status, page := r.post(c.who, c.path, c.form)
				if status != c.status || !strings.Contains(page, c.says) || strings.Contains(page, "<script>alert") {
					t.Errorf("%d, want %d and %q:\n%s", status, c.status, c.says, page)
				}
			})
		})
	}
}

// A person who gives up a role still sees the page, without the forms of that role.
func TestRoleChangesTakeEffectAtOnce(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct {
		who, whom, to string
	}{{"owner", "admin", "owner"}, {"owner", "owner", "viewer"}, {"admin", "viewer", "admin"},
		{"viewer", "viewer", "editor"}} {
		status, to := r.post(c.who, r.at(c.whom, "role"), url.Values{"role": {c.to}})
		if status != http.StatusSeeOther || to != members+"?did=role-changed" ||
			r.roleOf(c.whom) != account.Role(c.to) {
			t.Errorf("%+v: %d %s, is %s", c, status, to, r.roleOf(c.whom))
		}
	}
	if _, page := r.get("viewer", members); len(actions(page, members)) != 1 { // to leave
		t.Errorf("after stepping down the page still offers %q", actions(page, members))
	}
	r.wantUnchanged(t, r.a, func() {
		if status, _ := r.post("viewer", r.at("editor", "role"),
			url.Values{"role": {"viewer"}}); status != http.StatusForbidden {
			t.Errorf("after stepping down: %d", status)
		}
	})
}

func TestMembersLeaveAndAreRemovedAtOnce(t *testing.T) {
	r := newRig(t)
	if status, to := r.post("viewer", r.at("viewer", "remove"), nil); status != http.StatusSeeOther ||
		to != "/dashboard/sign-in?did=left" {
		t.Errorf("leaving: %d %s", status, to)
	}
	if status, to := r.post("admin", r.at("editor", "remove"), nil); status != http.StatusSeeOther ||
		to != members+"?did=member-removed" {
		t.Errorf("removing: %d %s", status, to)
	}
	for _, who := range []string{"viewer", "editor"} {
		if status, to := r.get(who, members); r.roleOf(who) != "" || status != http.StatusSeeOther ||
			!strings.HasPrefix(to, "/dashboard/sign-in") {
			t.Errorf("%s is still %q: %d %s", who, r.roleOf(who), status, to)
		}
	}
}

func TestHostileNameIsEscaped(t *testing.T) {
	r := newRig(t)
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.CreatePerson(t.Context(),
			account.Person{Email: "named@example.com", Name: hostile}); err != nil {
			return err
		}
		_, err := tx.AddMember(t.Context(), r.a.org.ID, "named@example.com", account.RoleViewer)
		return err
	}))
	_, page := r.get("viewer", members)
	wantText(t, page)
}

// The table of roles matches the API: each operation that requires a role is on one line, under that role.
func TestRoleTableMatchesTheAPI(t *testing.T) {
	line := map[string]account.Role{}
	for _, row := range settings.RoleRows() {
		for _, call := range row.Calls {
			if line[call] != "" {
				t.Errorf("%s appears twice", call)
			}
			line[call] = row.Least
		}
	}
	for _, route := range adminapi.Routes() {
		if line[route.OperationID] != route.Role {
			t.Errorf("%s is documented to need %q, but needs %q", route.OperationID, line[route.OperationID], route.Role)
		}
		delete(line, route.OperationID)
	}
	if len(line) != 0 {
		t.Errorf("there are no operations %v", line)
	}
	r := newRig(t)
	_, page := r.get("viewer", members)
	for _, row := range settings.RoleRows() {
		want := []string{row.May}
		for _, role := range []account.Role{"guest", "viewer", "editor", "admin", "owner"} {
			want = append(want, map[bool]string{true: "yes", false: "no"}[role.AtLeast(row.Least)])
		}
		if !slices.ContainsFunc(cells(t, page, "roles"), func(got []string) bool { return slices.Equal(got, want) }) {
			t.Errorf("the page lacks the line %q", want)
		}
	}
}

// D8: each form in the settings creates an audit record with the member who submitted it.
func TestEverySettingsFormIsAudited(t *testing.T) {
	r := newRig(t)
	invite := url.Values{"email": {"guest@example.com"}, "role": {"viewer"}, "expiresInDays": {"7"}}
	_, page := r.post("owner", members+"/invite", invite)
	hook, delivery := r.storedWebhook("https://hooks.a.example/in")
	deletedHook, _ := r.storedWebhook("https://hooks.a.example/deleted")
	r.failDelivery(hook, delivery)
	replaced, deleted := r.storedCredential("replaced").ID, r.storedCredential("deleted").ID
	invitation := regexp.MustCompile(`/invitations/(inv_[a-z2-7]+)/withdraw`).FindStringSubmatch(page)[1]
	samples := map[string]struct {
		path   string
		form   url.Values
		action string
		target string // "" = something new
	}{
		keys: {keys, keyForm(nil), "key.create", ""},
		keys + "/{keyId}/revoke": {keys + "/" + r.newRevocable() + "/revoke", nil, "key.revoke",
			""},
		credentials: {credentials, values("name", "x", "kind", "token", "url",
			"https://git.example.com", "secret", "s"), "credential.create", ""},
		credentials + "/{credentialId}/replace": {credentials + "/" + replaced + "/replace",
			values("url", "https://git.example.com", "secret", "s"), "credential.replace", replaced},
		credentials + "/{credentialId}/delete": {credentials + "/" + deleted + "/delete", nil,
			"credential.delete", deleted},
		credentials + "/{credentialId}/test": {credentials + "/" + replaced + "/test", nil, "credential.test", replaced},
		webhooks:                             {webhooks, values("url", "https://hooks.a.example/new"), "webhook.create", ""},
		webhooks + "/{endpointId}": {webhooks + "/" + hook, values("url", "https://hooks.a.example/other"),
			"webhook.update", hook},
		webhooks + "/{endpointId}/state":  {webhooks + "/" + hook + "/state", values("state", "on"), "webhook.update", hook},
		webhooks + "/{endpointId}/test":   {webhooks + "/" + hook + "/test", nil, "webhook.test", hook},
		webhooks + "/{endpointId}/rotate": {webhooks + "/" + hook + "/rotate", nil, "webhook.rotate", hook},
		webhooks + "/{endpointId}/replay": {webhooks + "/" + hook + "/replay", nil, "webhook.replay", hook},
		webhooks + "/{endpointId}/delete": {webhooks + "/" + deletedHook + "/delete", nil, "webhook.delete", deletedHook},
		webhooks + "/{endpointId}/deliveries/{deliveryId}/replay": {webhooks + "/" + hook + "/deliveries/" + delivery +
			"/replay", nil, "webhook.replay", hook},
		members + "/{memberId}/role": {r.at("viewer", "role"), url.Values{"role": {"editor"}},
			"member.role", r.people["viewer"].member.ID},
		members + "/{memberId}/remove": {r.at("editor", "remove"), nil, "member.remove",
			r.people["editor"].member.ID},
		members + "/{memberId}/password-link": {r.at("viewer", "password-link"), nil, "member.password_link",
			r.people["viewer"].member.ID},
		members + "/invite": {members + "/invite", url.Values{"email": {"other@example.com"}, "role": {"viewer"},
			"expiresInDays": {"1"}}, "invitation.create", ""},
		members + "/invitations/{invitationId}/withdraw": {members + "/invitations/" + invitation + "/withdraw", nil,
			"invitation.revoke", invitation},
		"/dashboard/settings/organization": {"/dashboard/settings/organization", url.Values{"name": {"New name"}},
			"organization.rename", r.a.org.ID},
	}
	for _, route := range dashboard.Routes() {
		if route.Method != http.MethodPost || !strings.HasPrefix(route.Pattern, "/dashboard/settings/") {
			continue
		}
		s, ok := samples[route.Pattern]
		if !ok {
			t.Errorf("%s has no sample", route.Pattern)
			continue
		}
		before := len(r.records(r.a.org.ID))
		status, page := r.post("admin", s.path, s.form)
		after := r.records(r.a.org.ID)
		if status >= 400 || len(after) != before+1 {
			t.Errorf("%s: status %d, %d new records\n%s", route.Pattern, status, len(after)-before, page)
			continue
		}
		e := after[before]
		if e.Actor != r.people["admin"].member.ID || e.Action != s.action || s.target != "" && e.Target != s.target ||
			e.RequestID == "" || !e.Verify() {
			t.Errorf("%s is recorded as %+v", route.Pattern, e)
		}
	}
	if _, page := r.get("owner", "/dashboard/settings/audit/check"); !strings.Contains(page, "The log is intact") {
		t.Error("the log is not intact")
	}
}

// newRevocable creates a key and returns its id.
func (r *rig) newRevocable() string {
	r.t.Helper()
	_, keyID := r.newKey(r.a.org.ID, nil)
	return keyID
}

func TestMembersPageExplainsTheOnlyOwner(t *testing.T) {
	r := newRig(t)
	for who, want := range map[string]string{
		"owner":  "The only owner. Make someone else an owner before you leave or change your role.",
		"viewer": "The only owner."} {
		_, page := r.get(who, members)
		if row := rowOf(t, page, r.people["owner"].member.ID); strings.TrimSpace(row[5]) != want {
			t.Errorf("%s sees %q", who, row[5])
		}
	}
	// If there is another owner, either may leave, and only owners decide about owners.
	r.newPerson("second@example.com", r.a.org.ID, account.RoleOwner)
	_, page := r.get("owner", members)
	if got := actions(page, members+"/"+r.people["owner"].member.ID); !slices.Equal(got, []string{"/remove", "/role"}) {
		t.Errorf("one of two owners is offered %q", got)
	}
	_, page = r.get("admin", members)
	if row := rowOf(t, page,
		r.people["owner"].member.ID); strings.TrimSpace(row[5]) != "Only owners can change owners." {
		t.Errorf("an admin sees %q", row[5])
	}
}
