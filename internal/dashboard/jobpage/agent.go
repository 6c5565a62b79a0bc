package jobpage

import (
	"net/http"
	"slices"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// agentRow is an agent job in a list.
type agentRow struct {
	client.AgentJob
	Project client.Project
}

// Path returns where the job's page is.
func (r agentRow) Path() string {
	return shell.ProjectPath(r.Project.ProjectID, shell.AgentPath+"/"+r.ID)
}

// Name returns what the job is called: its title, or the branch or id of one that is older than titles.
func (r agentRow) Name() string { return nameOf(r.AgentJob) }

func nameOf(j client.AgentJob) string {
	for _, s := range []string{shell.Text(j.Title), shell.Text(j.Source.Ref)} {
		if s != "" {
			return s
		}
	}
	return j.ID
}

// agentsPage shows the latest jobs of all projects.
type agentsPage struct {
	Off      bool // whether the server runs no agent
	Jobs     []agentRow
	Projects []client.Project
	Many     bool // whether there are more projects
	Looked   int  // at how many of the projects; the others have their jobs on their own pages
}

const (
	projectsLooked = 25 // whose jobs are on the page of all
	jobsShown      = 25 // on that page
	jobsEach       = 5  // at most, of one project
)

// agents shows what agents do, in all projects.
func agents(b *shell.Board, v *shell.Visit) error {
	projects, more, err := newestProjects(v, 1)
	if err != nil {
		return err
	}
	page := agentsPage{Off: len(b.Models) == 0, Projects: projects, Many: more,
		Looked: min(len(projects), projectsLooked)}
	for _, p := range projects[:page.Looked] {
		list, err := v.API.ListAgentJobs(v.Ctx(), p.ProjectID, client.ListAgentJobsParams{Limit: jobsEach})
		if err != nil && shell.NewPageError(err).Status == http.StatusNotFound {
			continue // deleted since the list was made
		}
		if err != nil {
			return err
		}
		for _, j := range list.Jobs {
			page.Jobs = append(page.Jobs, agentRow{j, p})
		}
	}
	slices.SortStableFunc(page.Jobs, func(a, b agentRow) int { return b.CreatedAt.Compare(a.CreatedAt) })
	page.Jobs = page.Jobs[:min(len(page.Jobs), jobsShown)]
	return v.Show(http.StatusOK, "agents", shell.Frame{Title: "Agent", Section: "agent", Live: true,
		Working: slices.ContainsFunc(page.Jobs, agentRow.working)}, page)
}

// State returns what the badge of a job shows: what came of it, once it has ended.
func (r agentRow) State() string { return stateOf(r.AgentJob) }

func stateOf(j client.AgentJob) string {
	if j.Outcome == nil || !j.Status.Ended() || j.Status == client.AgentJobStatusArchived {
		return string(j.Status)
	}
	return string(*j.Outcome)
}

func (r agentRow) working() bool { return !r.Status.Ended() }
