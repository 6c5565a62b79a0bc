package dashboard_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/store"
)

// dump returns the contents of the database, except for the times when sessions were last used.
func (r *rig) dump() string {
	r.t.Helper()
	var out strings.Builder
	db := r.store.SQLite()
	names,
		err := db.Query(
		`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'sessions' ORDER BY name`)
	must(r.t, err)
	var tables []string
	for names.Next() {
		var n string
		must(r.t, names.Scan(&n))
		tables = append(tables, n)
	}
	must(r.t, names.Err())
	for _, table := range tables {
		rows, err := db.Query(`SELECT * FROM "` + table + `" ORDER BY 1, 2`)
		must(r.t, err)
		columns, err := rows.Columns()
		must(r.t, err)
		for rows.Next() {
			cells := make([]any, len(columns))
			for i := range cells {
				cells[i] = new(any)
			}
			must(r.t, rows.Scan(cells...))
			out.WriteString(table)
			for _, c := range cells {
				fmt.Fprintf(&out, "|%v", *c.(*any))
			}
			out.WriteString("\n")
		}
		must(r.t, rows.Err())
	}
	return out.String()
}

// An insufficient role is refused on every page and form, and nothing changes.
func TestInsufficientRolesAreRefusedEverywhere(t *testing.T) {
	r := newRig(t)
	s, before, walked := newSamples(r), "", 0
	before = r.dump()
	for _, rt := range dashboard.Routes() {
		for _, role := range account.Roles()[:4] { // guests are tested below
			if rt.Public || rt.Role == "" || role.AtLeast(rt.Role) {
				continue
			}
			walked++
			status, body := s.ask(string(role), rt)
			if status != http.StatusForbidden || !strings.Contains(body, "This requires the role "+string(rt.Role)) {
				t.Errorf("%s %s as %s: %d", rt.Method, rt.Pattern, role, status)
			}
		}
	}
	if after := r.dump(); after != before {
		t.Errorf("something changed:\n%s", difference(before, after))
	}
	if walked < 40 {
		t.Errorf("only %d refusals were tested", walked)
	}
}

// The same requests succeed with a sufficient role. If they did not, the test above would prove nothing.
func TestSufficientRolesAreNotRefused(t *testing.T) {
	reader := newSamples(newRig(t))
	for _, rt := range dashboard.Routes() {
		if rt.Public || rt.Role == "" || rt.Pattern == "/dashboard/live" {
			continue
		}
		t.Run(rt.Method+" "+strings.ReplaceAll(rt.Pattern, "/", " "), func(t *testing.T) {
			s := reader
			if rt.Method == http.MethodPost { // a form changes things
				s = newSamples(newRig(t))
			}
			who := string(rt.Role)
			if rt.Role == account.RoleGuest {
				who = s.r.newGuest("guest", account.RoleGuest, "", "")
			}
			status, body := s.ask(who, rt)
			switch {
			case rt.Pattern == "/dashboard/settings/members/{memberId}/remove": // a viewer may remove only themself
				if status != http.StatusForbidden {
					t.Errorf("%d %s", status, body)
				}
			case strings.Contains(rt.Pattern, "/password-link"), strings.HasSuffix(rt.Pattern, "{proposalId}/merge"),
				strings.HasSuffix(rt.Pattern, "{projectId}/webhook"): // no password; the branch is in no repository; no credential
				if status == http.StatusForbidden || status >= 500 {
					t.Errorf("%d %s", status, body)
				}
			case status != http.StatusOK && status != http.StatusSeeOther:
				t.Errorf("%d %s", status, body)
			}
		})
	}
}

