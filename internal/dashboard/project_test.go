package dashboard_test

import (
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

// values returns a form with pairs of names and values.
func values(pairs ...string) url.Values {
	out := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		out.Add(pairs[i], pairs[i+1])
	}
	return out
}

func TestProjectsAreListedWithTheirState(t *testing.T) {
	r := newRig(t)
	page := r.page("viewer", "/dashboard/projects")
	wants(t, page, `href="/dashboard/projects/`+r.a.project.ID+`"`, `href="http://docs.a.example:8080"`,
		"https://git.example.com/a/docs.git", "failure", "not live yet", "none yet")
	wantsNone(t, page, "docs.b.example", "/dashboard/projects/new")
	wants(t, r.page("admin", "/dashboard/projects"), `href="/dashboard/projects/new"`)
	r.clock.Advance(time.Second)
	for range 20 {
		r.newProject(r.a.org.ID, "p"+strings.ToLower(r.ids.New("")), project.Source{Path: "/srv/docs"})
	}
	page = r.page("viewer", "/dashboard/projects")
	older := part(t, page, `rel="next" href="`, `"`)
	wants(t, r.page("viewer", "/dashboard/projects"+older), "docs.a.example", "folder.a.example")
	if status, body := r.get("viewer", "/dashboard/projects?cursor=nonsense"); status != http.StatusBadRequest ||
		!strings.Contains(body, "cursor") {
		t.Errorf("%d %s", status, body)
	}
}

// K2: submitting the form creates the project and starts its first update; only the response shows the webhook's
// secret.
func TestProjectIsAddedByForm(t *testing.T) {
	r := newRig(t)
	wants(t, r.page("admin", "/dashboard/projects/new"), `name="source.repository"`, `name="source.path"`,
		"curl -X POST "+r.server.URL+"/v1/projects")
	form := values("name", "New docs", "domain", "NEW.a.example", "kind", "git", "source.repository",
		"https://github.com/team/docs.git", "source.branch", "main",
		"source.credential", "docs-bot", "docsFolder", "docs", "source.path", "/left/over")
	status, body := r.post("admin", "/dashboard/projects", form)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	p, err := r.store.FindProjectByDomain(t.Context(), "new.a.example")
	must(t, err)
	want := project.Source{Repository: "https://github.com/team/docs.git", Branch: "main", Credential: "docs-bot"}
	if p.Name != "New docs" || p.Source != want || p.DocsFolder != "docs" || p.OrganizationID != r.a.org.ID {
		t.Errorf("%+v", p)
	}
	last, err := r.store.FindLastDeployment(t.Context(), p.ID)
	must(t, err)
	secret := project.HookSecret(master, p.ID, p.HookVersion)
	wants(t, html.UnescapeString(body), secret, r.server.URL+"/v1/webhook/"+p.ID, "/dashboard/deployments/"+last.ID,
		`<details open><summary>GitHub</summary>`, "<details><summary>GitLab</summary>", p.ID)
	r.wantKeptSecret(t, secret)
	all := r.auditEvents(r.a.org.ID)
	if !slices.Contains(all, r.people["admin"].member.ID+" project.create "+p.ID) {
		t.Errorf("%q", all)
	}
}

// A refused form is shown again with its input, and errors are shown at their fields.
func TestRefusedProjectKeepsTheFormInput(t *testing.T) {
	r := newRig(t, func(p *parts) { p.API.LocalSource = nil })
	before := len(r.auditEvents(r.a.org.ID))
	base := func(pairs ...string) url.Values {
		f := values("name", "It's <b>new</b>", "domain", "new.a.example", "kind", "git", "source.repository",
			"https://github.com/team/docs.git")
		for i := 0; i < len(pairs); i += 2 {
			f.Set(pairs[i], pairs[i+1])
		}
		return f
	}
	for name, c := range map[string]struct {
		form   url.Values
		status int
		field  string
		says   string
	}{
		"no name":          {base("name", " "), 400, "name", "name"},
		"no host name":     {base("domain", "https://docs.example.com/"), 400, "domain", "without scheme"},
		"another's domain": {base("domain", "docs.b.example"), 409, "domain", "docs.b.example"},
		"the server's own": {base("domain", "x.preview.localhost"), 400, "domain", "belongs to this server"},
		"no repository":    {base("source.repository", ""), 400, "source", "repository"},
		"odd repository":   {base("source.repository", "ext::sh -c id"), 400, "source.repository", "repository"},
		"contains a password": {base("source.repository", "https://u:p@github.com/x.git"), 400, "source.repository",
			"repository"},
		"odd branch":        {base("source.branch", "-x"), 400, "source.branch", "branch"},
		"odd credential":    {base("source.credential", "A secret!"), 400, "source.credential", "credential"},
		"local sources off": {base("kind", "folder", "source.path", "/etc"), 400, "source.path", "sources.local"},
		"a folder outside":  {base("docsFolder", "../x"), 400, "docsFolder", "folder"},
	} {
		status, raw := r.post("admin", "/dashboard/projects", c.form)
		if status != c.status {
			t.Errorf("%s: %d, want %d: %s", name, status, c.status, raw)
			continue
		}
		if strings.Contains(raw, "<b>new") || strings.Contains(raw, "data-live ") ||
			strings.Contains(raw, "<body data-live") {
			t.Errorf("%s: hostile text, or a page that follows the form's address", name)
		}
		page := html.UnescapeString(raw)
		wants(t, page, `role="alert"`, c.says, `value="`+strings.TrimSpace(c.form.Get("name"))+`"`,
			`value="`+c.form.Get("domain")+`"`, `value="`+c.form.Get("source.repository")+`"`)
		if c.field != "source" {
			wants(t, page, `id="f-`+c.field+`-error"`, `f-`+c.field+`-error" aria-invalid="true"`)
		}
		if c.form.Get("kind") == "folder" {
			wants(t, page, `value="folder" checked`)
		}
	}
	if after := len(r.auditEvents(r.a.org.ID)); after != before {
		t.Errorf("%d new records", after-before)
	}
}

