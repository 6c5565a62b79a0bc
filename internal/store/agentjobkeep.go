package store

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/event"
)

// keepBatch is the maximum number of jobs that one call archives. Later calls archive the rest.
const keepBatch = 500

// ArchiveEndedAgentJobs archives jobs that have ended and have not changed for keep. It returns the number of
// archived jobs.
func (s *Store) ArchiveEndedAgentJobs(ctx context.Context, keep time.Duration) (archived int, err error) {
	before := micros(s.now().Add(-keep))
	ids, err := collect(ctx, s.q, value[string],
		`SELECT id FROM agent_jobs WHERE status IN ('completed', 'failed') AND updated_at < $1
		ORDER BY updated_at LIMIT $2`, before, keepBatch)
	if err != nil {
		return 0, wrap("list ended agent jobs", err)
	}
	for _, one := range ids {
		done := false
		err := s.Tx(ctx, func(t *Tx) error {
			done = false
			j, err := t.lockAgentJob(ctx, one)
			if err != nil || !j.Status.Ended() || j.Status == agentjob.Archived || micros(j.UpdatedAt) >= before {
				return err // the job has changed in the meantime
			}
			if _, err := t.archiveAgentJob(ctx, j); err != nil {
				return err
			}
			done = true
			return t.Record(ctx, event.New(j.OrganizationID, "system", "agent.archive", j.ID, "", t.now(),
				map[string]string{"project": j.ProjectID, "reason": "age"}))
		})
		if err != nil {
			return archived, err
		}
		if done {
			archived++
		}
	}
	return archived, nil
}

// DropAgentRecords deletes the records and tasks of jobs that were archived more than keep ago, but not the jobs
// themselves. It returns the number of deleted entries.
func (s *Store) DropAgentRecords(ctx context.Context, keep time.Duration) (dropped int64, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		const old = `(SELECT id FROM agent_jobs WHERE status = 'archived' AND archived_at < $1)`
		before := micros(t.now().Add(-keep))
		if dropped, err = t.q.exec(ctx, `DELETE FROM agent_entries WHERE job_id IN `+old, before); err != nil {
			return wrap("drop records", err)
		}
		_, err := t.q.exec(ctx, `DELETE FROM tasks WHERE kind = 'agent' AND state = 'done' AND id IN `+old, before)
		return wrap("drop tasks", err)
	})
	return dropped, err
}

// archiveAgentJobsOf stops and archives the active jobs of a project that is being deleted.
func (t *Tx) archiveAgentJobsOf(ctx context.Context, organizationID, projectID string) error {
	ids, err := collect(ctx, t.q, value[string],
		`SELECT id FROM agent_jobs WHERE organization_id = $1 AND project_id = $2 AND status = 'active'
		ORDER BY id`, organizationID, projectID)
	if err != nil {
		return wrap("list active agent jobs", err)
	}
	for _, one := range ids {
		j, err := t.lockAgentJob(ctx, one)
		if err != nil {
			return err
		}
		if j.Status == agentjob.Archived {
			continue
		}
		if _, err := t.archiveAgentJob(ctx, j); err != nil {
			return err
		}
	}
	return nil
}
