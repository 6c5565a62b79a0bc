package client

import (
	"context"
	"net/http"
	"time"
)

// UpdateStatus is the state of an update.
type UpdateStatus string

// The states. Success and failure are final.
const (
	UpdateQueued     UpdateStatus = "queued"
	UpdateInProgress UpdateStatus = "in_progress"
	UpdateSuccess    UpdateStatus = "success"
	UpdateFailure    UpdateStatus = "failure"
)

// Ended reports whether the state is final.
func (s UpdateStatus) Ended() bool { return s == UpdateSuccess || s == UpdateFailure }

// UpdateStarted tells where to follow an update.
type UpdateStarted struct {
	StatusID string `json:"statusId"`
}

// PreviewStarted tells where to follow a preview, and where it will be.
type PreviewStarted struct {
	StatusID   string `json:"statusId"`
	PreviewURL string `json:"previewUrl"`
}

// Update is an update or preview with what came of it.
type Update struct {
	StatusID    string       `json:"statusId"`
	ProjectID   string       `json:"projectId"`
	Kind        string       `json:"kind"` // production or preview
	Branch      *string      `json:"branch"`
	Status      UpdateStatus `json:"status"`
	Commit      *string      `json:"commit"`
	Trigger     string       `json:"trigger"` // api, webhook, poll, start, merge, agent
	Live        bool         `json:"live"`    // whether readers see it now
	CreatedAt   time.Time    `json:"createdAt"`
	UpdatedAt   time.Time    `json:"updatedAt"`
	EndedAt     *time.Time   `json:"endedAt"`
	PageCount   int          `json:"pageCount"`
	Logs        []LogLine    `json:"logs"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Error       *string      `json:"error"` // nil unless failed
	URL         *string      `json:"url"`   // nil until success
}

// LogLine is a line of an update's log.
type LogLine struct {
	At      time.Time `json:"at"`
	Message string    `json:"message"`
}

// Diagnostic is something an author should know about a source file.
type Diagnostic struct {
	File     string `json:"file"`
	Line     int    `json:"line"`     // from 1; 0 when the whole file is meant
	Column   int    `json:"column"`   // from 1; 0 when the whole line is meant
	Severity string `json:"severity"` // error or warning
	Code     string `json:"code"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
}

// StartUpdate queues the publishing of a project's source.
func (c *Client) StartUpdate(ctx context.Context, projectID string, opts ...RequestOption) (*UpdateStarted, error) {
	return submit[UpdateStarted](ctx, c, http.MethodPost, nil, opts, "v1", "project", "update", projectID)
}

// ConfirmUpdate queues the publishing of a project's source although it removes many pages: for an update that was held.
func (c *Client) ConfirmUpdate(ctx context.Context, projectID string, opts ...RequestOption) (*UpdateStarted, error) {
	body := struct {
		AcceptRemovals bool `json:"acceptRemovals"`
	}{true}
	return submit[UpdateStarted](ctx, c, http.MethodPost, body, opts, "v1", "project", "update", projectID)
}

// GetUpdateStatus reads the state of an update or preview.
func (c *Client) GetUpdateStatus(ctx context.Context, statusID string) (*Update, error) {
	return get[Update](ctx, c, nil, "v1", "project", "update-status", statusID)
}

// StartPreview queues the publishing of a branch on an address of its own.
func (c *Client) StartPreview(ctx context.Context, projectID, branch string, opts ...RequestOption) (*PreviewStarted, error) {
	body := struct {
		Branch string `json:"branch"`
	}{branch}
	return submit[PreviewStarted](ctx, c, http.MethodPost, body, opts, "v1", "project", "preview", projectID)
}
