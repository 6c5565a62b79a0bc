package client

import (
	"context"
	"net/http"
)

// CreateCredential stores a credential, encrypted.
func (c *Client) CreateCredential(ctx context.Context, in CreateCredential) (*Credential, error) {
	return submit[Credential](ctx, c, http.MethodPost, in, nil, "v1", "credentials")
}

// ListCredentials lists the organization's credentials.
func (c *Client) ListCredentials(ctx context.Context) (*CredentialList, error) {
	return get[CredentialList](ctx, c, nil, "v1", "credentials")
}

// ReplaceCredential gives a credential another value, which is used from the next fetch on.
func (c *Client) ReplaceCredential(ctx context.Context, credentialID string, in ReplaceCredential) (*Credential, error) {
	return submit[Credential](ctx, c, http.MethodPut, in, nil, "v1", "credentials", credentialID)
}

// DeleteCredential removes a credential; projects that name it can no longer be fetched with it.
func (c *Client) DeleteCredential(ctx context.Context, credentialID string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: []string{"v1", "credentials", credentialID}}, nil)
}
