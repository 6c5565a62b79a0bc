package adminapi

import (
	"context"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func showAgentUse(u agentjob.Use) client.AgentUsage {
	return client.AgentUsage{Steps: u.Steps, InputTokens: u.InputTokens, OutputTokens: u.OutputTokens,
		CostUSD: float64(u.CostMicros) / 1e6}
}

func showAgentJob(j agentjob.Job) client.AgentJob {
	out := client.AgentJob{ID: j.ID, Status: client.AgentJobStatus(j.Status),
		Source: client.AgentJobSource{Repository: j.Repository, Ref: orNull(j.Ref)}, Model: j.Model,
		PRLink: orNull(j.PRLink), CreatedAt: stamp(j.CreatedAt), ArchivedAt: stampOrNull(j.ArchivedAt),
		BaseBranch: orNull(j.Base), Title: orNull(j.Title),
		Summary: orNull(j.Summary), Error: orNull(j.Error), DryRun: j.DryRun, Usage: showAgentUse(j.Used), UpdatedAt: stamp(j.UpdatedAt)}
	if j.Outcome != "" {
		out.Outcome = new(client.AgentJobOutcome(j.Outcome))
	}
	if j.PRNumber != 0 {
		out.PullRequest = &client.AgentPullRequest{Number: j.PRNumber, State: string(j.PRState)}
		if j.PRState == "" {
			out.PullRequest.State = string(agentjob.PullOpen)
		}
	}
	return out
}

// openable returns the job with the URL of a repository that callers can open and that contains the job's branch. If
// the project's source is a folder, this is the repository on the embedded code host, which stores the branches of
// folder sources; the folder itself may not be a repository. Do not call openable within a transaction.
func (a *api) openable(c *call, projectID string, job client.AgentJob) client.AgentJob {
	_, local := project.Source{Repository: job.Source.Repository}.Disk()
	if local {
		if p, err := a.Store.FindProject(c.ctx(), c.org(), projectID); err == nil && p.Source.Path != "" {
			job.Source.Repository = a.gitURL(c, projectID)
			return job
		}
	}
	job.Source.Repository = a.repositoryURL(c, projectID, job.Source.Repository)
	return job
}

func (c *call) agentJobPath() (projectID, jobID string) {
	return c.pathID("projectId", id.Project), c.pathID("id", id.AgentJob)
}

func (a *api) createAgentJob(c *call) (response, error) {
	want, prompt, err := a.readAgentJob(c)
	if err != nil {
		return response{}, err
	}
	want.ProjectID = c.pathID("projectId", id.Project)
	made, replayed, err := doOnce(a, c, http.StatusCreated,
		func(tx *store.Tx) (client.AgentJob, error) { return a.startAgentJob(c, tx, want, prompt) })
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusCreated, body: a.openable(c, want.ProjectID, made),
		location: "/v2/agent/" + want.ProjectID + "/job/" + made.ID, poll: true, replayed: replayed}, nil
}

