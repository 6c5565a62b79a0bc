package client

import (
	"context"
	"net/http"
	"net/url"
)

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
