package jobpage

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/diffview"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
)

// proposalPage is the data of a proposal's page.
type proposalPage struct {
	client.ProposalChanges
	Project    client.Project
	Path       string
	FormError  *shell.PageError // error of the submitted form
	Said       []diffview.Block
	Change     change
	May        bool          // whether the user may review it
	Outdated   []commentView // comments whose lines are gone
	Approved   []approvalView
	Unresolved int          // number of unresolved comments
	Form       *commentForm // the open or rejected comment form; nil = none
	Lost       bool         // the form was rejected, and its line is gone
	By         string       // who merged or closed it; "" while open
	Job        string       // path of its agent job; "" = none
	// the update that publishes the merge; nil = not merged, or the update was removed
	Update *client.DeploymentSummary
}

// Open reports whether it can be merged or closed. Used by the template.
func (p proposalPage) Open() bool { return p.State == "open" }

// API returns the proposal's path in the API.
func (p proposalPage) API() string { return "/v2/agent/" + p.Project.ProjectID + "/proposal/" + p.ID }

func proposalIDs(v *shell.Visit) (projectID, proposalID string) {
	return v.R.PathValue("projectId"), v.R.PathValue("proposalId")
}

func showProposal(b *shell.Board, v *shell.Visit) error {
	return renderProposal(v, http.StatusOK, nil, formAt(v))
}

// backToProposal redirects from the URL of a form response, which cannot be opened again.
func backToProposal(b *shell.Board, v *shell.Visit) error {
	projectID, proposalID := proposalIDs(v)
	if _, err := v.API.GetProposal(v.Ctx(), projectID, proposalID); err != nil {
		return err
	}
	return proposalDone(v, "", "")
}

func mergeProposal(b *shell.Board, v *shell.Visit) error {
	projectID, proposalID := proposalIDs(v)
	_, err := v.API.MergeProposal(v.Ctx(), projectID, proposalID)
	return decided(v, err, "proposal-merged")
}

func closeProposal(b *shell.Board, v *shell.Visit) error {
	projectID, proposalID := proposalIDs(v)
	_, err := v.API.CloseProposal(v.Ctx(), projectID, proposalID)
	return decided(v, err, "proposal-closed")
}

// decided redirects to the proposal, or shows the error.
func decided(v *shell.Visit, err error, did string) error {
	if err == nil {
		return proposalDone(v, did, "")
	}
	hint := ""
	if shell.NewPageError(err).Code == "wrong_state" {
		hint = "Someone else has already merged or closed it."
	}
	return decidedWith(v, err, hint, nil)
}

// renderProposal renders the page; pageErr is the error of the submitted form, or nil. form is the open comment form,
// or nil.
func renderProposal(v *shell.Visit, status int, pageErr *shell.PageError, form *commentForm) error {
	projectID, proposalID := proposalIDs(v)
	got, err := v.API.GetProposal(v.Ctx(), projectID, proposalID)
	if err != nil {
		return err
	}
	p, err := v.API.GetProject(v.Ctx(), projectID)
	if err != nil {
		return err
	}
	names, err := memberNames(v)
	if err != nil {
		return err
	}
	page := proposalPage{ProposalChanges: *got, Project: *p, Path: proposal.Page(p.ProjectID, got.ID), FormError: pageErr,
		Said:   diffview.Blocks(got.Body),
		Change: changeOf(*got, siteOf(*got, *p)), By: nameOr(names, shell.Text(got.DecidedBy))}
	page.May = page.Open() && got.HeadCommit != nil && v.May(shell.Editor)
	r := reviewer{names: names, may: page.May, form: form}
	page.Outdated = r.addComments(&page.Change, got.Comments)
	page.Lost = form != nil && pageErr != nil && !page.Change.formOpen()
	page.Form = form
	for _, c := range got.Comments {
		if c.ResolvedBy == nil {
			page.Unresolved++
		}
	}
	for _, a := range got.Approvals {
		page.Approved = append(page.Approved, approvalView{a, called(names, a.Author, a.AuthorName)})
	}
	if job := shell.Text(got.JobID); job != "" {
		page.Job = shell.ProjectPath(p.ProjectID, shell.AgentPath+"/"+job)
	}
	if got.State == "merged" {
		if page.Update, err = findUpdate(v, *p, *got); err != nil {
			return err
		}
	}
	// The changes are computed in a repository each time, so the page is updated live only for the update after a
	// merge.
	waiting := page.Update != nil && !page.Update.Status.Ended() && v.R.Method == http.MethodGet
	return v.Show(status, "proposal",
		shell.Frame{Title: got.Title, Section: "projects", Live: waiting, Working: waiting,
			Crumbs: append(shell.ProjectCrumbs(p.Name, p.ProjectID),
				shell.Crumb{Text: "Proposals", Path: shell.ProjectPath(p.ProjectID, shell.ProposalsPath)})}, page)
}

// siteOf returns the URL where a proposal's pages can be seen (its preview, or the site after the merge), or "" if
// there is none.
func siteOf(p client.ProposalChanges, of client.Project) string {
	if p.State == "merged" {
		return of.URL
	}
	return shell.Text(p.PreviewURL)
}

// updatesSearched is the number of newest deployments searched for the one that published a merge.
const updatesSearched = 100

// findUpdate finds the deployment that published a merge: the first one that was requested after the merge or, if there
// is none, the one that was in progress at that time.
func findUpdate(v *shell.Visit, of client.Project, p client.ProposalChanges) (*client.DeploymentSummary, error) {
	list, err := v.API.ListDeployments(v.Ctx(), of.ProjectID,
		client.ListDeploymentsParams{Kind: "production", Limit: updatesSearched})
	if err != nil {
		return nil, err
	}
	var found *client.DeploymentSummary
	for i, d := range list.Deployments { // newest first
		if d.CreatedAt.Before(p.UpdatedAt) {
			break
		}
		if found == nil || found.Trigger != "merge" || d.Trigger == "merge" {
			found = &list.Deployments[i]
		}
	}
	if found == nil && len(list.Deployments) > 0 { // the merge is published by a deployment that was already queued
		if d := list.Deployments[0]; d.EndedAt == nil || !d.EndedAt.Before(p.UpdatedAt) {
			found = &d
		}
	}
	return found, nil
}
