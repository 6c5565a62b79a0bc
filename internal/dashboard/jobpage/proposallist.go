package jobpage

import (
	"net/http"
	"net/url"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// proposalRow is a proposal in a list.
type proposalRow struct {
	client.Proposal
	Path string
}

func listProposals(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	list, err := v.API.ListProposals(v.Ctx(), p.ProjectID,
		client.ListProposalsParams{Limit: 25, Cursor: v.Query("cursor")})
	if err != nil {
		return err
	}
	data := struct {
		Project   client.Project
		Tabs      []shell.Tab
		Proposals []proposalRow
		Next      string
	}{*p, shell.ProjectTabs(v, p.ProjectID, "Agent"), nil, shell.Text(list.NextCursor)}
	for _, one := range list.Proposals {
		data.Proposals = append(data.Proposals, proposalRow{one, proposal.Page(p.ProjectID, one.ID)})
	}
	return v.Show(http.StatusOK, "proposals",
		shell.Frame{Title: "Proposals of " + p.Name, Section: "projects", Live: true,
			Crumbs: append(shell.ProjectCrumbs(p.Name, p.ProjectID),
				shell.Crumb{Text: "Agent", Path: shell.ProjectPath(p.ProjectID, shell.AgentPath)})}, data)
}

// formerProposal redirects from the former URL of proposals, which is used in records and emails.
func formerProposal(b *shell.Board, v *shell.Visit) error {
	http.Redirect(v.W, v.R, "/dashboard/proposals/"+url.PathEscape(v.R.PathValue("proposalId")), http.StatusSeeOther)
	return nil
}

// mostSearched is the number of pages of projects searched for a proposal.
const mostSearched = 10

// findProposal redirects to a proposal given only by its id, if it belongs to one of the organization's projects.
func findProposal(b *shell.Board, v *shell.Visit) error {
	projects, _, err := newestProjects(v, mostSearched)
	if err != nil {
		return err
	}
	for _, p := range projects {
		found, err := v.API.GetProposal(v.Ctx(), p.ProjectID, v.R.PathValue("proposalId"))
		if err == nil {
			return v.Done(proposal.Page(p.ProjectID, found.ID), "")
		}
		if shell.NewPageError(err).Status != http.StatusNotFound {
			return err
		}
	}
	return fault.New(fault.NotFound, "unknown_proposal", "Proposal not found.").
		WithHint("It may belong to another of your organizations, or its project was deleted.")
}
