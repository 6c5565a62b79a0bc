package adminapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

const ownServer = "https://lectern.example.com"

// sourceBody is the source in a project's response, with the raw JSON to send back.
type sourceBody struct {
	ProjectID  string          `json:"projectId"`
	SourceKind string          `json:"sourceKind"`
	Source     json.RawMessage `json:"source"`
}

func (b sourceBody) repository(t *testing.T) string {
	t.Helper()
	var s struct{ Repository *string }
	must(t, json.Unmarshal(b.Source, &s))
	if s.Repository == nil {
		return ""
	}
	return *s.Repository
}

// sourceWorld returns a world with a project of the given source, whose organizations may or may not have local
// sources.
func sourceWorld(t *testing.T, local bool, s project.Source) (*world, tenant, project.Project) {
	t.Helper()
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) {
		o.ValidateRepository = func(url string) error { return git.ValidateURL(url, local) }
		if o.PublicURL = ownServer; !local {
			o.LocalSource = nil
		}
	})
	var p project.Project
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		p, err = tx.CreateProject(t.Context(),
			project.Project{OrganizationID: x.org.ID, Name: "P", Domains: []string{"p.a.example"}, Source: s})
		return err
	}))
	return w, x, p
}

// A8: a project's source.repository is a full URL in every response, and a source sent back unchanged stays the same.
func TestProjectRepositoryIsAFullURL(t *testing.T) {
	const git = "GIT" // the address on the embedded code host
	for name, c := range map[string]struct {
		source     project.Source
		local      bool
		kind, want string
	}{
		"built in":  {project.Source{Repository: project.BuiltIn}, false, "built-in", git},
		"kept here": {project.Source{Repository: project.Own, Branch: "main"}, false, "embedded", git},
		"elsewhere": {project.Source{Repository: "https://git.example.com/a.git", Branch: "b", Credential: "c"},
			false, "repository", "https://git.example.com/a.git"},
		"short form": {project.Source{Repository: "git@git.example.com:a/b.git"}, false, "repository",
			"ssh://git@git.example.com/a/b.git"},
		"a folder":      {project.Source{Path: "/srv/docs"}, true, "folder", ""},
		"a folder, off": {project.Source{Path: "/srv/docs"}, false, "folder", ""},
		"on disk":       {project.Source{Repository: "/srv/docs.git"}, true, "repository", "file:///srv/docs.git"},
		"on disk, off":  {project.Source{Repository: "/srv/docs.git"}, false, "repository", git},
		"file URL, off": {project.Source{Repository: "file:///srv/docs.git"}, false, "repository", git},
		"file URL, local": {project.Source{Repository: "file:///srv/docs.git"}, true, "repository",
			"file:///srv/docs.git"},
	} {
		t.Run(name, func(t *testing.T) {
			w, x, p := sourceWorld(t, c.local, c.source)
			path := "/v1/projects/" + p.ID
			want := strings.ReplaceAll(c.want, git, ownServer+project.GitPath(x.org.ID, p.ID))
			got := read[sourceBody](t, w.do(t, ask{"GET", path, x.key, "", nil}).want(t, 200))
			listed := read[struct{ Projects []sourceBody }](t,
				w.do(t, ask{"GET", "/v1/projects", x.key, "", nil}).want(t, 200))
			body := `{"name":"Again","source":` + string(got.Source) + `}`
			changed := read[sourceBody](t, w.do(t, ask{"PATCH", path, x.key, body, nil}).want(t, 200))
			for _, b := range append(listed.Projects, got, changed) {
				if b.ProjectID == p.ID && (b.repository(t) != want || b.SourceKind != c.kind) {
					t.Errorf("%s %s, want %s %s", b.SourceKind, b.Source, c.kind, want)
				}
			}
			now, err := w.store.FindProject(t.Context(), x.org.ID, p.ID)
			if err != nil || now.Source != c.source || now.Name != "Again" {
				t.Errorf("stored %+v %v", now, err)
			}
		})
	}
}

// A repository on this server can only be the source of its own project. Other organizations' repositories look like
// ones that do not exist.
func TestRepositoriesOfOtherOrganizationsAreHidden(t *testing.T) {
	w, x, p := sourceWorld(t, false, project.Source{Repository: project.Own, Branch: "main"})
	other := w.newTenant(t, "b", account.PlanEnterprise)
	path := "/v1/projects/" + p.ID
	unknown := w.do(t, ask{"PATCH", path, x.key,
		`{"source":{"repository":"` + ownServer + `/git/org_none/prj_none.git"}}`, nil}).want(t, 400)
	if unknown.code(t) != "unknown_repository" {
		t.Errorf("%s", unknown.body)
	}
	for _, address := range []string{
		ownServer + project.GitPath(other.org.ID, other.folder.ID), ownServer + project.GitPath(x.org.ID, x.folder.ID),
		ownServer + project.GitPath(other.org.ID, p.ID), "https://me@LECTERN.example.com:443" +
			project.GitPath(other.org.ID, other.folder.ID),
	} {
		for _, a := range []ask{
			{"PATCH", path, x.key, `{"source":{"repository":"` + address + `","branch":"main"}}`, nil},
			{"POST", "/v1/projects", x.key,
				`{"name":"n","domain":"n.a.example","source":{"repository":"` + address + `"}}`, nil},
		} {
			if got := w.do(t, a).want(t, 400); got.code(t) != "unknown_repository" ||
				got.object(t)["message"] != unknown.object(t)["message"] {
				t.Errorf("%s %s: %s", a.method, address, got.body)
			}
		}
	}
	w.do(t, ask{"POST", "/v1/projects", x.key, `{"name":"n","domain":"n.a.example","source":{"repository":"` +
		ownServer + `/git/team/docs.git"}}`, nil}).want(t, 201)
	own := ownServer + project.GitPath(x.org.ID, p.ID)
	got := w.do(t, ask{"PATCH", path, x.key, `{"source":{"repository":"` + own + `","branch":"other"}}`, nil}).
		want(t, 400)
	if got.code(t) != "invalid_field" {
		t.Errorf("%s", got.body)
	}
	if now, err := w.store.FindProject(t.Context(), x.org.ID, p.ID); err != nil || now.Source != p.Source {
		t.Errorf("stored %+v %v", now, err)
	}
}
