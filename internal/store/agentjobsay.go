package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// CreateAgentJob stores an active job, its first prompt, and its task in this transaction (J1). given is text that the
// prompt refers to; it is stored too. If the job adds to an existing pull request, the pull request must already be set
// in j. The job is refused if the project has reached its hourly limit on prompts.
func (t *Tx) CreateAgentJob(ctx context.Context, j agentjob.Job, prompt agentjob.Entry, given ...string) (agentjob.Job,
	error) {
	return t.createAgentJob(ctx, j, asPrompt(prompt, given)...)
}

// SubmitEdit stores an edit made by another program as a job that only has to apply the given calls. If jobID is not
// empty, the edit continues that job, which must contain earlier edits and must not be active. Otherwise a new job is
// created.
func (t *Tx) SubmitEdit(ctx context.Context, j agentjob.Job, jobID string, prompt agentjob.Entry,
	calls []agentjob.Call) (agentjob.Job, error) {
	entries := append(asPrompt(prompt, nil), agentjob.Entry{Kind: agentjob.Answer, Calls: calls})
	if jobID == "" {
		j.Model = agentjob.Submitted
		return t.createAgentJob(ctx, j, entries...)
	}
	return t.promptAgentJob(ctx, j.OrganizationID, j.ProjectID, jobID, agentjob.Job.CheckEdit, entries...)
}

// createAgentJob stores a job with the first entries of its record; entries[0] is the prompt.
func (t *Tx) createAgentJob(ctx context.Context, j agentjob.Job, entries ...agentjob.Entry) (agentjob.Job, error) {
	if err := t.admitPrompt(ctx, j.OrganizationID, j.ProjectID); err != nil {
		return j, err
	}
	j = agentjob.Job{ID: t.s.ids.New(id.AgentJob), OrganizationID: j.OrganizationID, ProjectID: j.ProjectID,
		Status: agentjob.Active, Repository: j.Repository,
		Base: j.Base, OnPull: j.OnPull, Issue: j.Issue, Ref: j.Ref, PRLink: j.PRLink, PRNumber: j.PRNumber, PRState: j.PRState,
		Model: j.Model, Draft: j.Draft, DryRun: j.DryRun, Title: cleanText(agentjob.TitleOf(entries[0].Text)), Round: 1, CreatedAt: t.now(), UpdatedAt: t.now()}
	_,
		err := t.q.exec(ctx,
		`INSERT INTO agent_jobs (id, organization_id, project_id, status, repository, base, model, as_draft, title, created_at, updated_at,
		on_pull, issue, ref, pr_link, pr_number, pr_state, dry_run)
		VALUES ($1, $2, $3, 'active', $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13, $14, $15, $16)`, j.ID, j.OrganizationID, j.ProjectID, j.Repository,
		j.Base, j.Model, j.Draft, j.Title, micros(j.CreatedAt), j.OnPull, j.Issue, j.Ref, j.PRLink, j.PRNumber, string(j.PRState), j.DryRun)
	if err != nil {
		return j, wrap("store agent job", err)
	}
	if err := t.appendEntries(ctx, j, entries...); err != nil {
		return j, err
	}
	return j, t.queue(ctx, task.Agent, j.ID, j.OrganizationID)
}

// asPrompt returns a prompt entry that has only the fields which a user may set, followed by a note for each text in
// given.
func asPrompt(e agentjob.Entry, given []string) []agentjob.Entry {
	out := []agentjob.Entry{{Kind: agentjob.Prompt, Author: e.Author, Text: e.Text}}
	for _, text := range given {
		out = append(out, agentjob.Entry{Kind: agentjob.Note, Code: agentjob.Given, Text: text})
	}
	return out
}

