package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Event is one record of the audit log.
type Event struct {
	EventID    string            `json:"eventId"`
	Sequence   int64             `json:"sequence"`
	At         time.Time         `json:"at"`
	Actor      string            `json:"actor"`     // key id, member id, or operator, system, webhook …
	ActorName  *string           `json:"actorName"` // label or address of who acted, if it is still known
	Action     string            `json:"action"`    // noun.verb
	Target     string            `json:"target"`
	TargetName *string           `json:"targetName"` // what the target is called, if it is still known
	RequestID  *string           `json:"requestId"`
	Data       map[string]string `json:"data"`
	PrevHash   string            `json:"prevHash"` // "" for the first
	Hash       string            `json:"hash"`
}

// EventList is a page of the audit log, newest first.
type EventList struct {
	Events     []Event `json:"events"`
	NextCursor *string `json:"nextCursor"`
}

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

// EventCheck says whether the audit log is whole.
type EventCheck struct {
	Events  int64   `json:"events"`
	Intact  bool    `json:"intact"`
	Problem *string `json:"problem"` // what is wrong and where; nil when intact
	Hash    string  `json:"hash"`    // of the newest event: keep it elsewhere to prove the log later
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
