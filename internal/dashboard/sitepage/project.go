package sitepage

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// sourceWords describes where a project's docs are.
func sourceWords(p client.Project) string {
	switch p.SourceKind {
	case client.ProjectSourceKindBuiltIn:
		return "the documentation inside Lectern"
	case client.ProjectSourceKindEmbedded:
		return "a repository hosted by this server"
	case client.ProjectSourceKindFolder:
		return shell.Text(p.Source.Path)
	}
	return shell.Text(p.Source.Repository)
}

// ProjectRow is a project in a list.
type ProjectRow struct {
	client.Project
	SourceWords string
}

// State returns the state of the newest update; "new" before the first.
func (r ProjectRow) State() string {
	if r.LastUpdate == nil {
		return "new"
	}
	return string(r.LastUpdate.Status)
}

func ProjectRows(list []client.Project) []ProjectRow {
	out := make([]ProjectRow, len(list))
	for i, p := range list {
		out[i] = ProjectRow{p, sourceWords(p)}
	}
	return out
}

func listProjects(b *shell.Board, v *shell.Visit) error {
	list, err := shell.List(v, shell.Listed[ProjectRow]{Noun: "projects", Columns: projectColumns, Newest: "added", Size: 20,
		Text: func(r ProjectRow) string {
			return r.Name + " " + strings.Join(r.Domains, " ") + " " + r.SourceWords + " " + r.ProjectID
		},
		States: []string{"success", "failure", "in_progress", "queued", "new"}, State: ProjectRow.State,
		Load: func(_, cursor string, limit int) ([]ProjectRow, string, error) {
			page, err := v.API.ListProjects(v.Ctx(), client.ListProjectsParams{Cursor: cursor, Limit: limit})
			if err != nil {
				return nil, "", err
			}
			return ProjectRows(page.Projects), shell.Text(page.NextCursor), nil
		}})
	if err != nil {
		return err
	}
	data := struct {
		List    shell.Listing[ProjectRow]
		First   bool   // whether this is the first page
		Example string // body of the API request that adds a project
	}{list, v.Query("cursor") == "", exampleProject}
	return v.Show(http.StatusOK, "projects", shell.Frame{Title: "Projects", Section: "projects", Live: true,
		Working: slices.ContainsFunc(list.Rows, ProjectRow.working)}, data)
}

// projectColumns are the columns of the list of projects.
var projectColumns = []shell.Column[ProjectRow]{
	{Key: "name", Label: "Name", Compare: func(a, b ProjectRow) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	}},
	{Key: "domain", Label: "Domain", Compare: func(a, b ProjectRow) int { return strings.Compare(a.Domain, b.Domain) }},
	{Label: "Source"},
	{Key: "state", Label: "Last update", Compare: func(a, b ProjectRow) int {
		return strings.Compare(a.State(), b.State())
	}},
	{Key: "live", Label: "Live since", Down: true, Compare: func(a, b ProjectRow) int {
		return a.liveSince().Compare(b.liveSince())
	}},
	{Key: "added", Label: "Added", Down: true, Compare: func(a, b ProjectRow) int {
		return a.CreatedAt.Compare(b.CreatedAt)
	}},
}

// liveSince returns when the live version was published, or the zero time if there is none.
func (r ProjectRow) liveSince() (at time.Time) {
	if r.Live != nil {
		at = r.Live.PublishedAt
	}
	return at
}

func (r ProjectRow) working() bool { return working([]client.Project{r.Project}) }

// working reports whether an update of any of the projects is in progress.
func working(list []client.Project) bool {
	for _, p := range list {
		if p.LastUpdate != nil && !p.LastUpdate.Status.Ended() {
			return true
		}
	}
	return false
}

// exampleProject is the body of the API request that adds a project; placeholders are in capitals.
const exampleProject = `{"name": "NAME", "domain": "docs.example.com", "source": {"repository": "https://HOST/TEAM/REPOSITORY.git", "branch": "main"}}`

// projectPage is the data of a project's overview.
type projectPage struct {
	FormError   *shell.PageError // error of the submitted form; nil = none
	Project     ProjectRow
	Tabs        []shell.Tab
	Deployments []client.DeploymentSummary
	LastError   string // message of the newest update if it failed, or ""
	// of the live site; nil = it has only one language
	Translations []translationRow
}

const LatestDeployments = 5

func showProject(b *shell.Board, v *shell.Visit) error { return renderProject(v, http.StatusOK, nil) }

// renderProject shows a project's overview; pageErr is the error of a form on it, or nil.
func renderProject(v *shell.Visit, status int, pageErr *shell.PageError) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	list, err := v.API.ListDeployments(v.Ctx(), p.ProjectID, client.ListDeploymentsParams{Limit: LatestDeployments})
	if err != nil {
		return err
	}
	data := projectPage{FormError: pageErr, Project: ProjectRow{*p, sourceWords(*p)},
		Tabs: shell.ProjectTabs(v, p.ProjectID, "Overview"), Deployments: list.Deployments}
	for _, d := range list.Deployments {
		if p.LastUpdate != nil && d.StatusID == p.LastUpdate.StatusID {
			data.LastError = shell.Text(d.Error)
		}
	}
	if p.Live != nil {
		live, err := v.API.GetUpdateStatus(v.Ctx(), p.Live.DeploymentID)
		if err != nil {
			return err
		}
		data.Translations = shortened(translationRows(v, p.ProjectID, live.Translations), p.Live.DeploymentID)
	}
	f := shell.Frame{Title: p.Name, Section: "projects", Crumbs: shell.ProjectCrumbs(p.Name, p.ProjectID)[:1],
		Live: true, Working: working([]client.Project{*p})}
	return v.Show(status, "project", f, data)
}

func startUpdate(b *shell.Board, v *shell.Visit) error {
	in := client.StartUpdate{AcceptRemovals: v.Field("accept") == "removals"}
	started, err := v.API.StartUpdate(v.Ctx(), v.R.PathValue("projectId"), in)
	if err != nil {
		if pageErr := shell.FormError(err); pageErr != nil && pageErr.Status != http.StatusNotFound {
			return renderProject(v, pageErr.Status, pageErr)
		}
		return err
	}
	return v.Done(shell.DeploymentPath(started.StatusID), "update-started")
}
