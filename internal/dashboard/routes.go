package dashboard

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/dashboard/audiencepage"
	"github.com/lectern-docs/lectern/internal/dashboard/entry"
	"github.com/lectern-docs/lectern/internal/dashboard/jobpage"
	"github.com/lectern-docs/lectern/internal/dashboard/overview"
	"github.com/lectern-docs/lectern/internal/dashboard/settings"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/dashboard/sitepage"
)

// routes lists all routes of the dashboard, except for its files. The roles here only hide forms that the API would
// reject; the API makes the decision.
func routes() []shell.Route {
	var all []shell.Route
	all = append(all, entry.Routes()...)
	all = append(all, sitepage.Routes()...)
	all = append(all, jobpage.Routes()...)
	all = append(all, settings.Routes()...)
	all = append(all, audiencepage.Routes()...)
	return append(all,
		shell.OpenPage("/{$}", start),
		shell.OpenPage("/dashboard", start),
		shell.LivePage("/dashboard/{$}", shell.Viewer, overview.Show).Over(),
		shell.Page("/dashboard/live", shell.Viewer, (*shell.Board).Live).Over(),
	)
}

// start redirects to the overview.
func start(b *shell.Board, v *shell.Visit) error {
	http.Redirect(v.W, v.R, shell.Path, http.StatusSeeOther)
	return nil
}