// The dashboard responds with the API's error status. The body of an unexpected error is not shown, and the error is
// logged at level ERROR.
func TestAPIErrorsKeepTheirStatusAndHideInternals(t *testing.T) {
	r := newRig(t, func(p *parts) { p.API.RateLimit = 1 })
	if status, _ := r.get("viewer", "/dashboard/projects"); status != http.StatusOK {
		t.Fatal(status)
	}
	if status, body := r.get("viewer", "/dashboard/projects"); status != http.StatusTooManyRequests ||
		!strings.Contains(body, "<h1>") {
		t.Errorf("%d %s", status, body)
	}
	broken := newRig(t, func(p *parts) {
		p.wrap = func(api http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				if strings.HasPrefix(q.URL.Path, "/v1/projects") {
					http.Error(w, "secret of the inside", http.StatusBadGateway)
					return
				}
				api.ServeHTTP(w, q)
			})
		}
	})
	status, body := broken.get("viewer", "/dashboard/projects")
	if status != http.StatusBadGateway || strings.Contains(body, "secret of the inside") ||
		!strings.Contains(broken.log.String(), "level=ERROR") {
		t.Errorf("%d %s", status, body)
	}
}

func TestProjectPageShowsTheLiveDeployment(t *testing.T) {
	r := newRig(t)
	page := r.page("editor", "/dashboard/projects/"+r.a.project.ID)
	wants(t, page, "The last update failed: The site has 1 error.", "Readers still see the previous version",
		`href="http://docs.a.example:8080"`, "/dashboard/deployments/"+r.a.live.ID, r.a.project.ID,
		"Update now", "Preview a branch", "/dashboard/exports?domain=docs.a.example", "/dashboard/projects/"+
			r.a.project.ID+"/agent", `aria-current="page">Overview`, "by the API",
		"curl -X POST "+r.server.URL+"/v1/project/update/"+r.a.project.ID)
	wantsNone(t, page, ">Settings</a>")
	viewed := r.page("viewer", "/dashboard/projects/"+r.a.project.ID)
	wantsNone(t, viewed, "Update now", "Preview a branch", ">Settings</a>")
	wants(t, r.page("admin", "/dashboard/projects/"+r.a.project.ID), ">Settings</a>")
	wants(t, r.page("viewer", "/dashboard/projects/"+r.a.folder.ID), "nothing is published yet",
		"Nothing has been published yet.", r.a.folder.Source.Path)
}

