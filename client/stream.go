package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maxLine is the maximum length of a line in a stream, in bytes.
const maxLine = 1 << 20

// StreamExport follows a job live: it calls onProgress with every state until the job ends. An error from onProgress
// ends the stream and is returned. If the stream breaks off before the job ends, the error is io.ErrUnexpectedEOF; a
// failed job is a *FailedError.
func (c *Client) StreamExport(ctx context.Context, jobID string, onProgress func(ExportJob) error) error {
	in := streamExportCall(jobID)
	in.header = http.Header{"Accept": {"text/event-stream"}}
	resp, err := c.send(ctx, in)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var last ExportJob
	err = readEvents(resp.Body, maxLine, func(name, data string) error {
		if name != "progress" {
			return nil
		}
		last = ExportJob{}
		if err := json.Unmarshal([]byte(data), &last); err != nil {
			return fmt.Errorf("decode event: %w", err)
		}
		return onProgress(last)
	})
	switch {
	case err != nil:
		return fmt.Errorf("read stream: %w", err)
	case !last.Status.Ended():
		return fmt.Errorf("read stream: %w", io.ErrUnexpectedEOF)
	case last.Status == ExportStatusFailed:
		return &FailedError{ID: jobID, Reason: orUnknown(last.Error)}
	}
	return nil
}

// readEvents calls f for every server-sent event. A line longer than longest bytes is an error.
//
//	stream = { event }            event = { line } empty line
//	line   = field ":" [" "] value | ":" comment
//
// Only the fields event and data are used; multiple data lines are joined with newlines. An incomplete event at the
// end is dropped.
func readEvents(r io.Reader, longest int, f func(name, data string) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longest)
	name, data := "", []string(nil)
	for lines.Scan() {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if line == "" {
			if data != nil {
				if err := f(name, strings.Join(data, "\n")); err != nil {
					return err
				}
			}
			name, data = "", nil
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			data = append(data, value)
		}
	}
	return lines.Err()
}
