package store

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/task"
)

// StartAgentJob returns the job whose task the worker holds. It keeps values that an earlier attempt in the same round
// stored, such as the commit that the attempt works on.
func (s *Store) StartAgentJob(ctx context.Context, h task.Hold, lease time.Duration) (agentjob.Job, error) {
	var j agentjob.Job
	err := s.Tx(ctx, func(t *Tx) (err error) {
		j, err = t.holdAgentJob(ctx, h, lease)
		return err
	})
	return j, err
}

// holdAgentJob renews the lease and locks the job. If the job is not active, there is nothing to do. In that case the
// task should have ended together with the job.
func (t *Tx) holdAgentJob(ctx context.Context, h task.Hold, lease time.Duration) (agentjob.Job, error) {
	canceled, err := t.hold(ctx, h, lease)
	if err != nil {
		return agentjob.Job{}, err
	}
	if canceled {
		return agentjob.Job{}, task.ErrCanceled
	}
	return t.activeAgentJob(ctx, h)
}

func (t *Tx) activeAgentJob(ctx context.Context, h task.Hold) (agentjob.Job, error) {
	j, err := t.oneAgentJob(ctx, `j.id = $1`+t.forUpdate(), h.TaskID)
	if err == nil && j.Status != agentjob.Active {
		return j, task.Lost{TaskID: h.TaskID}
	}
	return j, err
}

// AgentProgress holds the job fields that an agent updates. Zero values leave the job's fields unchanged.
type AgentProgress struct {
	// Fresh clears the branch and the pull request, because the pull request was merged or closed. Ref is then the new
	// branch of the job.
	Fresh      bool
	Ref        string // cannot change unless Fresh is set: a job has only one branch at a time
	BaseCommit string
	HeadCommit string
	Title      string
	Summary    string
	PRLink     string
	PRNumber   int64
	PRState    agentjob.PullState
}

// apply copies the fields that are set into the job.
func (p AgentProgress) apply(j *agentjob.Job) {
	set := func(to *string, v string) {
		if v != "" {
			*to = cleanText(v)
		}
	}
	if p.Fresh {
		j.Ref, j.BaseCommit, j.HeadCommit, j.PRLink, j.PRNumber, j.PRState = "", "", "", "", 0, ""
		j.OnPull = false // the new branch is the job's own
	}
	set(&j.Ref, p.Ref)
	set(&j.BaseCommit, p.BaseCommit)
	set(&j.HeadCommit, p.HeadCommit)
	set(&j.Title, p.Title)
	set(&j.Summary, p.Summary)
	set(&j.PRLink, p.PRLink)
	// the code host reported the outcome before the pull request was recorded
	early := j.PRNumber == 0 && j.PRState != ""
	if p.PRState != "" && !(early && p.PRState == agentjob.PullOpen) {
		j.PRState = p.PRState
	}
	if p.PRNumber != 0 {
		j.PRNumber = p.PRNumber
	}
}

// RecordAgent stores the progress of a held job and new record entries in one transaction, and renews the lease.
// The token usage of answers is added to the job's total.
func (s *Store) RecordAgent(ctx context.Context, h task.Hold, lease time.Duration, set AgentProgress,
	entries ...agentjob.Entry) (agentjob.Job, error) {
	var j agentjob.Job
	err := s.Tx(ctx, func(t *Tx) (err error) {
		if j, err = t.holdAgentJob(ctx, h, lease); err != nil {
			return err
		}
		set.apply(&j)
		if set.PRState == agentjob.PullMerged {
			if err := t.mergeReceipts(ctx, j); err != nil {
				return err
			}
		}
		return t.advanceAgentJob(ctx, &j, entries)
	})
	return j, err
}

