package webhook

import (
	"context"
	"fmt"
	"strconv"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/store"
)

// foreign is the reason for ignoring a pull request.
const foreign = "The pull request was not opened by an agent."

// note records the result of an agent's pull request together with its event.
func (r *Receiver) note(ctx context.Context, p project.Project, e pull.Event, c Call) (Result, error) {
	if e.Change != pull.Ended && e.Change != pull.Reopened {
		return Result{Reason: "An agent's pull request has the preview that the agent made."}, nil
	}
	entry, action := describeState(e)
	return r.once(ctx, p, e.Delivery, "record pull request", c, func(tx *store.Tx, res *Result) error {
		jobID, found, err := tx.NoteAgentPull(ctx, p.ID, e.Head, e.Number, agentjob.PullState(e.State), entry)
		if err != nil {
			return err
		}
		if !found {
			res.Reason = foreign
			return nil
		}
		res.JobID = jobID
		return tx.Record(ctx, event.New(p.OrganizationID, "webhook", action, jobID, c.RequestID, r.now(),
			map[string]string{"project": p.ID, "branch": e.Head, "number": strconv.FormatInt(e.Number, 10),
				"commit": e.Commit}))
	})
}

// describeState describes a pull request's state for a job's transcript and the audit log.
func describeState(e pull.Event) (entry agentjob.Entry, action string) {
	entry = agentjob.Entry{Kind: agentjob.Note}
	switch e.State {
	case pull.Merged:
		entry.Code, entry.Text, action = "pull_merged", fmt.Sprintf("Pull request %d was merged.", e.Number),
			"agent.pull_merged"
	case pull.Closed:
		entry.Code, entry.Text, action = "pull_closed",
			fmt.Sprintf("Pull request %d was closed without being merged.", e.Number), "agent.pull_closed"
	default:
		entry.Code, entry.Text, action = "pull_reopened", fmt.Sprintf("Pull request %d was reopened.", e.Number),
			"agent.pull_reopened"
	}
	return entry, action
}
