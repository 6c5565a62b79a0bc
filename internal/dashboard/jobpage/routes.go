package jobpage

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// Routes returns the pages of exports, agent jobs, automations and proposals.
func Routes() []shell.Route { return append(exportRoutes(), agentRoutes()...) }

func agentRoutes() []shell.Route {
	const project = shell.ProjectsPath + "/{projectId}"
	const job, proposal = project + shell.AgentPath + "/{jobId}", project + shell.ProposalsPath + "/{proposalId}"
	const automation = project + shell.AutomationsPath + "/{automationId}"
	return []shell.Route{
		shell.LivePage("/dashboard/agent", shell.Viewer, agents).Over(),
		shell.LivePage(project+shell.AgentPath, shell.Viewer, listAgentJobs),
		shell.Form(project+shell.AgentPath, shell.Editor, startAgentJob),
		shell.LivePage(job, shell.Viewer, showAgentJob),
		shell.Form(job+"/message", shell.Editor, messageAgentJob),
		shell.Form(job+"/redo", shell.Editor, redoAgentJob),
		shell.Form(job+"/stop", shell.Editor, stopAgentJob),
		shell.Form(job+"/archive", shell.Editor, archiveAgentJob),
		shell.Page(job+"/{do}", shell.Viewer, backToAgentJob),
		shell.Page(project+shell.AutomationsPath, shell.Viewer, listAutomations),
		shell.Form(project+shell.AutomationsPath, shell.Admin, createAutomation),
		shell.Page(automation, shell.Viewer, showAutomation),
		shell.Form(automation, shell.Admin, changeAutomation),
		shell.Form(automation+"/state", shell.Admin, switchAutomation),
		shell.Form(automation+"/run", shell.Editor, runAutomation),
		shell.Form(automation+"/delete", shell.Admin, deleteAutomation),
		shell.Page(automation+"/{do}", shell.Viewer, backToAutomation),
		shell.Form(project+"/products", shell.Admin, connectProduct),
		shell.Form(project+"/products/{productId}/disconnect", shell.Admin, disconnectProduct),
		shell.Form(project+"/receipts/{receiptId}/reviewed", shell.Editor, reviewReceipt),
		shell.Page(project+"/receipts/{receiptId}/reviewed", shell.Viewer, backToAutomations),
		shell.Page(project+"/products", shell.Viewer, backToAutomations),
		shell.Page(project+"/products/{productId}/disconnect", shell.Viewer, backToAutomations),
		shell.LivePage(project+shell.ProposalsPath, shell.Viewer, listProposals),
		shell.LivePage(proposal, shell.Viewer, showProposal),
		shell.Form(proposal+"/merge", shell.Editor, mergeProposal),
		shell.Form(proposal+"/close", shell.Editor, closeProposal),
		shell.Form(proposal+"/review", shell.Editor, reviewProposal),
		shell.Page(proposal+"/{do}", shell.Viewer, backToProposal),
		shell.Page("/dashboard/proposals/{proposalId}", shell.Viewer, findProposal).Over(),
		shell.OpenPage(shell.OldPath+"proposals/{proposalId}", formerProposal),
		shell.OpenPage(shell.OldPath+"exports", func(_ *shell.Board, v *shell.Visit) error {
			http.Redirect(v.W, v.R, ExportsPath, http.StatusSeeOther)
			return nil
		}),
	}
}

// ExportsPath is the path of the list of exports; each export is below it.
const ExportsPath = "/dashboard/exports"

func exportRoutes() []shell.Route {
	return []shell.Route{
		shell.LivePage(ExportsPath, shell.Viewer, listExports).Over(),
		shell.Form(ExportsPath, shell.Editor, startExport).Over(),
		shell.LivePage(ExportsPath+"/{jobId}", shell.Viewer, showExport).Over(),
		shell.Form(ExportsPath+"/{jobId}/cancel", shell.Editor, cancelExport).Over(),
		shell.Form(ExportsPath+"/{jobId}/bundle", shell.Editor, linkExport).Over(),
		shell.Page(ExportsPath+"/{jobId}/{do}", shell.Viewer, backToExport).Over(),
	}
}
