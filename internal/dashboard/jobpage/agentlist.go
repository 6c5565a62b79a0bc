package jobpage

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/llm/rules"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// agentPage is the data of a project's agent page.
type agentPage struct {
	Project   client.Project
	Tabs      []shell.Tab
	FormError *shell.PageError // error of the submitted form
	Form      agentForm
	Models    []string        // none = this server runs no agents
	Branches  bool            // whether the source has branches
	Prompts   []string        // examples
	Rules     []rules.Ability // abilities of the rule-based model; none = it is not offered
	RulesOnly bool            // no other model is configured
	List      shell.Listing[agentRow]
	Proposals []client.Proposal // open proposals
	Example   string
}

// agentForm contains the user's input.
type agentForm struct {
	Prompt, Branch, Model string
	Draft, DryRun         bool
}

// FieldErrors returns the errors of fields. Used by the template.
func (p agentPage) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

func listAgentJobs(b *shell.Board, v *shell.Visit) error {
	return showAgentJobs(v, http.StatusOK,
		agentPage{Form: agentForm{Prompt: v.Query("prompt"), Branch: v.Query("branch")}})
}

func startAgentJob(b *shell.Board, v *shell.Visit) error {
	form := agentForm{Prompt: v.Form.Get("prompt"), Branch: v.Field("branch"), Model: v.Field("model"),
		Draft: v.Field("draft") != "", DryRun: v.Field("dry-run") != ""}
	projectID := v.R.PathValue("projectId")
	job, err := v.API.CreateAgentJob(v.Ctx(), projectID,
		client.CreateAgentJob{Prompt: form.Prompt, Branch: form.Branch, Model: form.Model, AsDraft: form.Draft, DryRun: form.DryRun})
	if err != nil {
		pageErr := shell.FormError(err)
		if pageErr == nil || pageErr.Status == http.StatusNotFound {
			return err
		}
		return showAgentJobs(v, pageErr.Status, agentPage{Form: form, FormError: pageErr})
	}
	return v.Done(shell.ProjectPath(projectID, shell.AgentPath+"/"+job.ID), "agent-started")
}

// agentJobList loads the page of a project's jobs selected by the URL.
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

// shownPrompts is the number of examples below the prompt.
const shownPrompts = 4

// abilities lists the tasks that the rule-based model understands if it is one of the models, and reports whether it
// is the only one.
func abilities(models []string) (list []rules.Ability, only bool) {
	if !slices.Contains(models, rules.Name) {
		return nil, false
	}
	return rules.Abilities(), len(models) == 1
}

// openShown is the number of newest proposals searched for open ones.
const openShown = 50

// showAgentJobs loads the remaining data and shows the page.
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
	// Without scripts the page is not reloaded while someone is writing a prompt, because it is never Working.
	return v.Show(status, "agent", shell.Frame{Title: "Agent of " + p.Name, Section: "projects",
		Crumbs: shell.ProjectCrumbs(p.Name, p.ProjectID), Live: v.R.Method == http.MethodGet}, page)
}
