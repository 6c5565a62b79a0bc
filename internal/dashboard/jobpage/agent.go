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

// Path returns the path of the job's page.
func (r agentRow) Path() string {
	return shell.ProjectPath(r.Project.ProjectID, shell.AgentPath+"/"+r.ID)
}

// Name returns the job's name: its title, or for older jobs without one the branch or id.
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
	Off      bool // whether agents are disabled on this server
	Jobs     []agentRow
	Projects []client.Project
	Many     bool // whether there are more projects
	Looked   int  // number of projects whose jobs were loaded; jobs of others are only on their own pages
}

const (
	projectsLooked = 25 // number of projects whose jobs are shown
	jobsShown      = 25 // total number of jobs shown
	jobsEach       = 5  // per project
)

// agents shows the agent jobs of all projects.
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
			continue // deleted since it was listed
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

// State returns the text of a job's badge: its outcome once it has ended.
func (r agentRow) State() string { return stateOf(r.AgentJob) }

func stateOf(j client.AgentJob) string {
	if j.Outcome == nil || !j.Status.Ended() || j.Status == client.AgentJobStatusArchived {
		return string(j.Status)
	}
	return string(*j.Outcome)
}

func (r agentRow) working() bool { return !r.Status.Ended() }
