package dashboard_test

import (
	"html"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

// page loads a page that must exist, and returns its text as people see it.
func (r *rig) page(who, path string) string {
	r.t.Helper()
	status, body := r.get(who, path)
	if status != http.StatusOK {
		r.t.Fatalf("%s as %s: %d %.600s", path, who, status, body)
	}
	return html.UnescapeString(body)
}

// part returns the part of a page between two texts.
func part(t testing.TB, page, from, to string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, from)
	if !ok {
		t.Fatalf("no %q in %s", from, page)
	}
	out, _, _ := strings.Cut(rest, to)
	return out
}

func wants(t testing.TB, page string, list ...string) {
	t.Helper()
	for _, want := range list {
		if !strings.Contains(page, want) {
			t.Errorf("lacks %q:\n%s", want, page)
		}
	}
}

func wantsNone(t testing.TB, page string, list ...string) {
	t.Helper()
	for _, never := range list {
		if strings.Contains(page, never) {
			t.Errorf("has %q:\n%s", never, page)
		}
	}
}

// Failures and pending decisions come first, then running work, then the sites.
func TestOverviewShowsWhatNeedsAttention(t *testing.T) {
	r := newRig(t)
	soon, late := r.clock.Now().AddDate(0, 0, 3), r.clock.Now().AddDate(0, 0, 30)
	r.newKey(r.a.org.ID, func(k *account.Key) { k.Label, k.ExpiresAt = "pipeline", &soon })
	r.newKey(r.a.org.ID, func(k *account.Key) { k.Label, k.ExpiresAt = "lasting", &late })
	bad := r.newExport(r.a.folder, "")
	must(t, r.store.FailExport(t.Context(), r.startExport(bad), "The disk is full."))
	running := r.deploy(r.a.folder, deploy.Production, "")
	page := r.page("owner", "/dashboard/")
	attention := part(t, page, "Needs attention", "</section>")
	wants(t, attention, "The last update of a failed.", "The site has 1 error. Findings: 1 error.",
		"/dashboard/deployments/"+r.a.failed.ID, "The last export of folder.a.example failed.", "The disk is full.",
		"/dashboard/projects/"+r.a.project.ID+"/proposals/"+r.a.proposal.ID, "Fix links",
		"The API key pipeline expires in 3 days.")
	wantsNone(t, attention, "lasting")
	wants(t, part(t, page, "In progress", "</section>"), "Update of a folder", "/dashboard/deployments/"+running.ID,
		"Agent job on a", "Export of docs.a.example", "/dashboard/exports/"+r.a.queued.ID)
	wants(t, part(t, page, "sites-title", "</section>"), `href="http://docs.a.example:8080"`, "since", "Last update",
		"1 error", "folder.a.example", "not live yet")
	wantsNone(t, r.page("editor", "/dashboard/"), "pipeline", "/dashboard/settings/audit\">View the")
	if strings.Index(page, "Needs attention") > strings.Index(page, "In progress") ||
		strings.Index(page, "In progress") > strings.Index(page, `id="sites-title"`) {
		t.Error("wrong order")
	}
}

// The overview still works if a project is deleted while it is being rendered.
func TestOverviewToleratesDeletedProjects(t *testing.T) {
	for _, at := range []string{"/v2/agent/", "/v1/project/update-status/", "/deployments"} {
		r := newRig(t, func(p *parts) {
			p.wrap = func(api http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
					if strings.Contains(q.URL.Path, at) {
						q.URL.Path = "/v1/projects/prj_gone"
					}
					api.ServeHTTP(w, q)
				})
			}
		})
		wants(t, r.page("viewer", "/dashboard/"), "folder.a.example", "Recent activity")
	}
}

// A failure is shown only while it is the latest result of its site.
func TestFixedProblemsNeedNoAttention(t *testing.T) {
	r := newRig(t)
	wants(t, r.page("viewer", "/dashboard/"), "The last update of a failed.")
	r.publish(r.deploy(r.a.project, deploy.Production, ""))
	wantsNone(t, r.page("viewer", "/dashboard/"), "The last update of a failed.")
}

