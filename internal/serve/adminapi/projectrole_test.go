package adminapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// placed is a member with one role in the organization and one in a project.
type placed struct {
	inOrganization, inProject account.Role
	here                      bool // whether the project is the sample's or another one
}

func (p placed) String() string {
	at := "elsewhere"
	if p.here {
		at = "here"
	}
	return fmt.Sprintf("a %s with %q %s", p.inOrganization, p.inProject, at)
}

// role returns the member's effective role in the sample's project; "" = must not learn that it exists.
func (p placed) role() account.Role {
	role := p.inOrganization
	if p.here && p.inProject.AtLeast(role) {
		role = p.inProject
	}
	if role == account.RoleGuest {
		return ""
	}
	return role
}

// weakestFirst lists the members that call every operation, those with the fewest permissions first, because
// operations change the resources that they act on.
var weakestFirst = []placed{
	{"guest", "", true}, {"guest", "admin", false}, {"guest", "viewer", true}, {"viewer", "admin", false},
	{"viewer", "editor", true}, {"guest", "editor", true}, {"guest", "admin", true}, {"admin", "viewer", true},
}

// lists are the operations that return resources of several projects.
var lists = []string{"listProjects", "listDomains", "listStaticExportJobs"}

// ofProject reports whether a route is about one project, judging by its path or its sample's body.
func ofProject(r adminapi.Route) bool {
	return r.OperationID == "startStaticExportJob" || slices.ContainsFunc(
		[]string{"{projectId}", "{jobId}", "{statusId}", "{domain}"},
		func(part string) bool { return strings.Contains(r.Pattern, part) })
}

func (w *world) place(t *testing.T, x tenant, p placed, sampled, other string) account.Member {
	t.Helper()
	m := account.Member{}
	ctx := t.Context()
	must(t, w.store.Tx(ctx, func(tx *store.Tx) (err error) {
		if m, err = tx.AddMember(ctx, x.org.ID, w.ids.New(id.Member)+"@example.com", p.inOrganization); err != nil ||
			p.inProject == "" {
			return err
		}
		at := sampled
		if !p.here {
			at = other
		}
		return tx.SetProjectRole(ctx, m.ID, at, p.inProject)
	}))
	return m
}

// A8: every operation × members with roles in the organization, in the project concerned and in another one. In a
// project, the stronger of the two roles applies. For a guest without access, a project looks like one that does not
// exist; operations on the organization ignore project roles.
func TestEveryRouteChecksProjectRole(t *testing.T) {
	for _, r := range adminapi.Routes() {
		if r.Scope == "" {
			continue
		}
		t.Run(r.OperationID, func(t *testing.T) {
			s := samples[r.OperationID]
			w, x := newWorldOf(t, account.PlanEnterprise, nil)
			ask := s.ask(x).by(r, "")
			sampled, other := x.project.ID, x.folder.ID
			if strings.Contains(ask.path, ".test") {
				sampled, other = other, sampled
			}
			var members []account.Member
			for _, p := range weakestFirst {
				members = append(members, w.place(t, x, p, sampled, other))
			}
			done := false
			for i, p := range weakestFirst {
				m := members[i]
				got := w.do(t, ask.as(m))
				switch {
				case slices.Contains(lists, r.OperationID):
					checkList(t, p, got.want(t, 200), x)
				case ofProject(r) && p.role() == "":
					unknown := w.do(t, s.ask(nobody(w)).by(r, "").as(m)).want(t, 404)
					if got.want(t, 404).alike(t) != unknown.alike(t) {
						t.Errorf("%s: %s, unknown: %s", p, got.body, unknown.body)
					}
				default:
					has := p.role()
					if !ofProject(r) {
						has = p.inOrganization
					}
					if need := leastRole(r); !has.AtLeast(need) {
						if got.status != 403 || got.code(t) != "role_required" ||
							!strings.Contains(string(got.body), "the role "+string(need)+"; your role is "+string(has)) {
							t.Errorf("%s, where %s is needed: %d %s", p, need, got.status, got.body)
						}
					} else if !done {
						got.want(t, s.ok)
						done = true
					} else if got.status == 403 {
						t.Errorf("%s is refused: %s", p, got.body)
					}
				}
			}
		})
	}
}

// checkList checks which entries of the tenant's two projects, and of no project, are in a list.
func checkList(t *testing.T, p placed, got reply, x tenant) {
	t.Helper()
	all, own := p.inOrganization != account.RoleGuest, p.inProject != ""
	body := string(got.body)
	for _, c := range []struct {
		marks []string
		may   bool
	}{{[]string{x.project.ID, `"docs.` + x.org.Name + `.example"`, x.done.ID, x.queued.ID}, all || own && p.here},
		{[]string{x.folder.ID, "folder." + x.org.Name}, all || own && !p.here}} {
		for _, mark := range c.marks {
			if strings.Contains(body, mark) && !c.may {
				t.Errorf("%s sees %s", p, mark)
			}
		}
	}
	if (all || own && p.here) && !strings.Contains(body, x.org.Name+".") {
		t.Errorf("%s sees nothing: %s", p, body)
	}
}

