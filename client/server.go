package client

import (
	"context"
	"encoding/json"
)

// GetDeployment reads what the server offers.
func (c *Client) GetDeployment(ctx context.Context) (*Deployment, error) {
	return get[Deployment](ctx, c, nil, "v1", "deployment")
}

// GetHealth asks whether the process is alive.
func (c *Client) GetHealth(ctx context.Context) (*Health, error) {
	return get[Health](ctx, c, nil, "healthz")
}

// GetReadiness asks whether the server can take traffic; when not, the error is an *Error with status 503.
func (c *Client) GetReadiness(ctx context.Context) (*Health, error) {
	return get[Health](ctx, c, nil, "readyz")
}

// GetOpenAPI reads the API's description.
func (c *Client) GetOpenAPI(ctx context.Context) (json.RawMessage, error) {
	out, err := get[json.RawMessage](ctx, c, nil, "openapi.json")
	if err != nil {
		return nil, err
	}
	return *out, nil
}
