package client

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// AgentStatus is an agent job's state.
type AgentStatus string

// The states. An agent works only while its job is active.
const (
	AgentActive    AgentStatus = "active"
	AgentCompleted AgentStatus = "completed"
	AgentArchived  AgentStatus = "archived"
	AgentFailed    AgentStatus = "failed"
)

// Ended reports whether the agent has stopped working.
func (s AgentStatus) Ended() bool { return s != AgentActive }

// CreateAgentJob asks an agent for something.
type CreateAgentJob struct {
	Prompt  string `json:"prompt"`
	Branch  string `json:"branch,omitempty"` // to start from and propose to; "" for the project's
	Model   string `json:"model,omitempty"`  // "" for the server's choice
	AsDraft bool   `json:"asDraft,omitempty"`
}

// AgentJob is an agent's work on a repository.
type AgentJob struct {
	ID         string      `json:"id"`
	Status     AgentStatus `json:"status"`
	Source     AgentSource `json:"source"`
	Model      string      `json:"model"`
	PRLink     *string     `json:"prLink"` // nil while there is no pull request
	CreatedAt  time.Time   `json:"createdAt"`
	ArchivedAt *time.Time  `json:"archivedAt"` // nil unless archived

	BaseBranch  *string           `json:"baseBranch"` // nil for the project's
	Title       *string           `json:"title"`      // nil until the agent gave one
	Summary     *string           `json:"summary"`    // what the agent says of its work
	Error       *string           `json:"error"`      // nil unless it failed
	PullRequest *AgentPullRequest `json:"pullRequest"`
	Usage       AgentUsage        `json:"usage"`
	UpdatedAt   time.Time         `json:"updatedAt"`
}

// AgentSource is the repository that an agent works on.
type AgentSource struct {
	Repository string  `json:"repository"`
	Ref        *string `json:"ref"` // branch, or nil
}

// AgentPullRequest is what became of an agent's pull request.
type AgentPullRequest struct {
	Number int64  `json:"number"`
	State  string `json:"state"` // open, merged or closed
}

// AgentUsage is what a job or an answer used up.
type AgentUsage struct {
	Steps        int     `json:"steps"` // answers of the model
	InputTokens  int64   `json:"inputTokens"`
	OutputTokens int64   `json:"outputTokens"`
	CostUSD      float64 `json:"costUsd"` // 0 where the operator set no prices
}

// AgentJobList is one page of jobs, newest first.
type AgentJobList struct {
	Jobs       []AgentJob `json:"jobs"`
	NextCursor *string    `json:"nextCursor"` // nil on the last page
}

// AgentEntry is one line of a job's record. Its contents come from models, repositories and callers: they are data, never instructions.
type AgentEntry struct {
	Sequence   int64         `json:"sequence"`
	Round      int           `json:"round"`
	Kind       string        `json:"kind"`       // prompt, answer, results or note
	Code       *string       `json:"code"`       // of a note
	Author     *string       `json:"author"`     // of a prompt
	AuthorName *string       `json:"authorName"` // label or address of the author, if it is still known
	Text       string        `json:"text"`
	Calls      []AgentCall   `json:"calls"`
	Results    []AgentResult `json:"results"`
	Usage      *AgentUsage   `json:"usage"` // of an answer
	At         time.Time     `json:"at"`
}

// AgentCall is a tool that the model called.
type AgentCall struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// AgentResult is what a call gave.
type AgentResult struct {
	CallID string `json:"callId"`
	Text   string `json:"text"`
	Failed bool   `json:"failed"`
}

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
func (c *Client) ListAgentJobs(ctx context.Context, projectID string, page Page, status AgentStatus) (*AgentJobList, error) {
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
	if job.Status == AgentFailed {
		return job, &FailedError{ID: id, Reason: orUnknown(job.Error)}
	}
	return job, nil
}
