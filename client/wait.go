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
	maxFailures = 8 // consecutive failures before polling gives up
)

// FailedError reports that the job or update being waited for failed.
type FailedError struct {
	ID     string // of the job or update
	Reason string // message for people
}

func (e *FailedError) Error() string { return e.ID + " failed: " + e.Reason }

// Ended reports whether the state is final.
func (s ExportStatus) Ended() bool { return s == ExportStatusCompleted || s == ExportStatusFailed }

// Ended reports whether the state is final.
func (s UpdateState) Ended() bool { return s == UpdateStateSuccess || s == UpdateStateFailure }

// Ended reports whether the agent is no longer working.
func (s AgentJobStatus) Ended() bool { return s != AgentJobStatusActive }

// WaitExport polls a job until it ends. It calls onProgress, which may be nil, with every new state, including the
// last. If the job failed, the error is a *FailedError and the job is returned too.
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

// WaitUpdate polls an update or preview until it ends, like WaitExport.
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

// WaitAgentJob polls a job until it is no longer active, like WaitExport.
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

// poll repeats a call until ended returns true. It uses conditional requests, waits as long as the server asks or
// else with increasing intervals, and tolerates a server that is temporarily unavailable.
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

// again returns how long to wait before the next attempt (0 if the server did not say), or the error if a retry
// cannot help.
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

// read makes a call. It returns a nil value if the ETag still matches.
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