// readAgentJob parses the request body for a new job.
func (a *api) readAgentJob(c *call) (want agentjob.Job, prompt agentjob.Entry, err error) {
	var in struct {
		Prompt  string  `json:"prompt" required:"true"`
		Branch  *string `json:"branch"`
		Model   *string `json:"model"`
		AsDraft bool    `json:"asDraft"`
		DryRun  bool    `json:"dryRun"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return want, prompt, err
	}
	if prompt.Text, err = agentjob.CleanPrompt(in.Prompt); err != nil {
		return want, prompt, err
	}
	if want.Base, err = a.baseBranch(in.Branch); err != nil {
		return want, prompt, err
	}
	asked, err := askedModel(in.Model)
	if err != nil {
		return want, prompt, err
	}
	want.Model, err = agentjob.ChooseModel(a.AgentModels, asked)
	want.OrganizationID, want.Draft, want.DryRun, prompt.Author = c.org(), in.AsDraft, in.DryRun, c.principal.Actor()
	return want, prompt, err
}

// baseBranch returns the branch from which the agent starts; "" = the project's branch.
func (a *api) baseBranch(name *string) (string, error) {
	if name == nil {
		return "", nil
	}
	return *name, a.checkBranch(*name)
}

// askedModel returns the requested model; "" = none.
func askedModel(name *string) (string, error) {
	if name == nil {
		return "", nil
	}
	if *name == "" {
		return "", fault.New(fault.Invalid, "invalid_field", "model must not be empty.").WithField("model").
			WithHint("Omit it to use the server's default.")
	}
	return *name, nil
}

// startAgentJob stores a job for a project together with its audit record, which does not contain the prompt.
func (a *api) startAgentJob(c *call, tx *store.Tx, want agentjob.Job, prompt agentjob.Entry) (client.AgentJob, error) {
	p, err := tx.FindProject(c.ctx(), c.org(), want.ProjectID)
	if err != nil {
		return client.AgentJob{}, err
	}
	if err := checkFolderBranch(p, want.Base); err != nil {
		return client.AgentJob{}, err
	}
	want.Repository = p.Source.URL()
	j, err := tx.CreateAgentJob(c.ctx(), want, prompt)
	if err != nil {
		return client.AgentJob{}, err
	}
	return showAgentJob(j), tx.Record(c.ctx(), a.event(c, "agent.start", j.ID, markDryRun(j, map[string]string{"project": p.ID,
		"model": j.Model, "branch": j.Base})))
}

// markDryRun notes in an event's data that the job is a dry run.
func markDryRun(j agentjob.Job, data map[string]string) map[string]string {
	if j.DryRun {
		data["mode"] = "dry run"
	}
	return data
}

// checkFolderBranch rejects a branch if the project's source is a folder.
func checkFolderBranch(p project.Project, branch string) error {
	if branch == "" || p.Source.Path == "" {
		return nil
	}
	return fault.New(fault.Conflict, "no_branches", "The project's source is a folder, which has no branches.").
		WithField("branch").WithHint("Omit branch.")
}

func (a *api) getAgentJob(c *call) (response, error) {
	projectID, jobID := c.agentJobPath()
	j, err := a.Store.FindAgentJob(c.ctx(), c.org(), projectID, jobID)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: a.openable(c, projectID, showAgentJob(j)), poll: !j.Status.Ended()},
		nil
}

func (a *api) messageAgentJob(c *call) (response, error) {
	var in struct {
		Prompt string `json:"prompt" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	text, err := agentjob.CleanPrompt(in.Prompt)
	if err != nil {
		return response{}, err
	}
	projectID, jobID := c.agentJobPath()
	made, replayed, err := doOnce(a, c, http.StatusOK, func(tx *store.Tx) (client.AgentJob, error) {
		j, err := tx.SayToAgentJob(c.ctx(), c.org(), projectID, jobID,
			agentjob.Entry{Author: c.principal.Actor(), Text: text})
		if err != nil {
			return client.AgentJob{}, err
		}
		return showAgentJob(j), tx.Record(c.ctx(),
			a.event(c, "agent.message", j.ID, map[string]string{"project": j.ProjectID}))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: a.openable(c, projectID, made), poll: true, replayed: replayed}, nil
}

func (a *api) redoAgentJob(c *call) (response, error) {
	out, err := a.moveAgentJob(c, "agent.redo",
		func(tx *store.Tx, ctx context.Context, organizationID, projectID, jobID string) (agentjob.Job, error) {
			return tx.RedoAgentJob(ctx, organizationID, projectID, jobID, c.principal.Actor())
		})
	out.poll = true
	return out, err
}

func (a *api) stopAgentJob(c *call) (response, error) {
	return a.moveAgentJob(c, "agent.stop", (*store.Tx).StopAgentJob)
}

func (a *api) archiveAgentJob(c *call) (response, error) {
	return a.moveAgentJob(c, "agent.archive", (*store.Tx).ArchiveAgentJob)
}

// moveAgentJob changes the state of a job at the caller's request, and records the change.
func (a *api) moveAgentJob(c *call, action string,
	move func(tx *store.Tx, ctx context.Context, organizationID, projectID, jobID string) (agentjob.Job, error)) (response, error) {
	projectID, jobID := c.agentJobPath()
	var j agentjob.Job
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if j, err = move(tx, c.ctx(), c.org(), projectID, jobID); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, action, j.ID, map[string]string{"project": j.ProjectID}))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: a.openable(c, j.ProjectID, showAgentJob(j))}, nil
}

func (a *api) listAgentJobs(c *call) (response, error) {
	p, err := c.page()
	if err != nil {
		return response{}, err
	}
	var status agentjob.Status
	if v := c.r.URL.Query().Get("status"); v != "" {
		if status, err = agentjob.ParseStatus(v); err != nil {
			return response{}, err
		}
	}
	of, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	list, next, err := a.Store.ListAgentJobs(c.ctx(), c.org(), of.ID, status, p)
	if err != nil {
		return response{}, err
	}
	body := client.AgentJobList{Jobs: []client.AgentJob{}, NextCursor: orNull(next)}
	for _, j := range list {
		body.Jobs = append(body.Jobs, a.openable(c, j.ProjectID, showAgentJob(j)))
	}
	return response{status: http.StatusOK, body: body}, nil
}
