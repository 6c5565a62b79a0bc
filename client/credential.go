package client

import (
	"context"
	"net/http"
	"time"
)

// CreateCredential asks for a new credential of the organization.
type CreateCredential struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`            // token, ssh-key or github-app
	URL    string `json:"url"`             // host, group or repository that it is for
	User   string `json:"user,omitempty"`  // login name of a token; "" for a usual one
	AppID  string `json:"appId,omitempty"` // of a GitHub App
	Secret string `json:"secret"`          // token, or private key in PEM
}

// ReplaceCredential gives a credential another value; its name and kind stay.
type ReplaceCredential struct {
	URL    string `json:"url"`
	User   string `json:"user,omitempty"`
	AppID  string `json:"appId,omitempty"`
	Secret string `json:"secret"`
}

// Credential is a credential of the organization without its secret, which no call returns.
type Credential struct {
	CredentialID string     `json:"credentialId"`
	Name         string     `json:"name"`
	Kind         string     `json:"kind"`
	URL          string     `json:"url"`
	CreatedAt    time.Time  `json:"createdAt"`
	CreatedBy    *string    `json:"createdBy"`
	UpdatedAt    time.Time  `json:"updatedAt"`
	LastUsedAt   *time.Time `json:"lastUsedAt"`
}

// CredentialList is all credentials of an organization, by name.
type CredentialList struct {
	Credentials []Credential `json:"credentials"`
}

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