// A guest's lists have full pages, without gaps where other projects' entries are left out.
func TestGuestListsAreFilteredAndPaged(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	m := w.place(t, x, placed{"guest", "viewer", true}, x.folder.ID, "")
	ctx := t.Context()
	must(t, w.store.Tx(ctx, func(tx *store.Tx) error {
		for _, projectID := range []string{x.folder.ID, x.project.ID, x.folder.ID} {
			if _, err := tx.CreateExport(ctx, export.Job{OrganizationID: x.org.ID, ProjectID: projectID,
				Domain: "d.example"}); err != nil {
				return err
			}
		}
		return nil
	}))
	cursor, n := "", 0
	for range 4 {
		got := read[struct {
			Jobs       []struct{ JobID string }
			NextCursor *string
		}](t, w.do(t, ask{"GET", "/v1/static-export/jobs?limit=1&cursor=" + cursor, "", "", nil}.as(m)).want(t, 200))
		n += len(got.Jobs)
		if got.NextCursor == nil {
			break
		}
		cursor = *got.NextCursor
	}
	if n != 2 {
		t.Errorf("%d exports, want those of one project", n)
	}
}

// A guest cannot use another caller's Idempotency-Key to get that caller's response.
func TestGuestCannotReplayAnotherCallersResponse(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	start := ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"` + x.project.Domains[0] + `"}`,
		map[string]string{"Idempotency-Key": "once"}}
	w.do(t, start).want(t, 202)
	guest := w.place(t, x, placed{"guest", "editor", false}, "", x.folder.ID)
	if got := w.do(t, start.as(guest)).want(t, 404); got.code(t) != "unknown_domain" {
		t.Errorf("%s", got.body)
	}
	viewer := w.place(t, x, placed{"viewer", "", false}, "", "")
	if got := w.do(t, start.as(viewer)).want(t, 403); got.code(t) != "role_required" {
		t.Errorf("%s", got.body)
	}
}

// A project's admin can grant, change and remove roles in the project, each with an audit record, but can change
// nothing in the organization.
func TestProjectAdminManagesProjectRoles(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	chief := w.place(t, x, placed{"guest", "admin", true}, x.project.ID, "")
	guest, at := x.members["guest"], "/v1/projects/"+x.project.ID+"/members/"
	event := func(action string, data map[string]string) {
		t.Helper()
		got, actor, target, has := w.lastEvent(t, x.org.ID)
		if got != action || actor != chief.ID || target != x.project.ID || has["member"] != guest.ID ||
			has["email"] != guest.Email {
			t.Errorf("%s %s %s %v", got, actor, target, has)
		}
		for name, want := range data {
			if has[name] != want {
				t.Errorf("%s: %v", name, has)
			}
		}
	}
	set := func(role string) reply {
		return w.do(t, ask{"PUT", at + guest.ID, "", `{"role":"` + role + `"}`, nil}.as(chief))
	}
	w.do(t, ask{"GET", "/v1/projects/" + x.project.ID, "", "", nil}.as(guest)).want(t, 404)
	if got := set("viewer").want(t, 200).object(t); got["role"] != "viewer" || got["organizationRole"] != "guest" {
		t.Errorf("%v", got)
	}
	event("project.role_give", map[string]string{"role": "viewer"})
	w.do(t, ask{"GET", "/v1/projects/" + x.project.ID, "", "", nil}.as(guest)).want(t, 200)
	set("editor").want(t, 200)
	event("project.role_change", map[string]string{"before": "viewer", "after": "editor"})
	for _, wrong := range []string{"owner", "guest", ""} {
		if got := set(wrong).want(t, 400); !strings.Contains(string(got.body), `"field":"role"`) {
			t.Errorf("%s", got.body)
		}
	}
	type shown struct{ MemberID, Role, OrganizationRole string }
	list := read[struct{ Members []shown }](t, w.do(t, ask{"GET", strings.TrimSuffix(at, "/"), "", "", nil}.as(chief)).want(t, 200))
	if len(list.Members) != 3 || !slices.Contains(list.Members, shown{guest.ID, "editor", "guest"}) ||
		!slices.Contains(list.Members, shown{chief.ID, "admin", "guest"}) {
		t.Errorf("%+v", list)
	}
	w.do(t, ask{"DELETE", at + guest.ID, "", "", nil}.as(chief)).want(t, 204)
	event("project.role_remove", map[string]string{"role": "editor"})
	w.do(t, ask{"GET", "/v1/projects/" + x.project.ID, "", "", nil}.as(guest)).want(t, 404)
	if got := w.do(t, ask{"PUT", at + w.ids.New(id.Member), "", `{"role":"viewer"}`, nil}.as(chief)).want(t, 404); got.
		code(t) != "unknown_member" {
		t.Errorf("%s", got.body)
	}
	w.do(t, ask{"PATCH", "/v1/members/" + guest.ID, "", `{"role":"viewer"}`, nil}.as(chief)).want(t, 403)
	// The organization's member list shows who has which role in which project.
	all := string(w.do(t, ask{"GET", "/v1/members", x.key, "", nil}).want(t, 200).body)
	if !strings.Contains(all, `"projects":[{"projectId":"`+x.project.ID+`","role":"admin"}]`) {
		t.Errorf("%s", all)
	}
}

// If a new source uses the organization's credentials or folders, its files could belong to another project.
func TestProjectAdminCannotChangeSource(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	chief, at := w.place(t, x, placed{"viewer", "admin", true}, x.project.ID, ""), "/v1/projects/"+x.project.ID
	same := `{"repository":"https://git.example.com/a/docs.git","branch":"main","credential":"docs-bot"}`
	w.do(t, ask{"PATCH", at, "", `{"name":"Other","source":` + same + `}`, nil}.as(chief)).want(t, 200)
	for _, other := range []string{
		`{"repository":"https://git.example.com/a/secret.git","branch":"main","credential":"docs-bot"}`,
		`{"repository":"https://git.example.com/a/docs.git","branch":"main","credential":"other"}`} {
		got := w.do(t, ask{"PATCH", at, "", `{"source":` + other + `}`, nil}.as(chief)).want(t, 403)
		if got.code(t) != "role_required" || !strings.Contains(string(got.body), `"field":"source"`) {
			t.Errorf("%s", got.body)
		}
	}
	w.do(t, ask{"PATCH", at, "", `{"source":{"repository":"https://git.example.com/a/secret.git","branch":"main"}}`,
		nil}.as(x.members["admin"])).want(t, 200)
}

// A key cannot grant a project role with more permissions than its own.
func TestKeyCannotGrantStrongerProjectRole(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	key, _ := w.newKey(t, x.org.ID,
		func(k *account.Key) { k.Scopes = []account.Scope{account.ScopeAdmin, account.ScopeRead} })
	at := "/v1/projects/" + x.project.ID + "/members/" + x.members["guest"].ID
	w.do(t, ask{"PUT", at, key, `{"role":"viewer"}`, nil}).want(t, 200)
	if got := w.do(t, ask{"PUT", at, key, `{"role":"editor"}`, nil}).want(t, 403); got.code(t) != "scope_required" {
		t.Errorf("%s", got.body)
	}
	w.do(t, ask{"DELETE", at, key, "", nil}).want(t, 204)
}

// A guest's stream ends when their role in the project is removed.
func TestGuestStreamEndsWithProjectRole(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	guest := w.place(t, x, placed{"guest", "viewer", true}, x.project.ID, "")
	req, err := http.NewRequestWithContext(t.Context(), "GET",
		w.server.URL+"/v1/static-export/jobs/"+x.queued.ID+"/events", nil)
	must(t, err)
	req.Header.Set(memberHeader, x.org.ID+" "+guest.ID)
	res, err := w.server.Client().Do(req)
	must(t, err)
	defer res.Body.Close()
	r := bufio.NewReader(res.Body)
	if name, _ := nextEvent(t, r); name != "progress" {
		t.Fatal(name)
	}
	must(t, w.store.Tx(t.Context(),
		func(tx *store.Tx) error { return tx.RemoveProjectRole(t.Context(), guest.ID, x.project.ID) }))
	if _, err := io.ReadAll(r); err != nil { // returns only when the server ends the stream
		t.Fatal(err)
	}
}

// An invitation can include a role in a project of the same organization.
func TestInvitationCanIncludeProjectRole(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	other := w.newTenant(t, "b", account.PlanEnterprise)
	invite := func(projectID, role string) reply {
		return w.do(t, ask{"POST", "/v1/invitations", x.key,
			`{"email":"new@example.com","role":"guest","project":{"projectId":"` + projectID + `","role":"` + role + `"}}`,
			nil})
	}
	got := invite(x.project.ID, "editor").want(t, 201)
	if !strings.Contains(string(got.body), `"project":{"projectId":"`+x.project.ID+`","role":"editor"}`) {
		t.Errorf("%s", got.body)
	}
	if _, _, _, data := w.lastEvent(t, x.org.ID); data["project"] != x.project.ID || data["projectRole"] != "editor" {
		t.Errorf("%v", data)
	}
	invite(x.project.ID, "owner").want(t, 400)
	if got := invite(other.project.ID, "viewer").want(t, 404); !strings.Contains(string(got.body),
		`"field":"project.projectId"`) {
		t.Errorf("%s", got.body)
	}
}
