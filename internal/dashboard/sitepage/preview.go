package sitepage

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// previewsPage is the data of the page with a project's previews and the form for a new one.
type previewsPage struct {
	FormError *shell.PageError
	Project   client.Project
	Tabs      []shell.Tab
	Branch    shell.Input
	List      shell.Listing[client.DeploymentSummary]
	Folder    bool // the source has no branches
	Example   string
}

func listPreviews(b *shell.Board, v *shell.Visit) error {
	return showPreviews(v, http.StatusOK, nil, "")
}

func showPreviews(v *shell.Visit, status int, pageErr *shell.PageError, branch string) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	list, err := listOf(v, p.ProjectID, "previews", "preview")
	if err != nil {
		return err
	}
	data := previewsPage{FormError: pageErr, Project: *p, Tabs: shell.ProjectTabs(v, p.ProjectID, "Previews"),
		List:   list,
		Folder: p.Source.Path != nil,
		Branch: shell.Input{Name: "branch", Label: "Branch", Value: branch, Error: pageErr.FieldError("branch"),
			Required: true,
			Plain:    true,
			Hint:     "A branch of the project's repository. The live site is not changed."},
		Example: shell.Body(map[string]string{"branch": "BRANCH"})}
	f := shell.Frame{Title: "Previews of " + p.Name, Section: "projects",
		Crumbs: shell.ProjectCrumbs(p.Name, p.ProjectID), Live: true, Working: underWay(list.Rows)}
	return v.Show(status, "previews", f, data)
}

func startPreview(b *shell.Board, v *shell.Visit) error {
	branch := v.Field("branch")
	started, err := v.API.StartPreview(v.Ctx(), v.R.PathValue("projectId"), client.StartPreview{Branch: branch})
	if err != nil {
		if pageErr := shell.FormError(err); pageErr != nil && pageErr.Status != http.StatusNotFound {
			return showPreviews(v, pageErr.Status, pageErr, branch)
		}
		return err
	}
	return v.Done(shell.DeploymentPath(started.StatusID), "preview-started")
}
