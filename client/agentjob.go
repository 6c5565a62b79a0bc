package client

import (
	"context"
	"time"
)

// AgentJob is an agent's work on a repository.
type AgentJob struct {
	ID         string      `json:"id"`
	Status     string      `json:"status"` // active, completed, archived or failed
	Source     AgentSource `json:"source"`
	Model      string      `json:"model"`
	PRLink     *string     `json:"prLink"` // nil while there is no pull request
	CreatedAt  time.Time   `json:"createdAt"`
	ArchivedAt *time.Time  `json:"archivedAt"` // nil unless archived
}

// AgentSource is the repository that an agent works on.
type AgentSource struct {
	Repository string  `json:"repository"`
	Ref        *string `json:"ref"` // branch, or nil
}

// GetAgentJob reads an agent job's state.
func (c *Client) GetAgentJob(ctx context.Context, projectID, id string) (*AgentJob, error) {
	return get[AgentJob](ctx, c, nil, "v2", "agent", projectID, "job", id)
}