// The settings form saves only changed fields, so that the audit log lists only the changed ones.
func TestSettingsFormSavesOnlyChanges(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.project.ID + "/settings"
	form := func(pairs ...string) url.Values {
		f := values("name", "a", "domains", "docs.a.example", "kind", "git", "source.repository",
			"https://git.example.com/a/docs.git", "source.branch", "main")
		for i := 0; i < len(pairs); i += 2 {
			f.Set(pairs[i], pairs[i+1])
		}
		return f
	}
	for _, c := range []struct {
		form   url.Values
		fields string // fields in the audit record; "" = no record
	}{
		{form(), ""},
		{form("name", "Renamed"), "name"},
		{form("name", "Renamed", "domains", " help.a.example\r\n\r\ndocs.a.example\r\n"), "domains"},
		{form("name", "Renamed", "domains", "help.a.example\ndocs.a.example", "docsFolder", "docs"), "docsFolder"},
		{form("name", "Renamed", "domains", "help.a.example\ndocs.a.example", "docsFolder", "docs", "kind", "folder",
			"source.path", "/srv/docs"), "source"},
	} {
		before := r.records(r.a.org.ID)
		status, to := r.post("admin", path, c.form)
		if want := map[bool]string{true: path + "?did=nothing-changed",
			false: path + "?did=project-saved"}[c.fields == ""]; status != http.StatusSeeOther || to != want {
			t.Fatalf("%v: %d %s", c.form, status, to)
		}
		after := r.records(r.a.org.ID)
		if c.fields == "" && len(after) == len(before) {
			continue
		}
		if len(after) != len(before)+1 || after[len(after)-1].Data["fields"] != c.fields ||
			after[len(after)-1].Actor != r.people["admin"].member.ID {
			t.Errorf("%q: %+v", c.fields, after[len(before):])
		}
	}
	p, err := r.store.FindProjectByID(t.Context(), r.a.project.ID)
	must(t, err)
	if p.Name != "Renamed" || !slices.Equal(p.Domains, []string{"help.a.example", "docs.a.example"}) ||
		p.DocsFolder != "docs" || p.Source != (project.Source{Path: "/srv/docs"}) {
		t.Errorf("%+v", p)
	}
	for says, f := range map[string]url.Values{"at least one domain": form("domains", " \n "),
		"docs.b.example": form("domains", "docs.a.example\ndocs.b.example"), "name must have": form("name", "")} {
		status, body := r.post("admin", path, f)
		if status < 400 || status > 409 || !strings.Contains(html.UnescapeString(body), says) {
			t.Errorf("%q: %d %s", says, status, body)
		}
	}
}

// A new webhook secret is shown once, and the old one stops working.
func TestWebhookSecretIsRotated(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.project.ID
	old := project.HookSecret(master, r.a.project.ID, r.a.project.HookVersion)
	settings := r.page("admin", path+"/settings")
	wants(t, settings, r.server.URL+"/v1/webhook/"+r.a.project.ID, "New secret…")
	wantsNone(t, settings, "whsec_")
	status, body := r.post("admin", path+"/webhook-secret", nil)
	p, err := r.store.FindProjectByID(t.Context(), r.a.project.ID)
	must(t, err)
	secret := project.HookSecret(master, p.ID, p.HookVersion)
	if status != http.StatusOK || strings.Count(body, secret) != 1 || secret == old || strings.Contains(body, old) {
		t.Fatalf("%d %s", status, body)
	}
	r.wantKeptSecret(t, secret)
	wants(t, r.page("admin", "/dashboard/projects/"+r.a.folder.ID+"/settings"), "no code host reports changes")
}

// Deleting a project requires its name; afterwards the project no longer exists, and the page says so.
func TestDeletingAProjectNeedsItsName(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.project.ID
	for _, typed := range []string{"", "A", "a folder", "a "} {
		status, body := r.post("admin", path+"/delete", values("confirm", typed))
		if typed == "a " { // surrounding spaces are ignored
			if status != http.StatusSeeOther || body != "/dashboard/projects?did=project-deleted" {
				t.Fatalf("%d %s", status, body)
			}
			continue
		}
		if status != http.StatusBadRequest ||
			!strings.Contains(html.UnescapeString(body), "That is not the project's name") {
			t.Errorf("%q: %d %s", typed, status, body)
		}
	}
	if _, err := r.store.FindProjectByID(t.Context(), r.a.project.ID); err == nil {
		t.Error("it is still there")
	}
	if status, _ := r.get("admin", path); status != http.StatusNotFound {
		t.Error(status)
	}
	wants(t, r.page("admin", "/dashboard/projects?did=project-deleted"), "The project was deleted.")
}

// Names, branches, errors and findings may come from anybody: every page shows them as text.
func TestHostileProjectNamesAreEscaped(t *testing.T) {
	r := newRig(t)
	d := r.a.project
	d.Name = hostile
	must(t, r.store.Tx(t.Context(),
		func(tx *store.Tx) error { _, err := tx.UpdateProject(t.Context(), d); return err }))
	for _, path := range []string{"/dashboard/", "/dashboard/projects", "/dashboard/projects/" + d.ID,
		"/dashboard/projects/" + d.ID + "/deployments", "/dashboard/projects/" + d.ID + "/previews",
		"/dashboard/projects/" + d.ID + "/settings", "/dashboard/deployments/" + r.a.live.ID} {
		status, body := r.get("owner", path)
		if status != http.StatusOK || strings.Contains(body, "<script>alert") || strings.Contains(body, "<img src=x") ||
			!strings.Contains(html.UnescapeString(body), d.Name) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}
