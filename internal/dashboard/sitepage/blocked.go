package sitepage

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// blockedPage lists the requests blocked by the content policy of a project's pages.
type blockedPage struct {
	Project client.Project
	Tabs    []shell.Tab
	Blocked []client.BlockedSource
}

func listBlocked(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	list, err := v.API.ListBlocked(v.Ctx(), p.ProjectID)
	if err != nil {
		return err
	}
	data := blockedPage{Project: *p, Tabs: shell.ProjectTabs(v, p.ProjectID, "Blocked content"), Blocked: list.Blocked}
	f := shell.Frame{Title: "Blocked content of " + p.Name, Section: "projects",
		Crumbs: shell.ProjectCrumbs(p.Name, p.ProjectID)}
	return v.Show(http.StatusOK, "blocked", f, data)
}