// People who may read the audit log see it in words; others see deployments and exports.
func TestRecentActivityMatchesTheRole(t *testing.T) {
	r := newRig(t)
	if status, _ := r.post("editor", "/dashboard/projects/"+r.a.project.ID+"/rollback",
		map[string][]string{"deployment": {r.a.older.ID}}); status != http.StatusSeeOther {
		t.Fatal(status)
	}
	wants(t, part(t, r.page("admin", "/dashboard/"), `id="recent-title"`, "</section>"), "editor@example.com", "rolled",
		"View the audit log")
	recent := part(t, r.page("editor", "/dashboard/"), `id="recent-title"`, "</section>")
	wants(t, recent, "Update of a: published, 3 pages", "Update of a: failed",
		"Preview of a, branch words: published, 3 pages", "Export of docs.a.example: completed")
	wantsNone(t, recent, "rolled", "audit")
}

// A new organization sees its first steps until all of them are done; finished ones are removed.
func TestFirstStepsDisappearWhenDone(t *testing.T) {
	r := newRig(t)
	fresh := r.newOrganization("fresh", account.PlanEnterprise)
	r.people["fresh"] = r.newPerson("fresh@example.com", fresh.ID, account.RoleOwner)
	left := func() string { return part(t, r.page("fresh", "/dashboard/"), "First steps: ", " to go") }
	wants(t, r.page("fresh", "/dashboard/"), "First steps: 5 to go", "No sites yet",
		`href="/dashboard/settings/keys">Create an API key`, `href="/dashboard/projects/new">Add a project`,
		"Export a site", "Let an agent fix something", "Invite a colleague", "Nothing has happened yet")
	// Objects created by the first start do not count as a person's step.
	r.newKey(fresh.ID, nil)
	r.newProject(fresh.ID, "built-in", project.Source{Repository: project.BuiltIn})
	if got := left(); got != "5" {
		t.Errorf("%s steps to go, want 5", got)
	}
	if status, body := r.post("fresh", "/dashboard/settings/keys",
		map[string][]string{"label": {"ci"}, "scopes": {"read"}, "expiresInDays": {"30"}}); status != http.StatusOK {
		t.Fatal(status, body)
	}
	p := r.newProject(fresh.ID, "real", project.Source{Repository: "https://git.example.com/x.git"})
	if got := left(); got != "3" {
		t.Errorf("%s steps to go, want 3", got)
	}
	r.newExport(p, "")
	if status, body := r.post("fresh", "/dashboard/projects/"+p.ID+"/agent",
		map[string][]string{"prompt": {"Fix it."}}); status != http.StatusSeeOther {
		t.Fatal(status, body)
	}
	if got := left(); got != "1" {
		t.Errorf("%s steps to go, want 1", got)
	}
	r.people["colleague"] = r.newPerson("colleague@example.com", fresh.ID, account.RoleViewer)
	wantsNone(t, r.page("fresh", "/dashboard/"), "First steps")
	wantsNone(t, r.page("colleague", "/dashboard/"), "First steps", "Add a project")
}

// An organization whose plan does not include static exports is not asked to create one.
func TestFirstStepsDependOnThePlan(t *testing.T) {
	r := newRig(t)
	free := r.newOrganization("free", account.PlanFree)
	r.people["free"] = r.newPerson("free@example.com", free.ID, account.RoleOwner)
	page := r.page("free", "/dashboard/")
	wants(t, page, "First steps: 4 to go")
	wantsNone(t, page, "Export a site")
}

// newProject stores a project with the domain name.example.
func (r *rig) newProject(organizationID, name string, source project.Source) (p project.Project) {
	r.t.Helper()
	must(r.t, r.store.Tx(r.t.Context(), func(tx *store.Tx) (err error) {
		p, err = tx.CreateProject(r.t.Context(), project.Project{OrganizationID: organizationID, Name: name,
			Domains: []string{name + ".example"}, Source: source})
		return err
	}))
	return p
}
