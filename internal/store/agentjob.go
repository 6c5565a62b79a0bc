package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const agentJobColumns = `j.id, j.organization_id, j.project_id, j.status, j.outcome, j.repository, j.ref, j.base, j.model, ` +
	`j.as_draft, j.title, j.summary, j.error,
	j.pr_link, j.pr_number, j.pr_state,
	j.round, j.base_commit, j.head_commit, j.steps, j.input_tokens, j.output_tokens, j.cost_micros, ` +
	`j.created_at, j.updated_at, j.archived_at, j.on_pull, j.issue, j.dry_run`

func scanAgentJob(s scanner) (agentjob.Job, error) {
	var j agentjob.Job
	var round, steps, created, updated int64
	var archived *int64
	err := s.Scan(&j.ID, &j.OrganizationID, &j.ProjectID, &j.Status, &j.Outcome, &j.Repository, &j.Ref, &j.Base, &j.Model, &j.Draft,
		&j.Title, &j.Summary, &j.Error,
		&j.PRLink, &j.PRNumber, &j.PRState,
		&round, &j.BaseCommit, &j.HeadCommit, &steps, &j.Used.InputTokens, &j.Used.OutputTokens, &j.Used.CostMicros,
		&created, &updated, &archived, &j.OnPull, &j.Issue, &j.DryRun)
	j.Round, j.Used.Steps = int(round), int(steps)
	j.CreatedAt, j.UpdatedAt, j.ArchivedAt = fromMicros(created), fromMicros(updated), fromMicrosOrNull(archived)
	return j, err
}

var errUnknownAgentJob = fault.New(fault.NotFound, "unknown_agent_job", "Agent job not found.")

// FindAgentJob returns a job that belongs to the given project and organization.
func (r reads) FindAgentJob(ctx context.Context, organizationID, projectID, jobID string) (agentjob.Job, error) {
	return r.oneAgentJob(ctx, `j.organization_id = $1 AND j.project_id = $2 AND j.id = $3`, organizationID, projectID,
		jobID)
}

// FindAgentJobByID returns a job, for the worker that runs it.
func (r reads) FindAgentJobByID(ctx context.Context, jobID string) (agentjob.Job, error) {
	return r.oneAgentJob(ctx, `j.id = $1`, jobID)
}

func (r reads) oneAgentJob(ctx context.Context, where string, args ...any) (agentjob.Job, error) {
	j, err := single(ctx, r.q, scanAgentJob, `SELECT `+agentJobColumns+` FROM agent_jobs j WHERE `+where, args...)
	if errors.Is(err, errNone) {
		return j, errUnknownAgentJob
	}
	return j, wrap("find agent job", err)
}

// ListAgentJobs returns one page of the list of a project's jobs, newest first. An empty status means all jobs.
func (r reads) ListAgentJobs(ctx context.Context, organizationID, projectID string, status agentjob.Status,
	p Page) ([]agentjob.Job, string, error) {
	at, after, err := p.place()
	if err != nil {
		return nil, "", err
	}
	list, err := collect(ctx, r.q, scanAgentJob,
		`SELECT `+agentJobColumns+` FROM agent_jobs j WHERE j.organization_id = $1 AND j.project_id = $2
		AND (j.created_at, j.id) < ($3, $4)
		AND ($5 = '' OR j.status = $5) ORDER BY j.created_at DESC, j.id DESC LIMIT $6`, organizationID, projectID, at,
		after, string(status), p.Limit+1)
	if err != nil {
		return nil, "", wrap("list agent jobs", err)
	}
	list, next := cut(list, p.Limit, func(j agentjob.Job) (int64, string) { return micros(j.CreatedAt), j.ID })
	return list, next, nil
}

// SkipAgentJobs skips the first skip of a project's jobs, newest first, and returns up to take of the following ones.
// It is for clients that page by offset instead of by cursor. A job that starts between two requests shifts all later
// jobs by one.
func (r reads) SkipAgentJobs(ctx context.Context, organizationID, projectID string, skip, take int) ([]agentjob.Job,
	error) {
	list, err := collect(ctx, r.q, scanAgentJob, `SELECT `+agentJobColumns+` FROM agent_jobs j WHERE `+
		`j.organization_id = $1 AND j.project_id = $2
		ORDER BY j.created_at DESC, j.id DESC LIMIT $3 OFFSET $4`, organizationID, projectID, take, skip)
	return list, wrap("list agent jobs", err)
}

// lockAgentJob locks a job's task and row until the transaction ends, and returns the job. Workers lock the task before
// its job. To avoid deadlocks, all code that changes both uses the same order.
func (t *Tx) lockAgentJob(ctx context.Context, jobID string) (agentjob.Job, error) {
	if _, err := single(ctx, t.q, value[string], `SELECT id FROM tasks WHERE id = $1`+t.forUpdate(),
		jobID); err != nil && !errors.Is(err, errNone) {
		return agentjob.Job{}, wrap("lock task", err)
	}
	return t.oneAgentJob(ctx, `j.id = $1`+t.forUpdate(), jobID)
}
