package client

import (
	"context"
	"net/http"
	"net/url"
)

// Ended reports whether the state is final.
func (s ExportStatus) Ended() bool { return s == ExportStatusCompleted || s == ExportStatusFailed }

// exportPath is where the static export operations live.
func exportPath(more ...string) []string {
	return append([]string{"v1", "static-export", "jobs"}, more...)
}

// StartExport queues the export of the site on a domain, or returns the job that makes the same files already.
func (c *Client) StartExport(ctx context.Context, in StartExport, opts ...RequestOption) (*ExportJob, error) {
	return submit[ExportJob](ctx, c, http.MethodPost, in, opts, exportPath()...)
}

// ListExports lists jobs; only those in the given state unless it is "".
func (c *Client) ListExports(ctx context.Context, page Page, status ExportStatus) (*ExportJobList, error) {
	q := page.query()
	if status != "" {
		q.Set("status", string(status))
	}
	return get[ExportJobList](ctx, c, q, exportPath()...)
}

// GetExport reads a job's state.
func (c *Client) GetExport(ctx context.Context, jobID string) (*ExportJob, error) {
	return get[ExportJob](ctx, c, nil, exportPath(jobID)...)
}

// CreateExportBundle gets a link to a completed job's archive. It can be called again after the link expired. A format of
// "" is the server's default.
func (c *Client) CreateExportBundle(ctx context.Context, jobID string, format BundleFormat) (*BundleLink, error) {
	in := call{method: http.MethodPost, path: exportPath(jobID, "bundle")}
	if format != "" {
		in.query = url.Values{"format": {string(format)}}
	}
	out := new(BundleLink)
	if err := c.do(ctx, in, out); err != nil {
		return nil, err
	}
	return out, nil
}

// CancelExport stops a job that has not ended.
func (c *Client) CancelExport(ctx context.Context, jobID string) (*ExportJob, error) {
	return submit[ExportJob](ctx, c, http.MethodPost, nil, nil, exportPath(jobID, "cancel")...)
}
