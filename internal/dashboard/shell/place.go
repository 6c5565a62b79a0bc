package shell

// Paths of project pages and, below each project, of its agent jobs, automations and proposals.
const (
	ProjectsPath    = "/dashboard/projects"
	AgentPath       = "/agent"
	AutomationsPath = "/automations"
	ProposalsPath   = "/proposals"
)

func ProjectPath(projectID, rest string) string { return ProjectsPath + "/" + projectID + rest }

func DeploymentPath(statusID string) string { return "/dashboard/deployments/" + statusID }

// Tab is one of the pages of a project.
type Tab struct {
	Text, Path string
	Current    bool
}

// ProjectTabs lists the pages of a project that the user may see, for the template tabs; current is the text of the
// current one.
func ProjectTabs(v *Visit, projectID, current string) (out []Tab) {
	for _, t := range []Tab{{Text: "Overview"}, {Text: "Deployments", Path: "/deployments"}, {Text: "Previews",
		Path: "/previews"}, {Text: "Agent", Path: AgentPath}, {Text: "Analytics", Path: "/analytics"},
		{Text: "Blocked content", Path: "/blocked"},
		{Text: "Settings", Path: "/settings"}} {
		if t.Text == "Settings" && !v.May(Admin) {
			continue
		}
		out = append(out, Tab{t.Text, ProjectPath(projectID, t.Path), t.Text == current})
	}
	return out
}

// ProjectCrumbs returns the breadcrumbs of a project's page.
func ProjectCrumbs(name, projectID string) []Crumb {
	return []Crumb{{Text: "Projects", Path: ProjectsPath}, {Text: name, Path: ProjectPath(projectID, "")}}
}
