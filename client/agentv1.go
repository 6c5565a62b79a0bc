package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// CreateAgentJobV1 starts a job with the older API and returns at once.
func (c *Client) CreateAgentJobV1(ctx context.Context, projectID string, in CreateAgentSession, opts ...RequestOption) (*AgentSession, error) {
	return submit[AgentSession](ctx, c, http.MethodPost, in, opts, "v1", "agent", projectID, "job")
}

// GetAgentJobV1 reads a job in the words of the older API.
func (c *Client) GetAgentJobV1(ctx context.Context, projectID, id string) (*AgentSession, error) {
	return get[AgentSession](ctx, c, nil, "v1", "agent", projectID, "job", id)
}

// ListAgentJobsV1 lists jobs in the words of the older API; take 0 is 12.
func (c *Client) ListAgentJobsV1(ctx context.Context, projectID string, skip, take int) (*AgentSessionList, error) {
	query := url.Values{}
	if skip > 0 {
		query.Set("skip", strconv.Itoa(skip))
	}
	if take > 0 {
		query.Set("take", strconv.Itoa(take))
	}
	return get[AgentSessionList](ctx, c, query, "v1", "agent", projectID, "jobs")
}

// TriggerWorkflow starts an agent job with the stored prompt of a workflow, such as fix-links.
func (c *Client) TriggerWorkflow(ctx context.Context, projectID, workflow string, opts ...RequestOption) (*WorkflowRun, error) {
	return submit[WorkflowRun](ctx, c, http.MethodPost, nil, opts, "v1", "workflow", projectID, workflow, "trigger")
}