// advanceAgentJob updates a locked active job and appends entries to its record.
func (t *Tx) advanceAgentJob(ctx context.Context, j *agentjob.Job, entries []agentjob.Entry) error {
	for _, e := range entries {
		if e.Kind == agentjob.Answer {
			j.Used = j.Used.Add(e.Used)
		}
	}
	j.UpdatedAt = t.now()
	_,
		err := t.q.exec(ctx,
		`UPDATE agent_jobs SET ref = $2, base_commit = $3, head_commit = $4, title = $5, summary = $6, pr_link = $7, pr_number = $8,
		pr_state = $9,
		steps = $10, input_tokens = $11, output_tokens = $12, cost_micros = $13, updated_at = $14, on_pull = $15 WHERE id = $1`,
		j.ID, j.Ref, j.BaseCommit, j.HeadCommit, j.Title, j.Summary, j.PRLink, j.PRNumber, string(j.PRState),
		j.Used.Steps, j.Used.InputTokens, j.Used.OutputTokens, j.Used.CostMicros, micros(j.UpdatedAt), j.OnPull)
	if err != nil {
		return wrap("store agent's progress", err)
	}
	return t.appendEntries(ctx, *j, entries...)
}

// CompleteAgentJob completes a held job with an outcome. seen is the sequence number of the last entry that the agent
// has read. If a prompt was added after that entry, the job stays active and the error is agentjob.ErrUnread.
func (s *Store) CompleteAgentJob(ctx context.Context, h task.Hold, seen int64, outcome agentjob.Outcome,
	entries ...agentjob.Entry) error {
	return s.endAgentJob(ctx, h, func(t *Tx, j agentjob.Job) error {
		unread, err := single(ctx, t.q, value[int64],
			`SELECT count(*) FROM agent_entries WHERE job_id = $1 AND kind = 'prompt' AND sequence > $2`, j.ID, seen)
		if err != nil {
			return wrap("count unread prompts", err)
		}
		if unread > 0 {
			return agentjob.ErrUnread
		}
		if err := t.advanceAgentJob(ctx, &j, entries); err != nil {
			return err
		}
		if _, err = t.q.exec(ctx, `UPDATE agent_jobs SET status = 'completed', outcome = $2, updated_at = $3 WHERE id = $1`,
			j.ID, string(outcome), micros(t.now())); err != nil {
			return wrap("complete agent job", err)
		}
		j.Outcome = outcome
		return t.recordAgentEnd(ctx, "agent.complete", j)
	})
}

// FailAgentJob marks a held job as failed. The message is meant for the job's owner and is also added to the record
// (J6).
func (s *Store) FailAgentJob(ctx context.Context, h task.Hold, public string) error {
	if public = cleanText(public); public == "" {
		public = "An internal error occurred."
	}
	return s.endAgentJob(ctx, h, func(t *Tx, j agentjob.Job) error {
		if err := t.failAgentJob(ctx, &j, agentjob.Broken, public); err != nil {
			return err
		}
		return t.recordAgentEnd(ctx, "agent.fail", j)
	})
}

// failAgentJob marks a locked job as failed after its task has ended, and adds the message to its record.
func (t *Tx) failAgentJob(ctx context.Context, j *agentjob.Job, outcome agentjob.Outcome, public string) error {
	if err := t.appendEntries(ctx, *j,
		agentjob.Entry{Kind: agentjob.Note, Code: string(outcome), Text: public}); err != nil {
		return err
	}
	if _, err := t.q.exec(ctx,
		`UPDATE agent_jobs SET status = 'failed', outcome = $2, error = $3, updated_at = $4 WHERE id = $1`,
		j.ID, string(outcome), public, micros(t.now())); err != nil {
		return wrap("fail agent job", err)
	}
	j.Outcome = outcome
	return nil
}

// recordAgentEnd records an event for the end of a job's round, and queues replies to the users who requested the job
// on a code host.
func (t *Tx) recordAgentEnd(ctx context.Context, action string, j agentjob.Job) error {
	if err := t.queueReplies(ctx, j.ID); err != nil {
		return err
	}
	return t.Record(ctx, event.New(j.OrganizationID, "system", action, j.ID, "", t.now(),
		filled(map[string]string{"project": j.ProjectID, "branch": j.Ref, "pull": j.PRLink, "outcome": string(j.Outcome)})))
}

// endAgentJob ends the task and calls write to end the job. Storing a new message also locks the task, so a message is
// stored either before this transaction or after it.
func (s *Store) endAgentJob(ctx context.Context, h task.Hold, write func(*Tx, agentjob.Job) error) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		j, err := t.activeAgentJob(ctx, h)
		if err != nil {
			return err
		}
		return write(t, j)
	})
}