// admitPrompt refuses a prompt if the project has reached its hourly limit (A5). The lock serializes concurrent
// prompts, so that each of them counts the others.
func (t *Tx) admitPrompt(ctx context.Context, organizationID, projectID string) error {
	if _, err := single(ctx, t.q, value[string],
		`SELECT id FROM projects WHERE organization_id = $1 AND id = $2`+t.forUpdate(), organizationID,
		projectID); errors.Is(err, errNone) {
		return errUnknownProject
	} else if err != nil {
		return wrap("lock project", err)
	}
	now := t.now()
	// Prompts with a time in the future were stored before the clock was set back. They must not count for longer than
	// other prompts (J10).
	recent, err := collect(ctx, t.q, value[int64],
		`SELECT at FROM agent_entries WHERE project_id = $1 AND kind = 'prompt' AND at > $2 AND at <= $3
		ORDER BY at DESC LIMIT $4`,
		projectID, micros(now.Add(-time.Hour)), micros(now), agentjob.HourlyPrompts)
	if err != nil {
		return wrap("count prompts", err)
	}
	if len(recent) < agentjob.HourlyPrompts {
		return nil
	}
	return agentjob.TooManyPrompts(fromMicros(recent[len(recent)-1]).Add(time.Hour).Sub(now))
}

// SayToAgentJob adds a prompt to a job, together with given, which is text that the prompt refers to. An active job
// reads the prompt at its next step. A job that has ended becomes active again, in a new round that starts from the
// job's own branch. If the job is archived, the error is a conflict.
func (t *Tx) SayToAgentJob(ctx context.Context, organizationID, projectID, jobID string,
	prompt agentjob.Entry, given ...string) (agentjob.Job, error) {
	return t.promptAgentJob(ctx, organizationID, projectID, jobID, func(j agentjob.Job) error {
		if err := j.CheckMessage(); err != nil || j.Status == agentjob.Active {
			return err
		}
		return agentjob.CheckEdge(j.Status, agentjob.Active)
	}, asPrompt(prompt, given)...)
}

// RedoAgentJob makes a job that has ended start over in a new round, from the latest state of the base branch. by is
// the principal who asked for it. If the job is active or has no open pull request, the error is a conflict.
func (t *Tx) RedoAgentJob(ctx context.Context, organizationID, projectID, jobID, by string) (agentjob.Job, error) {
	return t.promptAgentJob(ctx, organizationID, projectID, jobID, agentjob.Job.CheckRedo,
		agentjob.Entry{Kind: agentjob.Prompt, Code: agentjob.Redo, Author: by, Text: agentjob.RedoText})
}

// promptAgentJob appends prompts to the record of a job that passes check, and makes the job active if it is not.
func (t *Tx) promptAgentJob(ctx context.Context, organizationID, projectID, jobID string,
	check func(agentjob.Job) error, entries ...agentjob.Entry) (agentjob.Job, error) {
	j, err := t.FindAgentJob(ctx, organizationID, projectID, jobID)
	if err != nil {
		return j, err
	}
	if j, err = t.lockAgentJob(ctx, jobID); err != nil {
		return j, err
	}
	if err := check(j); err != nil {
		return j, err
	}
	if err := t.admitPrompt(ctx, organizationID, projectID); err != nil {
		return j, err
	}
	if j.Status != agentjob.Active {
		if err := t.wakeAgentJob(ctx, &j); err != nil {
			return j, err
		}
	}
	if err := t.appendEntries(ctx, j, entries...); err != nil {
		return j, err
	}
	return t.FindAgentJobByID(ctx, jobID)
}

// wakeAgentJob makes a locked job that has ended active again. Its task keeps its fence number, so that a late worker
// from the previous round cannot write to the new one (J3). The summary of the previous round is cleared, so that an
// interrupted round has no summary; the record still contains it.
func (t *Tx) wakeAgentJob(ctx context.Context, j *agentjob.Job) error {
	j.Round++
	if _, err := t.q.exec(ctx,
		`UPDATE agent_jobs SET status = 'active', round = $2, outcome = '', base_commit = '', summary = '', error = '', `+
			`updated_at = $3 WHERE id = $1`, j.ID,
		j.Round, micros(t.now())); err != nil {
		return wrap("wake agent job", err)
	}
	n,
		err := t.q.exec(ctx,
		`UPDATE tasks SET state = 'queued', attempts = 0, cancel_asked = FALSE, lease_owner = '', lease_until = 0, created_at = $2,
		not_before = 0, waits = 0, waiting_since = 0, ran_micros = 0 WHERE id = $1`, j.ID, micros(t.now()))
	if err != nil {
		return wrap("requeue task", err)
	}
	if n == 0 {
		return t.queue(ctx, task.Agent, j.ID, j.OrganizationID)
	}
	return t.wakeFor(ctx, task.Agent, j.OrganizationID)
}

