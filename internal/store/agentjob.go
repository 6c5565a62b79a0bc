package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/agentjob"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/id"
)

const agentJobColumns = `id, organization_id, project_id, status, repository, ref, model, pr_link, created_at, updated_at, archived_at`

func scanAgentJob(s scanner) (agentjob.Job, error) {
	var j agentjob.Job
	var created, updated int64
	var archived *int64
	err := s.Scan(&j.ID, &j.OrganizationID, &j.ProjectID, &j.Status, &j.Repository, &j.Ref, &j.Model, &j.PRLink, &created, &updated, &archived)
	j.CreatedAt, j.UpdatedAt, j.ArchivedAt = fromMicros(created), fromMicros(updated), fromMicrosOrNull(archived)
	return j, err
}

// CreateAgentJob stores an active agent job.
func (t *Tx) CreateAgentJob(ctx context.Context, j agentjob.Job) (agentjob.Job, error) {
	j.ID, j.Status, j.CreatedAt, j.UpdatedAt = t.s.ids.New(id.AgentJob), agentjob.Active, t.now(), t.now()
	_, err := t.q.exec(ctx, `INSERT INTO agent_jobs (id, organization_id, project_id, status, repository, ref, model, created_at, updated_at)
		VALUES ($1, $2, $3, 'active', $4, $5, $6, $7, $7)`, j.ID, j.OrganizationID, j.ProjectID, j.Repository, j.Ref, j.Model, micros(j.CreatedAt))
	return j, wrap("store agent job", err)
}

// FindAgentJob returns a job of a project of the organization.
func (r reads) FindAgentJob(ctx context.Context, organizationID, projectID, jobID string) (agentjob.Job, error) {
	j, err := single(ctx, r.q, scanAgentJob, `SELECT `+agentJobColumns+` FROM agent_jobs WHERE organization_id = $1 AND project_id = $2 AND id = $3`, organizationID, projectID, jobID)
	if errors.Is(err, errNone) {
		return j, fault.New(fault.NotFound, "unknown_agent_job", "There is no such agent job.")
	}
	return j, wrap("find agent job", err)
}

// MoveAgentJob changes a job's state along a documented edge; prLink "" leaves the link as it is.
func (t *Tx) MoveAgentJob(ctx context.Context, j agentjob.Job, to agentjob.Status, prLink string) error {
	if err := agentjob.CheckEdge(j.Status, to); err != nil {
		return err
	}
	var archived *int64
	if to == agentjob.Archived {
		now := micros(t.now())
		archived = &now
	}
	n, err := t.q.exec(ctx, `UPDATE agent_jobs SET status = $3, pr_link = CASE WHEN $4 = '' THEN pr_link ELSE $4 END, archived_at = $5, updated_at = $6 WHERE id = $1 AND status = $2`,
		j.ID, string(j.Status), string(to), prLink, archived, micros(t.now()))
	if err == nil && n == 0 {
		return fault.New(fault.Conflict, "wrong_state", "The agent job changed its state meanwhile.")
	}
	return wrap("change agent job", err)
}
