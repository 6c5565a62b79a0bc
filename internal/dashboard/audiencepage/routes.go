package audiencepage

import "github.com/lectern-docs/lectern/internal/dashboard/shell"

// base is the path of a project's pages about readers.
const base = "/dashboard/projects/{projectId}/analytics"

// Routes returns the pages about readers.
func Routes() []shell.Route {
	return []shell.Route{
		shell.Page("/dashboard/analytics", shell.Viewer, listSites).Over(),
		shell.Page(base, shell.Viewer, traffic),
		shell.Page(base+"/search", shell.Viewer, searches),
		shell.Page(base+"/feedback", shell.Viewer, feedback),
		shell.Form(base+"/feedback/{feedbackId}", shell.Editor, changeFeedback),
		shell.Page(base+"/feedback/{feedbackId}", shell.Viewer, backToFeedback),
		shell.Page(base+"/assistant", shell.Viewer, questions),
		shell.Page(base+"/assistant/{threadId}", shell.Viewer, thread),
		shell.Page(base+"/playground", shell.Viewer, playground),
		shell.Page(base+"/missing", shell.Viewer, missing),
		shell.Page(base+"/csv/{list}", shell.Viewer, file),
	}
}
