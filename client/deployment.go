package client

import (
	"context"
	"net/http"
)

// ListDeployments lists a project's deployments; an empty kind means all.
func (c *Client) ListDeployments(ctx context.Context, projectID, kind string, page Page) (*DeploymentList, error) {
	q := page.query()
	if kind != "" {
		q.Set("kind", kind)
	}
	return get[DeploymentList](ctx, c, q, "v1", "projects", projectID, "deployments")
}

// RollBack makes an earlier deployment what readers see, at once.
func (c *Client) RollBack(ctx context.Context, projectID, deploymentID string) (*Project, error) {
	body := struct {
		DeploymentID string `json:"deploymentId"`
	}{deploymentID}
	return submit[Project](ctx, c, http.MethodPost, body, nil, "v1", "project", "rollback", projectID)
}
