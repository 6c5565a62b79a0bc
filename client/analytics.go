package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Days is a span of days in UTC. A zero end is open.
type Days struct {
	From time.Time // the first day
	To   time.Time // the day after the last
}

func (d Days) query(q url.Values) url.Values {
	for name, t := range map[string]time.Time{"dateFrom": d.From, "dateTo": d.To} {
		if !t.IsZero() {
			q.Set(name, t.UTC().Format(time.DateOnly))
		}
	}
	return q
}

// Rows asks for some rows of a list that is ordered by how often things happened.
type Rows struct {
	Limit  int // at most this many; 0 for the server's default
	Offset int // rows to leave out before them
}

func (r Rows) query() url.Values {
	q := url.Values{}
	if r.Limit != 0 {
		q.Set("limit", strconv.Itoa(r.Limit))
	}
	if r.Offset != 0 {
		q.Set("offset", strconv.Itoa(r.Offset))
	}
	return q
}

// GetAnalyticsSummary returns a span in figures; without an end it is the last 28 days.
func (c *Client) GetAnalyticsSummary(ctx context.Context, projectID string, d Days) (*AnalyticsSummary, error) {
	return get[AnalyticsSummary](ctx, c, d.query(url.Values{}), "v1", "analytics", projectID, "summary")
}

// ListViews lists how often pages were read.
func (c *Client) ListViews(ctx context.Context, projectID string, d Days, rows Rows) (*ViewList, error) {
	return get[ViewList](ctx, c, d.query(rows.query()), "v1", "analytics", projectID, "views")
}

// ListVisitors lists how many read pages.
func (c *Client) ListVisitors(ctx context.Context, projectID string, d Days, rows Rows) (*VisitorList, error) {
	return get[VisitorList](ctx, c, d.query(rows.query()), "v1", "analytics", projectID, "visitors")
}

// ListSearches lists what readers searched for.
func (c *Client) ListSearches(ctx context.Context, projectID string, d Days, page Page) (*SearchTermList, error) {
	return get[SearchTermList](ctx, c, d.query(page.query()), "v1", "analytics", projectID, "searches")
}

// ListMissing lists addresses that led nowhere.
func (c *Client) ListMissing(ctx context.Context, projectID string, d Days, rows Rows) (*MissingPageList, error) {
	return get[MissingPageList](ctx, c, d.query(rows.query()), "v1", "analytics", projectID, "missing")
}

// ListTries lists what readers tried from pages about an API.
func (c *Client) ListTries(ctx context.Context, projectID string, d Days, rows Rows) (*PlaygroundUse, error) {
	return get[PlaygroundUse](ctx, c, d.query(rows.query()), "v1", "analytics", projectID, "playground")
}

// ListReferrers lists hosts that led readers to the site.
func (c *Client) ListReferrers(ctx context.Context, projectID string, d Days, rows Rows) (*ReferrerList, error) {
	return get[ReferrerList](ctx, c, d.query(rows.query()), "v1", "analytics", projectID, "referrers")
}

// ExportAnalytics writes one of the lists to w as CSV: summary, views, visitors, searches, missing, playground, referrers, feedback or
// feedback/by-page.
func (c *Client) ExportAnalytics(ctx context.Context, projectID, list string, d Days, w io.Writer) error {
	path := []string{"v1", "analytics", projectID, list}
	if list == "feedback/by-page" {
		path = []string{"v1", "analytics", projectID, "feedback", "by-page"}
	}
	q := d.query(url.Values{"format": {"csv"}})
	resp, err := c.send(ctx, call{method: http.MethodGet, path: path, query: q, header: http.Header{"Accept": {"text/csv"}}})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(w, resp.Body)
	return err
}
