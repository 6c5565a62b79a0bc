package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// FindAgentJobByBranch returns the newest job that owns a branch.
func (r reads) FindAgentJobByBranch(ctx context.Context, projectID, branch string) (agentjob.Job, error) {
	return r.oneAgentJob(ctx,
		`j.project_id = $1 AND j.ref = $2 AND j.ref <> '' AND NOT j.on_pull ORDER BY j.created_at DESC, j.id DESC LIMIT 1`, projectID,
		branch)
}

// FindAgentJobByPastBranch returns the job that works on a branch of a project, or that worked on it until the
// branch's pull request was merged or closed.
func (r reads) FindAgentJobByPastBranch(ctx context.Context, projectID, branch string) (agentjob.Job, error) {
	j, err := r.FindAgentJobByBranch(ctx, projectID, branch)
	end, ok := agentjob.BranchOwner(branch)
	if !ok || !errors.Is(err, errUnknownAgentJob) {
		return j, err
	}
	return r.oneAgentJob(ctx, `j.project_id = $1 AND lower(j.id) LIKE $2 AND j.ref <> '' LIMIT 1`, projectID, "%"+end)
}

// NoteAgentPull records the state of a branch's pull request in the agent job that works on the branch, even if the job
// is archived. found reports whether there is such a job. Jobs that only added commits to the pull request are updated
// too. Nothing changes if the state is already known, or if the report is about another pull request from the same
// branch. A merged pull request stays merged.
func (t *Tx) NoteAgentPull(ctx context.Context, projectID, head string, number int64, state agentjob.PullState,
	note agentjob.Entry) (jobID string,
	found bool, err error) {
	if err := t.NoteOnPull(ctx, projectID, number, state, note); err != nil || head == "" {
		return "", false, err
	}
	j, err := single(ctx, t.q, scanAgentJob,
		`SELECT `+agentJobColumns+` FROM agent_jobs j WHERE j.project_id = $1 AND j.ref = $2
		AND NOT j.on_pull ORDER BY j.created_at DESC, j.id DESC LIMIT 1`+t.forUpdate(), projectID, head)
	if errors.Is(err, errNone) {
		return "", false, nil
	}
	if err != nil {
		return "", false, wrap("find agent job of a branch", err)
	}
	if j.PRNumber != 0 && number != j.PRNumber {
		return "", false, nil
	}
	if state == j.PRState || j.PRState == agentjob.PullMerged {
		return j.ID, true, nil
	}
	if _, err := t.q.exec(ctx, `UPDATE agent_jobs SET pr_state = $2, updated_at = $3 WHERE id = $1`, j.ID,
		string(state), micros(t.now())); err != nil {
		return "", false, wrap("record pull request", err)
	}
	if state == agentjob.PullMerged {
		if err := t.mergeReceipts(ctx, j); err != nil {
			return "", false, err
		}
	}
	note.Kind = agentjob.Note
	return j.ID, true, t.appendEntries(ctx, j, note)
}

// NoteOnPull records the state of a pull request in the jobs that added commits to it.
func (t *Tx) NoteOnPull(ctx context.Context, projectID string, number int64, state agentjob.PullState,
	note agentjob.Entry) error {
	list, err := collect(ctx, t.q, scanAgentJob, `SELECT `+agentJobColumns+` FROM agent_jobs j WHERE j.project_id = $1
		AND j.on_pull AND j.pr_number = $2 AND j.pr_state NOT IN ($3, 'merged') ORDER BY j.id`+t.forUpdate(), projectID, number,
		string(state))
	if err != nil {
		return wrap("list agent jobs of a pull request", err)
	}
	note.Kind = agentjob.Note
	for _, j := range list {
		if _, err := t.q.exec(ctx, `UPDATE agent_jobs SET pr_state = $2, updated_at = $3 WHERE id = $1`, j.ID, string(state),
			micros(t.now())); err != nil {
			return wrap("record pull request", err)
		}
		if state == agentjob.PullMerged {
			if err := t.mergeReceipts(ctx, j); err != nil {
				return err
			}
		}
		if err := t.appendEntries(ctx, j, note); err != nil {
			return err
		}
	}
	return nil
}
