package jobpage

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/llm/rules"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// agentPage is what the page of a project's agent shows.
type agentPage struct {
	Project   client.Project
	Tabs      []shell.Tab
	FormError *shell.PageError // of the form that was just sent
	Form      agentForm
	Models    []string        // none = the server runs no agent
	Branches  bool            // whether the source has any
	Prompts   []string        // examples
	Rules     []rules.Ability // what the model without a language model understands; none = it is not offered
	RulesOnly bool            // no other model is set up
	List      shell.Listing[agentRow]
	Proposals []client.Proposal // open ones
	Example   string
}

// agentForm is what a person asked for.
type agentForm struct {
	Prompt, Branch, Model string
	Draft                 bool
}

// FieldErrors returns what is wrong with a field, for the template.
func (p agentPage) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

func listAgentJobs(b *shell.Board, v *shell.Visit) error {
	return showAgentJobs(v, http.StatusOK,
		agentPage{Form: agentForm{Prompt: v.Query("prompt"), Branch: v.Query("branch")}})
}

func startAgentJob(b *shell.Board, v *shell.Visit) error {
	form := agentForm{Prompt: v.Form.Get("prompt"), Branch: v.Field("branch"), Model: v.Field("model"),
		Draft: v.Field("draft") != ""}
	projectID := v.R.PathValue("projectId")
	job, err := v.API.CreateAgentJob(v.Ctx(), projectID,
		client.CreateAgentJob{Prompt: form.Prompt, Branch: form.Branch, Model: form.Model, AsDraft: form.Draft})
	if err != nil {
		pageErr := shell.FormError(err)
		if pageErr == nil || pageErr.Status == http.StatusNotFound {
			return err
		}
		return showAgentJobs(v, pageErr.Status, agentPage{Form: form, FormError: pageErr})
	}
	return v.Done(shell.ProjectPath(projectID, shell.AgentPath+"/"+job.ID), "agent-started")
}

// agentJobList reads the jobs of a project that the address asks for.
func agentJobList(v *shell.Visit, p client.Project) (shell.Listing[agentRow], error) {
	return shell.List(v, shell.Listed[agentRow]{Noun: "jobs", Newest: "started", Size: 25,
		Columns: []shell.Column[agentRow]{
			{Key: "job", Label: "Job", Compare: func(a, b agentRow) int { return strings.Compare(a.Name(), b.Name()) }},
			{Key: "state", Label: "State", Compare: func(a, b agentRow) int {
				return strings.Compare(string(a.Status), string(b.Status))
			}},
			{Label: "Pull request"},
			{Key: "model", Label: "Model", Compare: func(a, b agentRow) int { return strings.Compare(a.Model, b.Model) }},
			{Key: "started", Label: "Started", Down: true, Compare: func(a, b agentRow) int {
				return a.CreatedAt.Compare(b.CreatedAt)
			}}},
		Text: func(r agentRow) string {
			return strings.Join([]string{r.Name(), r.ID, r.Model, shell.Text(r.Source.Ref), shell.Text(r.Error)}, " ")
		},
		States: []string{string(client.AgentJobStatusActive), string(client.AgentJobStatusCompleted),
			string(client.AgentJobStatusFailed), string(client.AgentJobStatusArchived)},
		Load: func(state, cursor string, limit int) (rows []agentRow, next string, err error) {
			list, err := v.API.ListAgentJobs(v.Ctx(), p.ProjectID,
				client.ListAgentJobsParams{Limit: limit, Cursor: cursor, Status: client.AgentJobStatus(state)})
			if err != nil {
				return nil, "", err
			}
			for _, j := range list.Jobs {
				rows = append(rows, agentRow{j, p})
			}
			return rows, shell.Text(list.NextCursor), nil
		}})
}

// shownPrompts is how many examples stand below the prompt.
const shownPrompts = 4

// abilities lists what the rule-based model understands if it is one of the models, and reports whether it is the only
// one.
func abilities(models []string) (list []rules.Ability, only bool) {
	if !slices.Contains(models, rules.Name) {
		return nil, false
	}
	return rules.Abilities(), len(models) == 1
}

// openShown bounds how many of the newest proposals are looked through for open ones.
const openShown = 50

// showAgentJobs completes the page with what there is and sends it.
func showAgentJobs(v *shell.Visit, status int, page agentPage) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	page.Project, page.Tabs, page.Models, page.Branches = *p, shell.ProjectTabs(v, p.ProjectID, "Agent"), v.B.Models,
		p.Source.Path == nil
	page.Rules, page.RulesOnly = abilities(v.B.Models)
	for _, a := range rules.Abilities()[:shownPrompts] {
		page.Prompts = append(page.Prompts, a.Request)
	}
	if page.List, err = agentJobList(v, *p); err != nil {
		return err
	}
	proposals, err := v.API.ListProposals(v.Ctx(), p.ProjectID, client.ListProposalsParams{Limit: openShown})
	if err != nil {
		return err
	}
	page.Proposals = slices.DeleteFunc(proposals.Proposals, func(p client.Proposal) bool { return p.State != "open" })
	page.Example = shell.Body(client.CreateAgentJob{Prompt: page.Prompts[0]})
	// Without scripts the page stays as it is while somebody writes a prompt: it is never Working.
	return v.Show(status, "agent", shell.Frame{Title: "Agent of " + p.Name, Section: "projects",
		Crumbs: shell.ProjectCrumbs(p.Name, p.ProjectID), Live: v.R.Method == http.MethodGet}, page)
}
