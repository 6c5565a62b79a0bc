package client

import (
	"context"
	"net/http"
)

// Ended reports whether the agent has stopped working.
func (s AgentJobStatus) Ended() bool { return s != AgentJobStatusActive }

// agentPath is where the agent operations of a project live.
func agentPath(projectID string, more ...string) []string {
	return append([]string{"v2", "agent", projectID}, more...)
}

// CreateAgentJob lets an agent work on a project.
func (c *Client) CreateAgentJob(ctx context.Context, projectID string, in CreateAgentJob, opts ...RequestOption) (*AgentJob, error) {
	return submit[AgentJob](ctx, c, http.MethodPost, in, opts, agentPath(projectID, "job")...)
}

// GetAgentJob reads an agent job's state.
func (c *Client) GetAgentJob(ctx context.Context, projectID, id string) (*AgentJob, error) {
	return get[AgentJob](ctx, c, nil, agentPath(projectID, "job", id)...)
}

// MessageAgentJob says something to a job; one that ended becomes active again.
func (c *Client) MessageAgentJob(ctx context.Context, projectID, id, prompt string, opts ...RequestOption) (*AgentJob, error) {
	body := struct {
		Prompt string `json:"prompt"`
	}{prompt}
	return submit[AgentJob](ctx, c, http.MethodPost, body, opts, agentPath(projectID, "job", id, "message")...)
}

// ArchiveAgentJob puts a job away; an active one is stopped first.
func (c *Client) ArchiveAgentJob(ctx context.Context, projectID, id string) (*AgentJob, error) {
	return submit[AgentJob](ctx, c, http.MethodPost, nil, nil, agentPath(projectID, "job", id, "archive")...)
}

// ListAgentJobs lists a project's jobs; only those in the given state unless it is "".
func (c *Client) ListAgentJobs(ctx context.Context, projectID string, page Page, status AgentJobStatus) (*AgentJobList, error) {
	q := page.query()
	if status != "" {
		q.Set("status", string(status))
	}
	return get[AgentJobList](ctx, c, q, agentPath(projectID, "jobs")...)
}

// WaitAgentJob polls a job until it is not active any more. onProgress, which may be nil, is called with every new state, the last one
// included. When the job failed, the error is a *FailedError and the job is returned too.
func (c *Client) WaitAgentJob(ctx context.Context, projectID, id string, onProgress func(AgentJob)) (*AgentJob, error) {
	job, err := poll(ctx, c, agentPath(projectID, "job", id), onProgress, func(j *AgentJob) bool { return j.Status.Ended() })
	if err != nil {
		return nil, err
	}
	if job.Status == AgentJobStatusFailed {
		return job, &FailedError{ID: id, Reason: orUnknown(job.Error)}
	}
	return job, nil
}
