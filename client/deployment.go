package client

import (
	"context"
	"net/http"
	"time"
)

// DeploymentSummary is a deployment as lists have it; GetUpdateStatus tells the rest.
type DeploymentSummary struct {
	StatusID  string       `json:"statusId"`
	ProjectID string       `json:"projectId"`
	Kind      string       `json:"kind"` // production or preview
	Branch    *string      `json:"branch"`
	Status    UpdateStatus `json:"status"`
	Commit    *string      `json:"commit"`
	Trigger   string       `json:"trigger"` // api, webhook, poll, start, merge, agent
	PageCount int          `json:"pageCount"`
	Error     *string      `json:"error"`
	Live      bool         `json:"live"` // whether readers see it now
	URL       *string      `json:"url"`  // where it answers; nil when it does not
	CreatedAt time.Time    `json:"createdAt"`
	EndedAt   *time.Time   `json:"endedAt"`
}

// DeploymentList is a page of a project's deployments, newest first.
type DeploymentList struct {
	Deployments []DeploymentSummary `json:"deployments"`
	NextCursor  *string             `json:"nextCursor"`
}

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
