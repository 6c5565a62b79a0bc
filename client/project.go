package client

import (
	"context"
	"net/http"
)

// SourceInput says where a project's docs are: a folder on the server's disk, or a repository.
type SourceInput struct {
	Path       string `json:"path,omitempty"`
	Repository string `json:"repository,omitempty"`
	Branch     string `json:"branch,omitempty"`     // "" for the repository's default
	Credential string `json:"credential,omitempty"` // name of a credential that the operator keeps
}

// CreateProject creates a project and queues its first update.
func (c *Client) CreateProject(ctx context.Context, in CreateProject) (*Project, error) {
	return submit[Project](ctx, c, http.MethodPost, in, nil, "v1", "projects")
}

// ListProjects lists projects.
func (c *Client) ListProjects(ctx context.Context, page Page) (*ProjectList, error) {
	return get[ProjectList](ctx, c, page.query(), "v1", "projects")
}

// GetProject reads a project.
func (c *Client) GetProject(ctx context.Context, projectID string) (*Project, error) {
	return get[Project](ctx, c, nil, "v1", "projects", projectID)
}

// UpdateProject changes a project.
func (c *Client) UpdateProject(ctx context.Context, projectID string, in UpdateProject) (*Project, error) {
	return submit[Project](ctx, c, http.MethodPatch, in, nil, "v1", "projects", projectID)
}

// DeleteProject deletes a project and takes its site off its domains.
func (c *Client) DeleteProject(ctx context.Context, projectID string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: []string{"v1", "projects", projectID}}, nil)
}
