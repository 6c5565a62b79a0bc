package adminapi

import (
	"context"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/audience"
	"github.com/lectern-docs/lectern/internal/store"
)

type pageTrafficJSON struct {
	Path string `json:"path"`
	trafficJSON
}

func (a *api) listViews(c *call) (answer, error) {
	rows, totals, more, csv, err := a.pages(c, a.Store.ListPageViews, func(f audience.Figures) audience.Traffic { return f.Views })
	if err != nil || csv {
		return c.pagesCSV("views", rows, err)
	}
	return answer{status: http.StatusOK, body: struct {
		Totals  trafficJSON       `json:"totals"`
		Views   []pageTrafficJSON `json:"views"`
		HasMore bool              `json:"hasMore"`
	}{totals, rows, more}}, nil
}

func (a *api) listVisitors(c *call) (answer, error) {
	rows, totals, more, csv, err := a.pages(c, a.Store.ListPageVisitors, func(f audience.Figures) audience.Traffic { return f.Visitors })
	if err != nil || csv {
		return c.pagesCSV("visitors", rows, err)
	}
	return answer{status: http.StatusOK, body: struct {
		Totals   trafficJSON       `json:"totals"`
		Visitors []pageTrafficJSON `json:"visitors"`
		HasMore  bool              `json:"hasMore"`
	}{totals, rows, more}}, nil
}

// pages lists the traffic of pages, and that of the whole site, which is not their sum: who reads two pages is one visitor.
func (a *api) pages(c *call, list func(context.Context, string, audience.Span, store.Some) ([]audience.PageTraffic, error), of func(audience.Figures) audience.Traffic) (rows []pageTrafficJSON, totals trafficJSON, more, csv bool, err error) {
	r, err := a.report(c)
	if err != nil {
		return nil, totals, false, false, err
	}
	s, err := r.rows()
	if err != nil {
		return nil, totals, false, false, err
	}
	found, err := list(c.ctx(), r.project, r.span, s)
	if err != nil {
		return nil, totals, false, false, err
	}
	days, err := a.Store.ListDays(c.ctx(), r.project, r.span)
	if err != nil {
		return nil, totals, false, false, err
	}
	var sum audience.Traffic
	for _, d := range days {
		sum = sum.Plus(of(d.Figures))
	}
	found, more = some(found, s)
	rows = []pageTrafficJSON{}
	for _, p := range found {
		rows = append(rows, pageTrafficJSON{p.Path, showTraffic(p.Traffic)})
	}
	return rows, showTraffic(sum), more, r.csv, nil
}

type referrerJSON struct {
	Referrer string `json:"referrer"`
	Visits   int64  `json:"visits"`
}

func (a *api) listReferrers(c *call) (answer, error) {
	rows, total, more, csv, err := listed(a, c, a.Store.ListReferrers, func(s audience.Source) referrerJSON { return referrerJSON{s.Host, s.N} })
	if err != nil {
		return answer{}, err
	}
	if csv {
		return c.sendReferrers(rows)
	}
	return answer{status: http.StatusOK, body: struct {
		Referrers []referrerJSON `json:"referrers"`
		Total     int64          `json:"total"`
		HasMore   bool           `json:"hasMore"`
	}{rows, total, more}}, nil
}

type missJSON struct {
	Path       string    `json:"path"`
	Referrer   *string   `json:"referrer"`
	Hits       int64     `json:"hits"`
	LastSeenAt time.Time `json:"lastSeenAt"`
}

func (a *api) listMissing(c *call) (answer, error) {
	rows, total, more, csv, err := listed(a, c, a.Store.ListMissing, func(m audience.Miss) missJSON {
		return missJSON{m.Path, orNull(m.Referrer), m.N, stamp(m.Last)}
	})
	if err != nil {
		return answer{}, err
	}
	if csv {
		return c.sendMissing(rows)
	}
	return answer{status: http.StatusOK, body: struct {
		Missing []missJSON `json:"missing"`
		Total   int64      `json:"total"`
		HasMore bool       `json:"hasMore"`
	}{rows, total, more}}, nil
}

type tryJSON struct {
	Operation   string    `json:"operation"`
	Tries       int64     `json:"tries"`
	Succeeded   int64     `json:"succeeded"`
	Refused     int64     `json:"refused"`
	Failed      int64     `json:"failed"`
	LastTriedAt time.Time `json:"lastTriedAt"`
}

func (a *api) listTries(c *call) (answer, error) {
	rows, total, more, csv, err := listed(a, c, a.Store.ListTries, func(t audience.Trial) tryJSON {
		return tryJSON{t.Operation, t.N, t.Succeeded, t.Refused, t.Failed, stamp(t.Last)}
	})
	if err != nil {
		return answer{}, err
	}
	if csv {
		return c.sendTries(rows)
	}
	return answer{status: http.StatusOK, body: struct {
		Operations []tryJSON `json:"operations"`
		Total      int64     `json:"total"`
		HasMore    bool      `json:"hasMore"`
	}{rows, total, more}}, nil
}

// listed reads some rows of a list that is ordered by size.
func listed[T, J any](a *api, c *call, list func(context.Context, string, audience.Span, store.Some) ([]T, int64, error), show func(T) J) (rows []J, total int64, more, csv bool, err error) {
	r, err := a.report(c)
	if err != nil {
		return nil, 0, false, false, err
	}
	s, err := r.rows()
	if err != nil {
		return nil, 0, false, false, err
	}
	found, total, err := list(c.ctx(), r.project, r.span, s)
	if err != nil {
		return nil, 0, false, false, err
	}
	found, more = some(found, s)
	rows = []J{}
	for _, one := range found {
		rows = append(rows, show(one))
	}
	return rows, total, more, r.csv, nil
}

type termJSON struct {
	SearchQuery    string    `json:"searchQuery"`
	Hits           int64     `json:"hits"`
	CTR            float64   `json:"ctr"`
	TopClickedPage *string   `json:"topClickedPage"`
	LastSearchedAt time.Time `json:"lastSearchedAt"`
	Results        int64     `json:"results"`
	NoResults      int64     `json:"noResults"`
	Clicks         int64     `json:"clicks"`
}

func (a *api) listSearches(c *call) (answer, error) {
	r, err := a.report(c)
	if err != nil {
		return answer{}, err
	}
	page, err := c.pageOf(r.query, usualRows, maxLimit)
	if err != nil {
		return answer{}, err
	}
	if r.csv {
		page = store.Page{Limit: maxTermsCSV}
	}
	list, total, next, err := a.Store.ListTerms(c.ctx(), r.project, r.span, page)
	if err != nil {
		return answer{}, err
	}
	rows := []termJSON{}
	for _, t := range list {
		rows = append(rows, termJSON{SearchQuery: t.Query, Hits: t.Searches, CTR: min(1, float64(t.Clicks)/float64(max(1, t.Searches))), TopClickedPage: orNull(t.TopPage),
			LastSearchedAt: stamp(t.LastSearched), Results: t.Hits, NoResults: t.NoResults, Clicks: t.Clicks})
	}
	if r.csv {
		return c.sendTerms(rows)
	}
	return answer{status: http.StatusOK, body: struct {
		Searches      []termJSON `json:"searches"`
		TotalSearches int64      `json:"totalSearches"`
		NextCursor    *string    `json:"nextCursor"`
	}{rows, total, orNull(next)}}, nil
}
