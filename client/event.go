package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"
)

// EventFilter says which events are wanted; empty fields ask for nothing.
type EventFilter struct {
	Actor  string
	Action string // noun.verb, or a noun alone
	Target string
	Since  time.Time // at or after
	Until  time.Time // before
}

func (f EventFilter) query(q url.Values) url.Values {
	for name, v := range map[string]string{"actor": f.Actor, "action": f.Action, "target": f.Target} {
		if v != "" {
			q.Set(name, v)
		}
	}
	for name, t := range map[string]time.Time{"since": f.Since, "until": f.Until} {
		if !t.IsZero() {
			q.Set(name, t.UTC().Format(time.RFC3339))
		}
	}
	return q
}

// ListEvents lists the audit log.
func (c *Client) ListEvents(ctx context.Context, f EventFilter, page Page) (*EventList, error) {
	return get[EventList](ctx, c, f.query(page.query()), "v1", "events")
}

// CheckEvents recomputes the chain of the audit log.
func (c *Client) CheckEvents(ctx context.Context) (*EventCheck, error) {
	return get[EventCheck](ctx, c, nil, "v1", "events", "check")
}

// ExportEvents writes the audit log to w, oldest first: format is ndjson or csv.
func (c *Client) ExportEvents(ctx context.Context, f EventFilter, format string, w io.Writer) error {
	q := f.query(url.Values{"format": {format}})
	resp, err := c.send(ctx, call{method: http.MethodGet, path: []string{"v1", "events", "export"}, query: q, header: http.Header{"Accept": {"*/*"}}})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(w, resp.Body)
	return err
}
