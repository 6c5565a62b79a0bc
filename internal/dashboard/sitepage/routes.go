package sitepage

import "github.com/lectern-docs/lectern/internal/dashboard/shell"

// Routes returns the pages of projects and their deployments.
func Routes() []shell.Route {
	return []shell.Route{
		shell.LivePage("/dashboard/projects", shell.Viewer, listProjects).Over(),
		shell.Page("/dashboard/projects/new", shell.Admin, newProject),
		shell.Form("/dashboard/projects", shell.Admin, createProject),
		shell.LivePage("/dashboard/projects/{projectId}", shell.Viewer, showProject),
		shell.Form("/dashboard/projects/{projectId}/update", shell.Editor, startUpdate),
		shell.LivePage("/dashboard/projects/{projectId}/deployments", shell.Viewer, listDeployments),
		shell.Form("/dashboard/projects/{projectId}/rollback", shell.Editor, rollBack),
		shell.LivePage("/dashboard/projects/{projectId}/previews", shell.Viewer, listPreviews),
		shell.Form("/dashboard/projects/{projectId}/previews", shell.Editor, startPreview),
		shell.Page("/dashboard/projects/{projectId}/blocked", shell.Viewer, listBlocked),
		shell.Page("/dashboard/projects/{projectId}/domain", shell.Viewer, showDomain),
		shell.Page("/dashboard/projects/{projectId}/settings", shell.Admin, projectSettings),
		shell.Form("/dashboard/projects/{projectId}/settings", shell.Admin, changeProject),
		shell.Form("/dashboard/projects/{projectId}/readers", shell.Admin, setReaders),
		shell.Form("/dashboard/projects/{projectId}/readers/sign-out", shell.Admin, signReadersOut),
		shell.Form("/dashboard/projects/{projectId}/webhook-secret", shell.Admin, rotateHook),
		shell.Form("/dashboard/projects/{projectId}/webhook", shell.Admin, installHook),
		shell.Form("/dashboard/projects/{projectId}/verify-domain", shell.Admin, verifyDomain),
		shell.Form("/dashboard/projects/{projectId}/delete", shell.Admin, deleteProject),
		shell.Form("/dashboard/projects/{projectId}/members", shell.Admin, setMember),
		shell.Form("/dashboard/projects/{projectId}/members/{memberId}/remove", shell.Admin, removeMember),
		shell.LivePage("/dashboard/deployments/{statusId}", shell.Viewer, showDeployment).Over(),
		// Users may reload the response to a form from the address bar.
		shell.Page("/dashboard/projects/{projectId}/update", shell.Viewer, backToProject),
		shell.Page("/dashboard/projects/{projectId}/rollback", shell.Viewer, backToProject),
		shell.Page("/dashboard/projects/{projectId}/readers", shell.Viewer, backToProject),
		shell.Page("/dashboard/projects/{projectId}/readers/sign-out", shell.Viewer, backToProject),
		shell.Page("/dashboard/projects/{projectId}/webhook-secret", shell.Viewer, backToProject),
		shell.Page("/dashboard/projects/{projectId}/webhook", shell.Viewer, backToProject),
		shell.Page("/dashboard/projects/{projectId}/verify-domain", shell.Viewer, backToProject),
		shell.Page("/dashboard/projects/{projectId}/delete", shell.Viewer, backToProject),
		shell.Page("/dashboard/projects/{projectId}/members", shell.Viewer, backToProject),
		shell.Page("/dashboard/projects/{projectId}/members/{memberId}/remove", shell.Viewer, backToProject),
	}
}

func backToProject(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	return v.Done(shell.ProjectPath(p.ProjectID, ""), "")
}
