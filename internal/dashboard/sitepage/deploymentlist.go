package sitepage

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// deploymentsPage is the data of the page with a project's deployments.
type deploymentsPage struct {
	FormError *shell.PageError // error of the submitted form; nil = none
	Project   client.Project
	Tabs      []shell.Tab
	List      shell.Listing[client.DeploymentSummary]
}

func listDeployments(b *shell.Board, v *shell.Visit) error {
	return showDeployments(v, http.StatusOK, nil)
}

func showDeployments(v *shell.Visit, status int, pageErr *shell.PageError) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	list, err := listOf(v, p.ProjectID, "deployments", "production")
	if err != nil {
		return err
	}
	data := deploymentsPage{pageErr, *p, shell.ProjectTabs(v, p.ProjectID, "Deployments"), list}
	f := shell.Frame{Title: "Deployments of " + p.Name, Section: "projects",
		Crumbs: shell.ProjectCrumbs(p.Name, p.ProjectID), Live: true, Working: underWay(list.Rows)}
	return v.Show(status, "deployments", f, data)
}

// listOf loads the deployments of a kind selected by the URL.
func listOf(v *shell.Visit, projectID, noun string, kind client.DeploymentKind) (
	shell.Listing[client.DeploymentSummary], error) {
	return shell.List(v, shell.Listed[client.DeploymentSummary]{Noun: noun, Columns: deploymentColumns(kind),
		Newest: "started", Size: 25,
		Text: func(d client.DeploymentSummary) string {
			return strings.Join([]string{d.StatusID, shell.Text(d.Commit), shell.Text(d.CommitMessage),
				shell.Text(d.CommitAuthor), shell.Text(d.Branch), shell.Actor(d.StartedBy), shell.Text(d.Error)}, " ")
		},
		States: []string{"success", "failure", "in_progress", "queued"},
		State:  func(d client.DeploymentSummary) string { return string(d.Status) },
		Load: func(_, cursor string, limit int) ([]client.DeploymentSummary, string, error) {
			page, err := v.API.ListDeployments(v.Ctx(), projectID,
				client.ListDeploymentsParams{Kind: kind, Cursor: cursor, Limit: limit})
			if err != nil {
				return nil, "", err
			}
			return page.Deployments, shell.Text(page.NextCursor), nil
		}})
}

// deploymentColumns are the columns of the deployment and preview lists.
func deploymentColumns(kind client.DeploymentKind) []shell.Column[client.DeploymentSummary] {
	type row = client.DeploymentSummary
	state := shell.Column[row]{Key: "state", Label: "State", Compare: func(a, b row) int {
		return strings.Compare(string(a.Status), string(b.Status))
	}}
	started := shell.Column[row]{Key: "started", Label: "Started", Down: true, Compare: func(a, b row) int {
		return a.CreatedAt.Compare(b.CreatedAt)
	}}
	if kind == "preview" {
		return []shell.Column[row]{{Key: "branch", Label: "Branch", Compare: func(a, b row) int {
			return strings.Compare(shell.Text(a.Branch), shell.Text(b.Branch))
		}}, state, {Label: "Address"}, {Label: "Commit"}, started}
	}
	return []shell.Column[row]{{Label: "Deployment"}, state,
		{Key: "pages", Label: "Pages", Down: true, Compare: func(a, b row) int { return a.PageCount - b.PageCount }},
		started,
		{Key: "took", Label: "Took", Down: true, Compare: func(a, b row) int { return cmp.Compare(took(a), took(b)) }}}
}

// took returns the duration of a deployment, or 0 if unknown.
func took(d client.DeploymentSummary) time.Duration {
	if d.EndedAt == nil {
		return 0
	}
	return d.EndedAt.Sub(d.CreatedAt)
}

// underWay reports whether any of the deployments is in progress.
func underWay(list []client.DeploymentSummary) bool {
	for _, d := range list {
		if !d.Status.Ended() {
			return true
		}
	}
	return false
}

func rollBack(b *shell.Board, v *shell.Visit) error {
	projectID := v.R.PathValue("projectId")
	if _, err := v.API.RollBack(v.Ctx(), projectID, client.RollBack{DeploymentID: v.Field("deployment")}); err != nil {
		if pageErr := shell.FormError(err); pageErr != nil {
			return showDeployments(v, pageErr.Status, pageErr)
		}
		return err
	}
	return v.Done(shell.ProjectPath(projectID, "/deployments"), "rolled-back")
}