// StopAgentJob ends the round of an active job. The job then waits for another message. Its worker notices this at the
// next heartbeat, and from now on the store refuses anything that the worker writes. Pushed commits are kept. If the
// job has already ended, the error is a conflict.
func (t *Tx) StopAgentJob(ctx context.Context, organizationID, projectID, jobID string) (agentjob.Job, error) {
	j, err := t.FindAgentJob(ctx, organizationID, projectID, jobID)
	if err != nil {
		return j, err
	}
	if j, err = t.lockAgentJob(ctx, jobID); err != nil {
		return j, err
	}
	if j.Status != agentjob.Active {
		return j, fault.Newf(fault.Conflict, "wrong_state", "The agent is not working: the job is %s.", j.Status)
	}
	if err := t.dismissAgent(ctx, j); err != nil {
		return j, err
	}
	if err := t.failAgentJob(ctx, &j, agentjob.Stopped, "The agent was stopped."); err != nil {
		return j, err
	}
	if err := t.queueReplies(ctx, j.ID); err != nil {
		return j, err
	}
	return t.FindAgentJobByID(ctx, jobID)
}

// dismissAgent ends the task of a locked job, whether or not a worker holds it.
func (t *Tx) dismissAgent(ctx context.Context, j agentjob.Job) error {
	if _, err := t.q.exec(ctx,
		`UPDATE tasks SET state = 'done', cancel_asked = TRUE, lease_owner = '', lease_until = 0 WHERE id = $1 AND state <> 'done'`,
		j.ID); err != nil {
		return wrap("stop agent", err)
	}
	return t.wakeNext(ctx, j.OrganizationID, task.Agents)
}

// ArchiveAgentJob archives a job. If the job is active, it is stopped: its worker notices this at the next heartbeat,
// and from now on the store refuses anything that the worker writes. If the job is already archived, the error is a
// conflict.
func (t *Tx) ArchiveAgentJob(ctx context.Context, organizationID, projectID, jobID string) (agentjob.Job, error) {
	j, err := t.FindAgentJob(ctx, organizationID, projectID, jobID)
	if err != nil {
		return j, err
	}
	if j, err = t.lockAgentJob(ctx, jobID); err != nil {
		return j, err
	}
	return t.archiveAgentJob(ctx, j)
}

// archiveAgentJob archives a locked job.
func (t *Tx) archiveAgentJob(ctx context.Context, j agentjob.Job) (agentjob.Job, error) {
	if j.Status == agentjob.Archived {
		return j, fault.New(fault.Conflict, "wrong_state", "The agent job is already archived.")
	}
	if err := t.dismissAgent(ctx, j); err != nil {
		return j, err
	}
	if j.Status == agentjob.Active {
		j.Outcome = agentjob.Stopped
	}
	if err := t.appendEntries(ctx, j,
		agentjob.Entry{Kind: agentjob.Note, Code: "archived", Text: "The job was archived."}); err != nil {
		return j, err
	}
	if _, err := t.q.exec(ctx,
		`UPDATE agent_jobs SET status = 'archived', outcome = $2, archived_at = $3, updated_at = $3 WHERE id = $1`, j.ID,
		string(j.Outcome), micros(t.now())); err != nil {
		return j, wrap("archive agent job", err)
	}
	if j.Status == agentjob.Active { // for a job that had already ended, replies were queued when it ended
		if err := t.queueReplies(ctx, j.ID); err != nil {
			return j, err
		}
	}
	return t.FindAgentJobByID(ctx, j.ID)
}