// Ids of another organization are reported as not found on every page and form, and nothing changes.
func TestIDsOfOtherOrganizationsAreNotFound(t *testing.T) {
	r := newRig(t)
	s := newSamples(r)
	before := r.dump()
	for _, rt := range dashboard.Routes() {
		if rt.Public || !place.MatchString(rt.Pattern) {
			continue
		}
		status, body := s.ask("foreign", rt)
		if status != http.StatusNotFound {
			t.Errorf("%s %s: %d %.300s", rt.Method, rt.Pattern, status, body)
		}
		if strings.Contains(body, "docs.a.example") || strings.Contains(body, "viewer@example.com") ||
			strings.Contains(body, "Fix broken links") {
			t.Errorf("%s %s reveals the other organization", rt.Method, rt.Pattern)
		}
	}
	if after := r.dump(); after != before {
		t.Errorf("something changed:\n%s", difference(before, after))
	}
}

// newGuest signs in a person who has a role in the organization and perhaps one in a project.
func (r *rig) newGuest(name string, role account.Role, projectID string, inProject account.Role) string {
	r.t.Helper()
	if r.people[name] != nil {
		return name
	}
	p := r.newPerson(name+"@guests.example.com", r.a.org.ID, role)
	r.people[name] = p
	if projectID != "" {
		must(r.t, r.store.Tx(r.t.Context(), func(tx *store.Tx) error {
			return tx.SetProjectRole(r.t.Context(), p.member.ID, projectID, inProject)
		}))
	}
	return name
}

// overProjects matches the patterns of pages and forms that concern several projects, or one that is not in the path.
var overProjects = regexp.MustCompile(`^/dashboard/(\{\$\}|live|projects|agent|analytics|exports.*|deployments/.*|proposals/.*)$`)

// A8: every page and form checks the role in the project: for a guest without a project, a guest with a role in a
// different project, a guest with a role in its project, and a viewer of the organization with a stronger role in the
// project.
func TestEveryRouteChecksTheRoleInTheProject(t *testing.T) {
	r := newRig(t)
	s, project, other := newSamples(r), r.a.project.ID, r.a.folder.ID
	nowhere, elsewhere := r.newGuest("nowhere", "guest", "", ""), r.newGuest("elsewhere", "guest", other, "admin")
	reader, editor := r.newGuest("reader", "guest", project, "viewer"), r.newGuest("writer", "viewer", project, "editor")
	before := r.dump()
	for _, rt := range dashboard.Routes() {
		if rt.Public || rt.Role == "" || rt.Pattern == "/dashboard/live" {
			continue
		}
		at, over := strings.Contains(rt.Pattern, "{projectId}"), overProjects.MatchString(rt.Pattern) &&
			!(rt.Method == http.MethodPost && rt.Pattern == "/dashboard/projects")
		named := place.MatchString(rt.Pattern)
		for _, who := range []string{nowhere, elsewhere, reader} {
			status, body := s.ask(who, rt)
			role := account.RoleGuest
			if who == reader && at {
				role = account.RoleViewer
			}
			want := []int{http.StatusForbidden}
			switch {
			case who != reader && at, who != reader && over && named && rt.Role == account.RoleViewer,
				who == elsewhere && over && rt.Role == account.RoleEditor:
				want = []int{http.StatusNotFound}
			case over && rt.Role == account.RoleViewer, role.AtLeast(rt.Role) && !strings.HasSuffix(rt.Pattern, "/remove"),
				role.AtLeast(rt.Role) && rt.Method == http.MethodGet:
				want = []int{http.StatusOK, http.StatusSeeOther}
			}
			if !slices.Contains(want, status) {
				t.Errorf("%s %s as %s: %d, want %v: %.300s", rt.Method, rt.Pattern, who, status, want, body)
			}
			if who != reader && (strings.Contains(body, "docs.a.example") || strings.Contains(body, "Fix broken links")) ||
				strings.Contains(body, "viewer@example.com") {
				t.Errorf("%s %s reveals to %s what they may not see", rt.Method, rt.Pattern, who)
			}
		}
	}
	if after := r.dump(); after != before {
		t.Errorf("something changed:\n%s", difference(before, after))
	}
	for _, rt := range dashboard.Routes() {
		if rt.Public || !strings.Contains(rt.Pattern, "{projectId}") {
			continue
		}
		status, body := s.ask(editor, rt)
		if refused := status == http.StatusForbidden; refused != (rt.Role == account.RoleAdmin) || status == http.StatusNotFound {
			t.Errorf("%s %s as editor of the project: %d %.200s", rt.Method, rt.Pattern, status, body)
		}
	}
}

