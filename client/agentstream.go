package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// maxEntryLine is the maximum length of a line in a job's transcript, in bytes.
const maxEntryLine = 32 << 20

// AgentEvents receives the events of an agent job's stream. Either function may be nil. An error from one ends the
// stream and is returned.
type AgentEvents struct {
	Entry func(AgentEntry) error // called for each transcript line
	Job   func(AgentJob) error   // called whenever the job changes
}

// StreamAgentJob follows a job live, starting after the given transcript line (0 for all), until the job is no longer
// active. If the stream breaks off earlier, the error is io.ErrUnexpectedEOF; call StreamAgentJob again with the number
// of the last line received. If the job fails, the error is a *FailedError.
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
	var last *AgentJob // final state; nil until the end event
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

// decodeEvent decodes an event's data and passes it to f, unless f is nil.
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
