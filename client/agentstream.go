package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// maxEntryLine is the longest line of a job's record that is read, in bytes.
const maxEntryLine = 32 << 20

// AgentEvents receives the events of an agent job's stream. Either function may be nil; an error ends the stream and is
// returned.
type AgentEvents struct {
	Entry func(AgentEntry) error // each line of the record
	Job   func(AgentJob) error   // the job, whenever it changed
}

// StreamAgentJob follows a job live, from the line of its record after the given number (0 for all), until the job is
// not active any more. A stream that breaks off before is io.ErrUnexpectedEOF: continue after the last received line. A
// failed job is a *FailedError.
func (c *Client) StreamAgentJob(ctx context.Context, projectID, id string, after int64, on AgentEvents) error {
	in := streamAgentJobCall(projectID, id)
	in.header = http.Header{"Accept": {"text/event-stream"}}
	if after > 0 {
		in.header.Set("Last-Event-ID", strconv.FormatInt(after, 10))
	}
	resp, err := c.send(ctx, in)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var last *AgentJob // as the end shows it; nil before
	err = readEvents(resp.Body, maxEntryLine, func(name, data string) error {
		switch name {
		case "entry":
			return decodeEvent(data, on.Entry)
		case "job":
			return decodeEvent(data, on.Job)
		case "end":
			return decodeEvent(data, func(j AgentJob) error { last = &j; return nil })
		}
		return nil
	})
	switch {
	case err != nil:
		return fmt.Errorf("read stream: %w", err)
	case last == nil:
		return fmt.Errorf("read stream: %w", io.ErrUnexpectedEOF)
	case last.Status == AgentJobStatusFailed:
		return &FailedError{ID: id, Reason: orUnknown(last.Error)}
	}
	return nil
}

// decodeEvent hands an event's data to f, unless f is nil.
func decodeEvent[T any](data string, f func(T) error) error {
	if f == nil {
		return nil
	}
	var v T
	if err := json.Unmarshal([]byte(data), &v); err != nil {
		return fmt.Errorf("decode event: %w", err)
	}
	return f(v)
}
