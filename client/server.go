package client

import (
	"context"
	"encoding/json"
)

// Deployment is what a server is and offers.
type Deployment struct {
	Type     string   `json:"type"` // cloud, client-hosted or air-gapped
	Features Features `json:"features"`
	Version  string   `json:"version"`
}

// Features are the parts that depend on the kind of deployment.
type Features struct {
	Search       Feature `json:"search"`
	Assistant    Feature `json:"assistant"`
	Analytics    Feature `json:"analytics"`
	Playground   Feature `json:"playground"`
	StaticExport Feature `json:"staticExport"`
}

// Feature says whether there can be a feature, whether it is on, and why.
type Feature struct {
	State   string `json:"state"` // available, configurable, unavailable or local
	Enabled bool   `json:"enabled"`
	Reason  string `json:"reason"`
}

// Health is a server's word on itself.
type Health struct {
	Status string `json:"status"`
}

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
