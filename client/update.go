package client

import (
	"context"
	"net/http"
)

// Ended reports whether the state is final.
func (s UpdateState) Ended() bool { return s == UpdateStateSuccess || s == UpdateStateFailure }

// StartUpdate queues the publishing of a project's source.
func (c *Client) StartUpdate(ctx context.Context, projectID string, opts ...RequestOption) (*UpdateAccepted, error) {
	return submit[UpdateAccepted](ctx, c, http.MethodPost, nil, opts, "v1", "project", "update", projectID)
}

// ConfirmUpdate queues the publishing of a project's source although it removes many pages: for an update that was held.
func (c *Client) ConfirmUpdate(ctx context.Context, projectID string, opts ...RequestOption) (*UpdateAccepted, error) {
	body := struct {
		AcceptRemovals bool `json:"acceptRemovals"`
	}{true}
	return submit[UpdateAccepted](ctx, c, http.MethodPost, body, opts, "v1", "project", "update", projectID)
}

// GetUpdateStatus reads the state of an update or preview.
func (c *Client) GetUpdateStatus(ctx context.Context, statusID string) (*UpdateStatus, error) {
	return get[UpdateStatus](ctx, c, nil, "v1", "project", "update-status", statusID)
}

// StartPreview queues the publishing of a branch on an address of its own.
func (c *Client) StartPreview(ctx context.Context, projectID, branch string, opts ...RequestOption) (*PreviewAccepted, error) {
	body := struct {
		Branch string `json:"branch"`
	}{branch}
	return submit[PreviewAccepted](ctx, c, http.MethodPost, body, opts, "v1", "project", "preview", projectID)
}
