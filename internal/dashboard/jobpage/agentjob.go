package jobpage

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/diffview"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// agentJobPage is the data of one agent job's page.
type agentJobPage struct {
	client.AgentJob
	Project   client.Project
	Name      string
	FormError *shell.PageError // error of the submitted form
	Message   string           // text of a rejected message
	Record    transcript
	Local     string                  // path of its proposal; "" = none, or the pull request is on another host
	Proposal  *client.ProposalChanges // on the embedded code host; nil = as above, or the agent is still working
	Change    change                  // changes of the proposal or the dry run, once the agent has stopped
	Said      []diffview.Block        // the agent's summary
	Cost      string                  // "" if the operator set no prices
	Example   string
}

// Active reports whether the agent is working. Used by the template.
func (p agentJobPage) Active() bool { return !p.Status.Ended() }

// Redoable reports whether the agent can redo its work. Used by the template.
func (p agentJobPage) Redoable() bool {
	return !p.Active() && p.Status != client.AgentJobStatusArchived && p.PullRequest != nil && p.PullRequest.State == "open"
}

// State returns the text of the badge. Used by the template.
func (p agentJobPage) State() string { return stateOf(p.AgentJob) }

// Came returns the outcome, or "" if there is none yet. Used by the template.
func (p agentJobPage) Came() string {
	if p.Outcome == nil {
		return ""
	}
	return string(*p.Outcome)
}

// FieldErrors returns the errors of fields. Used by the template.
func (p agentJobPage) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

// Path returns the path of the page.
func (p agentJobPage) Path() string {
	return shell.ProjectPath(p.Project.ProjectID, shell.AgentPath+"/"+p.ID)
}

// API returns the job's path in the API.
func (p agentJobPage) API() string { return "/v2/agent/" + p.Project.ProjectID + "/job/" + p.ID }

func showAgentJob(b *shell.Board, v *shell.Visit) error {
	return showJob(v, http.StatusOK, agentJobPage{})
}

func agentJobIDs(v *shell.Visit) (projectID, jobID string) {
	return v.R.PathValue("projectId"), v.R.PathValue("jobId")
}

// agentJobDone redirects to the job's page.
func agentJobDone(v *shell.Visit, did string) error {
	projectID, jobID := agentJobIDs(v)
	return v.Done(shell.ProjectPath(url.PathEscape(projectID), shell.AgentPath+"/"+url.PathEscape(jobID)), did)
}

// backToAgentJob redirects from the URL of a form response, which cannot be opened again.
func backToAgentJob(b *shell.Board, v *shell.Visit) error {
	projectID, jobID := agentJobIDs(v)
	if _, err := v.API.GetAgentJob(v.Ctx(), projectID, jobID); err != nil {
		return err
	}
	return agentJobDone(v, "")
}

func messageAgentJob(b *shell.Board, v *shell.Visit) error {
	projectID, jobID := agentJobIDs(v)
	message := v.Form.Get("message")
	if _, err := v.API.MessageAgentJob(v.Ctx(), projectID, jobID, client.MessageAgentJob{Prompt: message}); err != nil {
		return agentJobRefused(v, err, message)
	}
	return agentJobDone(v, "agent-message-sent")
}

func redoAgentJob(b *shell.Board, v *shell.Visit) error {
	projectID, jobID := agentJobIDs(v)
	if _, err := v.API.RedoAgentJob(v.Ctx(), projectID, jobID); err != nil {
		return agentJobRefused(v, err, "")
	}
	return agentJobDone(v, "agent-redo")
}

func stopAgentJob(b *shell.Board, v *shell.Visit) error {
	projectID, jobID := agentJobIDs(v)
	if _, err := v.API.StopAgentJob(v.Ctx(), projectID, jobID); err != nil {
		return agentJobRefused(v, err, "")
	}
	return agentJobDone(v, "agent-stopped")
}

