package client

import (
	"context"
	"net/http"
	"time"
)

// SourceInput says where a project's docs are: a folder on the server's disk, or a repository.
type SourceInput struct {
	Path       string `json:"path,omitempty"`
	Repository string `json:"repository,omitempty"`
	Branch     string `json:"branch,omitempty"`     // "" for the repository's default
	Credential string `json:"credential,omitempty"` // name of a credential that the operator keeps
}

// CreateProject asks for a new project.
type CreateProject struct {
	Name       string      `json:"name"`
	Domain     string      `json:"domain"`
	Source     SourceInput `json:"source"`
	DocsFolder string      `json:"docsFolder,omitempty"` // "" for the source's root
}

// UpdateProject changes the fields that are not nil.
type UpdateProject struct {
	Name                *string      `json:"name,omitempty"`
	Domains             []string     `json:"domains,omitempty"` // all of them; the first is the primary one
	Source              *SourceInput `json:"source,omitempty"`
	DocsFolder          *string      `json:"docsFolder,omitempty"`
	RotateWebhookSecret bool         `json:"rotateWebhookSecret,omitempty"`
}

// Project is a documentation project.
type Project struct {
	ProjectID     string       `json:"projectId"`
	Name          string       `json:"name"`
	Domain        string       `json:"domain"` // the primary one
	Domains       []string     `json:"domains"`
	DomainStates  []Domain     `json:"domainStates"` // in the same order
	Source        Source       `json:"source"`
	DocsFolder    string       `json:"docsFolder"`
	CreatedAt     time.Time    `json:"createdAt"`
	UpdatedAt     time.Time    `json:"updatedAt"`
	Live          *LiveVersion `json:"live"`       // nil before the first successful update
	LastUpdate    *LastUpdate  `json:"lastUpdate"` // nil before the first update
	URL           string       `json:"url"`
	Webhook       Webhook      `json:"webhook"`
	WebhookSecret *string      `json:"webhookSecret"` // nil except after creation and rotation
}

// Source is where a project's docs are. Either Path or Repository is set.
type Source struct {
	Path       *string `json:"path"`
	Repository *string `json:"repository"`
	Branch     *string `json:"branch"`
	Credential *string `json:"credential"`
}

// LiveVersion is what readers see.
type LiveVersion struct {
	DeploymentID string    `json:"deploymentId"`
	Commit       *string   `json:"commit"` // nil when the source is a folder
	PublishedAt  time.Time `json:"publishedAt"`
}

// LastUpdate is the newest update in short.
type LastUpdate struct {
	StatusID string       `json:"statusId"`
	Status   UpdateStatus `json:"status"`
}

// Webhook is what to enter at a code host.
type Webhook struct {
	URL string `json:"url"`
}

// ProjectList is one page of projects, newest first.
type ProjectList struct {
	Projects   []Project `json:"projects"`
	NextCursor *string   `json:"nextCursor"` // nil on the last page
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
