package dashboard

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/dashboard/audiencepage"
	"github.com/lectern-docs/lectern/internal/dashboard/entry"
	"github.com/lectern-docs/lectern/internal/dashboard/jobpage"
	"github.com/lectern-docs/lectern/internal/dashboard/overview"
	"github.com/lectern-docs/lectern/internal/dashboard/settings"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/dashboard/sitepage"
)

// Mine reports whether a request's path belongs to the dashboard.
func Mine(path string) bool {
	return path == "/" || path == strings.TrimSuffix(shell.Path, "/") || strings.HasPrefix(path, shell.Path) ||
		strings.HasPrefix(path, shell.OldPath)
}

// Options configures the dashboard.
type Options = shell.Options

// New returns the handler for the paths for which Mine is true.
func New(o Options) http.Handler {
	return shell.New(o, routes(), entry.Pages, overview.Pages, sitepage.Pages, jobpage.Pages, settings.Pages,
		audiencepage.Pages)
}
