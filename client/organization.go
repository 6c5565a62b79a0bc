package client

import (
	"context"
	"net/http"
	"time"
)

// Organization is what a key or a member acts in.
type Organization struct {
	OrganizationID string    `json:"organizationId"`
	Name           string    `json:"name"`
	Plan           string    `json:"plan"` // free, pro or enterprise
	CreatedAt      time.Time `json:"createdAt"`
}

// GetOrganization returns the caller's organization.
func (c *Client) GetOrganization(ctx context.Context) (*Organization, error) {
	return get[Organization](ctx, c, nil, "v1", "organization")
}

// RenameOrganization changes what the caller's organization is called.
func (c *Client) RenameOrganization(ctx context.Context, name string) (*Organization, error) {
	body := struct {
		Name string `json:"name"`
	}{name}
	return submit[Organization](ctx, c, http.MethodPatch, body, nil, "v1", "organization")
}
