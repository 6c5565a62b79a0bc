package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	firstPoll   = 200 * time.Millisecond
	maxPoll     = 5 * time.Second
	maxFailures = 8 // in a row, before waiting is given up
)

// FailedError says that the work which was waited for ended badly.
type FailedError struct {
	ID     string // of the job or update
	Reason string // sentence for people
}

func (e *FailedError) Error() string { return e.ID + " failed: " + e.Reason }

// Ended reports whether the state is final.
func (s ExportStatus) Ended() bool { return s == ExportStatusCompleted || s == ExportStatusFailed }

// Ended reports whether the state is final.
func (s UpdateState) Ended() bool { return s == UpdateStateSuccess || s == UpdateStateFailure }

// Ended reports whether the agent has stopped working.
func (s AgentJobStatus) Ended() bool { return s != AgentJobStatusActive }

// WaitExport polls a job until it ends. onProgress, which may be nil, is called with every new state, the last one
// included. When the job failed, the error is a *FailedError and the job is returned too.
func (c *Client) WaitExport(ctx context.Context, jobID string, onProgress func(ExportJob)) (*ExportJob, error) {
	job, err := poll(ctx, c, getExportCall(jobID), onProgress, func(j *ExportJob) bool { return j.Status.Ended() })
	if err != nil {
		return nil, err
	}
	if job.Status == ExportStatusFailed {
		return job, &FailedError{ID: jobID, Reason: orUnknown(job.Error)}
	}
	return job, nil
}

// WaitUpdate polls an update or preview until it ends, as WaitExport does a job.
func (c *Client) WaitUpdate(ctx context.Context, statusID string, onProgress func(UpdateStatus)) (*UpdateStatus,
	error) {
	update, err := poll(ctx, c, getUpdateStatusCall(statusID), onProgress,
		func(u *UpdateStatus) bool { return u.Status.Ended() })
	if err != nil {
		return nil, err
	}
	if update.Status == UpdateStateFailure {
		return update, &FailedError{ID: statusID, Reason: orUnknown(update.Error)}
	}
	return update, nil
}

// WaitAgentJob polls a job until it is not active any more, as WaitExport does a job.
func (c *Client) WaitAgentJob(ctx context.Context, projectID, id string, onProgress func(AgentJob)) (*AgentJob, error) {
	job, err := poll(ctx, c, getAgentJobCall(projectID, id), onProgress,
		func(j *AgentJob) bool { return j.Status.Ended() })
	if err != nil {
		return nil, err
	}
	if job.Status == AgentJobStatusFailed {
		return job, &FailedError{ID: id, Reason: orUnknown(job.Error)}
	}
	return job, nil
}

func orUnknown(reason *string) string {
	if reason == nil {
		return "the server gave no reason."
	}
	return *reason
}

// poll repeats a call until ended says so. It asks for changes only, waits as long as the server says or else ever
// longer, and tolerates a server that is unavailable for a while.
func poll[T any](ctx context.Context, c *Client, in call, changed func(T), ended func(*T) bool) (*T, error) {
	var state *T
	etag, interval, failures := "", firstPoll, 0
	for {
		next, seen, after, err := read[T](ctx, c, in, etag)
		switch {
		case err != nil:
			failures++
			if after, err = again(ctx, err, failures); err != nil {
				return nil, err
			}
		case next != nil:
			state, etag, failures = next, seen, 0
			if changed != nil {
				changed(*state)
			}
			if ended(state) {
				return state, nil
			}
		default:
			failures = 0
		}
		if after == 0 {
			after = interval
			interval = min(interval*3/2, maxPoll)
		}
		if err := c.wait(ctx, after); err != nil {
			return nil, fmt.Errorf("wait for %s: %w", in.path[len(in.path)-1], err)
		}
	}
}

// again returns how long to wait before the next attempt (0 if the server did not say), or the error when it is no use.
func again(ctx context.Context, err error, failures int) (time.Duration, error) {
	var refused *Error
	isRefusal := errors.As(err, &refused)
	if ctx.Err() != nil || failures >= maxFailures || isRefusal && !refused.temporary() {
		return 0, err
	}
	if isRefusal {
		return refused.RetryAfter, nil
	}
	return 0, nil
}

// read makes a call; the value is nil when its answer still has that ETag.
func read[T any](ctx context.Context, c *Client, in call, etag string) (*T, string, time.Duration, error) {
	if etag != "" {
		in.header = http.Header{"If-None-Match": {etag}}
	}
	resp, err := c.send(ctx, in)
	if err != nil {
		return nil, "", 0, err
	}
	defer resp.Body.Close()
	after := retryAfter(resp.Header)
	if resp.StatusCode == http.StatusNotModified {
		return nil, etag, after, nil
	}
	out := new(T)
	if err := decode(resp, out); err != nil {
		return nil, "", 0, err
	}
	return out, resp.Header.Get("ETag"), after, nil
}