func archiveAgentJob(b *shell.Board, v *shell.Visit) error {
	projectID, jobID := agentJobIDs(v)
	if _, err := v.API.ArchiveAgentJob(v.Ctx(), projectID, jobID); err != nil {
		return agentJobRefused(v, err, "")
	}
	return agentJobDone(v, "agent-archived")
}

func agentJobRefused(v *shell.Visit, err error, message string) error {
	pageErr := shell.FormError(err)
	if pageErr == nil || pageErr.Status == http.StatusNotFound {
		return err
	}
	if words := pageErr.Fields["prompt"]; words != "" { // the form uses another name
		pageErr.Fields["message"] = words
	}
	return showJob(v, pageErr.Status, agentJobPage{FormError: pageErr, Message: message})
}

// showJob loads the job and its transcript and shows the page.
func showJob(v *shell.Visit, status int, page agentJobPage) error {
	projectID, jobID := agentJobIDs(v)
	job, err := v.API.GetAgentJob(v.Ctx(), projectID, jobID)
	if err != nil {
		return err
	}
	p, err := v.API.GetProject(v.Ctx(), projectID)
	if err != nil {
		return err
	}
	page.AgentJob, page.Project, page.Name = *job, *p, nameOf(*job)
	page.Said = diffview.Blocks(shell.Text(job.Summary))
	page.Example = shell.Body(map[string]string{"prompt": "and fix the images too"})
	if job.Usage.CostUSD > 0 {
		page.Cost = "$" + strconv.FormatFloat(job.Usage.CostUSD, 'f', 4, 64)
	}
	if page.Record, err = readTranscript(v, projectID, jobID); err != nil {
		return err
	}
	if first := page.Record.Entries; job.Title == nil && len(first) > 0 && first[0].Kind == "prompt" {
		page.Name = firstLine(first[0].Words.Text)
	}
	if page.DryRun && !page.Active() && page.Record.Patch != "" {
		page.Change = patchOf(page.Record.Patch)
	}
	if err := attachProposal(v, &page); err != nil {
		return err
	}
	// The page is updated only while the agent is working, because each update reads the transcript again. Working is
	// not set, because a page without scripts would then be reloaded while someone is writing a message.
	return v.Show(status, "agentjob",
		shell.Frame{Title: page.Name, Section: "projects", Live: page.Active() && v.R.Method == http.MethodGet,
			Crumbs: append(shell.ProjectCrumbs(p.Name, p.ProjectID),
				shell.Crumb{Text: "Agent", Path: shell.ProjectPath(p.ProjectID, shell.AgentPath)})}, page)
}

// attachProposal loads the proposal behind a job's link, if it is on the embedded code host. Computing its changes is
// expensive, so this waits until the agent has stopped.
func attachProposal(v *shell.Visit, page *agentJobPage) error {
	id, ok := ownProposal(shell.Text(page.PRLink), page.Project.ProjectID)
	if !ok {
		return nil
	}
	page.Local = proposal.Page(page.Project.ProjectID, id)
	if page.Active() {
		return nil
	}
	p, err := v.API.GetProposal(v.Ctx(), page.Project.ProjectID, id)
	if pageErr := shell.NewPageError(err); err != nil && pageErr.Status == http.StatusNotFound {
		page.Local = "" // a link to another server that looks like ours
		return nil
	}
	if err != nil {
		return err
	}
	page.Proposal, page.Change = p, changeOf(*p, siteOf(*p, page.Project))
	return nil
}

// ownProposal returns the id of the proposal that a pull request's link leads to, if it is on the embedded code host.
// The host name is ignored: the server may have had another name when the link was created.
func ownProposal(link, projectID string) (string, bool) {
	u, err := url.Parse(link)
	if err != nil {
		return "", false
	}
	id := u.Path[strings.LastIndexByte(u.Path, '/')+1:]
	return id, strings.HasPrefix(id, "pp_") &&
		(u.Path == proposal.Page(projectID, id) || u.Path == shell.OldPath+"proposals/"+id)
}

const nameLength = 80 // characters

// firstLine returns the start of a prompt, as a name for its job.
func firstLine(prompt string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	return clip.Words(line, nameLength)
}
