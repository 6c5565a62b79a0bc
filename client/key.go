package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// CreateKey asks for a new admin API key.
type CreateKey struct {
	Label         string   `json:"label,omitempty"`
	Scopes        []string `json:"scopes,omitempty"`        // read, write, discovery, admin; none for read and write
	ExpiresInDays int      `json:"expiresInDays,omitempty"` // 7, 30, 60 or 90; 0 for as long as the key that makes it, or for ever
	Addresses     []string `json:"addresses,omitempty"`     // IP addresses and CIDR blocks; none for those of the key that makes it, or any
}

// Key is an admin API key without its secret.
type Key struct {
	KeyID      string     `json:"keyId"`
	Label      string     `json:"label"`
	Prefix     string     `json:"prefix"` // the secret's first 12 characters
	Scopes     []string   `json:"scopes"`
	Addresses  []string   `json:"addresses"`
	CreatedAt  time.Time  `json:"createdAt"`
	CreatedBy  *string    `json:"createdBy"`
	ExpiresAt  *time.Time `json:"expiresAt"`
	LastUsedAt *time.Time `json:"lastUsedAt"`
	RevokedAt  *time.Time `json:"revokedAt"`
}

// NewKey is a key just made, with its secret, which is shown this once.
type NewKey struct {
	Key
	Secret string `json:"key"`
}

// KeyList is one page of keys, newest first.
type KeyList struct {
	Keys       []Key   `json:"keys"`
	NextCursor *string `json:"nextCursor"` // nil on the last page
}

// CreateKey makes a key.
func (c *Client) CreateKey(ctx context.Context, in CreateKey) (*NewKey, error) {
	return submit[NewKey](ctx, c, http.MethodPost, in, nil, "v1", "keys")
}

// ListKeys lists keys, revoked ones included.
func (c *Client) ListKeys(ctx context.Context, page Page) (*KeyList, error) {
	return get[KeyList](ctx, c, page.query(), "v1", "keys")
}

// RevokeKey stops a key from working. Keys that it made go on.
func (c *Client) RevokeKey(ctx context.Context, keyID string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: []string{"v1", "keys", keyID}}, nil)
}

// RevokeKeyFamily stops a key from working, and the keys that it made, and theirs.
func (c *Client) RevokeKeyFamily(ctx context.Context, keyID string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: []string{"v1", "keys", keyID}, query: url.Values{"children": {"true"}}}, nil)
}
