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

// Traffic is how often something was read, by kind of reader.
type Traffic struct {
	Human       int64 `json:"human"`
	AI          int64 `json:"ai"`          // every program of AI: agents, Training and OtherAI
	Total       int64 `json:"total"`       // Human and AI
	SearchIndex int64 `json:"searchIndex"` // search engines; not in Total
	Training    int64 `json:"training"`    // programs that collect texts for models; in AI
	OtherAI     int64 `json:"otherAi"`     // other programs; in AI
}

// PageTraffic is the traffic of one page.
type PageTraffic struct {
	Path string `json:"path"`
	Traffic
}

// ViewList is how often pages were read, the most read first.
type ViewList struct {
	Totals  Traffic       `json:"totals"`
	Views   []PageTraffic `json:"views"`
	HasMore bool          `json:"hasMore"`
}

// VisitorList is how many read pages. Readers are told apart within a day only: one who comes on two days counts twice.
type VisitorList struct {
	Totals   Traffic       `json:"totals"`
	Visitors []PageTraffic `json:"visitors"`
	HasMore  bool          `json:"hasMore"`
}

// SearchTerm is what readers searched for.
type SearchTerm struct {
	SearchQuery    string    `json:"searchQuery"`
	Hits           int64     `json:"hits"` // how often it was searched for
	CTR            float64   `json:"ctr"`  // clicks for each search
	TopClickedPage *string   `json:"topClickedPage"`
	LastSearchedAt time.Time `json:"lastSearchedAt"`
	Results        int64     `json:"results"`   // what the last search found
	NoResults      int64     `json:"noResults"` // searches that found nothing
	Clicks         int64     `json:"clicks"`
}

// SearchTermList is a page of search terms, the most frequent first.
type SearchTermList struct {
	Searches      []SearchTerm `json:"searches"`
	TotalSearches int64        `json:"totalSearches"`
	NextCursor    *string      `json:"nextCursor"`
}

// MissingPage is an address that led nowhere.
type MissingPage struct {
	Path       string    `json:"path"`
	Referrer   *string   `json:"referrer"` // host that links there; nil = none, or the site itself
	Hits       int64     `json:"hits"`
	LastSeenAt time.Time `json:"lastSeenAt"`
}

// MissingPageList lists addresses that led nowhere, the most wanted first.
type MissingPageList struct {
	Missing []MissingPage `json:"missing"`
	Total   int64         `json:"total"`
	HasMore bool          `json:"hasMore"`
}

// TriedOperation is an operation of an API that readers called from its page.
type TriedOperation struct {
	Operation   string    `json:"operation"` // method and path
	Tries       int64     `json:"tries"`
	Succeeded   int64     `json:"succeeded"` // answered below 400
	Refused     int64     `json:"refused"`   // answered from 400 to 499
	Failed      int64     `json:"failed"`    // answered with something else, or not at all
	LastTriedAt time.Time `json:"lastTriedAt"`
}

// PlaygroundUse lists what readers tried, the most tried first.
type PlaygroundUse struct {
	Operations []TriedOperation `json:"operations"`
	Total      int64            `json:"total"`
	HasMore    bool             `json:"hasMore"`
}

// Referrer is a host that led readers to the site.
type Referrer struct {
	Referrer string `json:"referrer"`
	Visits   int64  `json:"visits"`
}

// ReferrerList lists hosts that led readers to the site, the most frequent first.
type ReferrerList struct {
	Referrers []Referrer `json:"referrers"`
	Total     int64      `json:"total"`
	HasMore   bool       `json:"hasMore"`
}

// Figures are counts of one day or of several.
type Figures struct {
	Views     Traffic `json:"views"`
	Visitors  Traffic `json:"visitors"`
	Searches  int64   `json:"searches"`
	NoResults int64   `json:"noResults"` // searches that found nothing
	Clicks    int64   `json:"clicks"`    // results that were opened
	Missing   int64   `json:"missing"`   // addresses that led nowhere
	Asks      int64   `json:"asks"`      // questions to the assistant
	Tries     int64   `json:"tries"`     // requests from the playground
	Copies    int64   `json:"copies"`    // code blocks that were copied
	Feedback  int64   `json:"feedback"`
}

// DayFigures are the counts of one day.
type DayFigures struct {
	Date string `json:"date"` // 2026-01-31, in UTC
	Figures
}

// AnalyticsSummary is a span in figures. Days has every day of it, oldest first, 400 at most.
type AnalyticsSummary struct {
	DateFrom string       `json:"dateFrom"`
	DateTo   string       `json:"dateTo"` // the day after the last
	Totals   Figures      `json:"totals"`
	Days     []DayFigures `json:"days"`
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
