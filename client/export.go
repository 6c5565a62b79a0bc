package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// ExportStatus is a static export job's state.
type ExportStatus string

// The states. Completed and Failed are final.
const (
	ExportQueued    ExportStatus = "queued"
	ExportRunning   ExportStatus = "running"
	ExportCompleted ExportStatus = "completed"
	ExportFailed    ExportStatus = "failed"
)

// Ended reports whether the state is final.
func (s ExportStatus) Ended() bool { return s == ExportCompleted || s == ExportFailed }

// Format is an archive's format.
type Format string

// The formats of a bundle.
const (
	TarGz Format = "tar.gz"
	Zip   Format = "zip"
)

// StartExport asks for an export.
type StartExport struct {
	Domain  string   `json:"domain"`
	Version string   `json:"version,omitempty"` // label of the caller's choice
	Paths   []string `json:"paths,omitempty"`   // pages; none for all
}

// ExportJob is a static export job.
type ExportJob struct {
	JobID     string       `json:"jobId"`
	Status    ExportStatus `json:"status"`
	Progress  float64      `json:"progress"`  // per cent
	PageCount int          `json:"pageCount"` // pages written so far
	CreatedAt time.Time    `json:"createdAt"`
	UpdatedAt time.Time    `json:"updatedAt"`
	Domain    string       `json:"domain"`
	Version   *string      `json:"version"` // nil when none was given
	Error     *string      `json:"error"`   // nil unless failed

	ErrorCode       *string      `json:"errorCode"`       // stable word for the error
	Stage           ExportStage  `json:"stage"`           // what it is doing
	Message         string       `json:"message"`         // the same as a sentence
	PageTotal       *int         `json:"pageTotal"`       // nil until known
	PagesPerSecond  *float64     `json:"pagesPerSecond"`  // of late; nil while not known
	SecondsLeft     *int         `json:"secondsLeft"`     // a guess; nil while not known
	Diagnostics     []Diagnostic `json:"diagnostics"`     // what the build found, errors first
	ReusedFrom      *string      `json:"reusedFrom"`      // earlier job whose files it has; nil for its own
	BundleExpiredAt *time.Time   `json:"bundleExpiredAt"` // nil while its files are there
	Joined          bool         `json:"joined"`          // by StartExport alone: the job was under way already
}

// ExportStage says what a job is doing.
type ExportStage string

// The stages, in order.
const (
	StageQueued    ExportStage = "queued"
	StageFetching  ExportStage = "fetching"
	StageScanning  ExportStage = "scanning"
	StagePages     ExportStage = "pages"
	StageAssets    ExportStage = "assets"
	StagePackaging ExportStage = "packaging"
	StageWaiting   ExportStage = "waiting" // for storage that does not answer
	StageDone      ExportStage = "done"
)

// ExportList is one page of jobs, newest first.
type ExportList struct {
	Jobs       []ExportJob `json:"jobs"`
	NextCursor *string     `json:"nextCursor"` // nil on the last page
}

// BundleLink is where an export can be downloaded until ExpiresAt. Whoever has the URL can.
type BundleLink struct {
	JobID     string    `json:"jobId"`
	BundleURL string    `json:"bundleUrl"`
	ExpiresAt time.Time `json:"expiresAt"`
	SizeBytes int64     `json:"sizeBytes"`
	SHA256    string    `json:"sha256"` // hex
	Version   *string   `json:"version"`
	Format    Format    `json:"format"`
}

// exportPath is where the static export operations live.
func exportPath(more ...string) []string {
	return append([]string{"v1", "static-export", "jobs"}, more...)
}

// StartExport queues the export of the site on a domain, or returns the job that makes the same files already.
func (c *Client) StartExport(ctx context.Context, in StartExport, opts ...RequestOption) (*ExportJob, error) {
	return submit[ExportJob](ctx, c, http.MethodPost, in, opts, exportPath()...)
}

// ListExports lists jobs; only those in the given state unless it is "".
func (c *Client) ListExports(ctx context.Context, page Page, status ExportStatus) (*ExportList, error) {
	q := page.query()
	if status != "" {
		q.Set("status", string(status))
	}
	return get[ExportList](ctx, c, q, exportPath()...)
}

// GetExport reads a job's state.
func (c *Client) GetExport(ctx context.Context, jobID string) (*ExportJob, error) {
	return get[ExportJob](ctx, c, nil, exportPath(jobID)...)
}

// CreateExportBundle gets a link to a completed job's archive. It can be called again after the link expired. A format of
// "" is the server's default.
func (c *Client) CreateExportBundle(ctx context.Context, jobID string, format Format) (*BundleLink, error) {
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