// Guests can leave the organization although they cannot open the members page.
func TestGuestLeavesTheOrganization(t *testing.T) {
	r := newRig(t)
	who := r.newGuest("guest", account.RoleGuest, r.a.project.ID, account.RoleEditor)
	leave := "/dashboard/settings/members/" + r.people[who].member.ID + "/remove"
	if page := r.page(who, "/dashboard/settings/organization"); !strings.Contains(page, leave) {
		t.Errorf("no way to leave: %s", page)
	}
	if status, to := r.post(who, leave, nil); status != http.StatusSeeOther || !strings.HasPrefix(to, "/dashboard/sign-in") {
		t.Errorf("%d %s", status, to)
	}
	if status, _ := r.get(who, "/dashboard/projects"); status == http.StatusOK {
		t.Error("the session still works")
	}
}

// A project's admin adds, changes and removes roles in its settings, and gets no form for its source.
func TestProjectSettingsManageRoles(t *testing.T) {
	r := newRig(t)
	chief := r.newGuest("chief", account.RoleViewer, r.a.project.ID, account.RoleAdmin)
	at, editor := "/dashboard/projects/"+r.a.project.ID, r.people["editor"].member
	page := r.page(chief, at+"/settings")
	if !strings.Contains(page, `<option value="`+editor.ID+`">`) || strings.Contains(page, `name="source.repository"`) {
		t.Errorf("%s", page)
	}
	form := url.Values{"member": {editor.ID}, "role": {"admin"}}
	if status, to := r.post(chief, at+"/members", form); status != http.StatusSeeOther ||
		!strings.HasPrefix(to, at+"/settings") {
		t.Errorf("%d %s", status, to)
	}
	if page = r.page(chief, at+"/settings"); !strings.Contains(page, `<tr id="`+editor.ID) {
		t.Errorf("%s", page)
	}
	if list := r.page("viewer", "/dashboard/settings/members"); !strings.Contains(list, "admin in <a href=\""+at+"\">a</a>") {
		t.Errorf("%s", list)
	}
	form.Set("role", "owner")
	if status, page := r.post(chief, at+"/members", form); status != http.StatusBadRequest ||
		!strings.Contains(page, "Unknown project role") {
		t.Errorf("%d %s", status, page)
	}
	settings := url.Values{"name": {"Other"}, "domains": {r.a.project.Domains[0]}}
	if status, to := r.post(chief, at+"/settings", settings); status != http.StatusSeeOther {
		t.Errorf("%d %s", status, to)
	}
	if status, to := r.post(chief, at+"/members/"+editor.ID+"/remove", nil); status != http.StatusSeeOther {
		t.Errorf("%d %s", status, to)
	}
	if page = r.page(chief, at+"/settings"); strings.Contains(page, `<tr id="`+editor.ID) {
		t.Errorf("%s", page)
	}
}

// The members page can invite a guest to one project.
func TestMembersPageInvitesGuestToProject(t *testing.T) {
	r := newRig(t)
	form := url.Values{"email": {"contractor@example.com"}, "role": {"guest"}, "expiresInDays": {"7"},
		"project": {r.a.project.ID}, "projectRole": {"editor"}}
	status, page := r.post("owner", "/dashboard/settings/members/invite", form)
	if status != http.StatusOK || !strings.Contains(page, "and editor in a</span>") {
		t.Errorf("%d %s", status, page)
	}
}

// difference returns the lines that only one of two texts contains.
func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out []string
	for _, line := range y {
		if !slices.Contains(x, line) {
			out = append(out, "+"+line)
		}
	}
	for _, line := range x {
		if !slices.Contains(y, line) {
			out = append(out, "-"+line)
		}
	}
	return strings.Join(out, "\n")
}
