package client

import (
	"context"
	"net/http"
)

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
