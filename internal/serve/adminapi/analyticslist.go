package adminapi

import (
	"context"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/store"
)

func (a *api) listViews(c *call) (response, error) {
	rows, totals, more, csv,
		err := a.pages(c, a.Store.ListPageViews, func(f audience.Figures) audience.Traffic { return f.Views })
	if err != nil || csv {
		return c.pagesCSV("views", rows, err)
	}
	return response{status: http.StatusOK, body: client.ViewList{Totals: totals, Views: rows, HasMore: more}}, nil
}

func (a *api) listVisitors(c *call) (response, error) {
	rows, totals, more, csv,
		err := a.pages(c, a.Store.ListPageVisitors, func(f audience.Figures) audience.Traffic { return f.Visitors })
	if err != nil || csv {
		return c.pagesCSV("visitors", rows, err)
	}
	return response{status: http.StatusOK, body: client.VisitorList{Totals: totals, Visitors: rows, HasMore: more}}, nil
}

// pages lists the traffic of each page, and the totals for the whole site. The totals are not the sums of the pages'
// figures: someone who reads two pages is one visitor.
func (a *api) pages(c *call, list func(context.Context, string, audience.Span, store.Some) ([]audience.PageTraffic,
	error), of func(audience.Figures) audience.Traffic) (rows []client.PageTraffic, totals client.Traffic, more,
	csv bool, err error) {
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
	rows = []client.PageTraffic{}
	for _, p := range found {
		rows = append(rows, showPageTraffic(p.Path, p.Traffic))
	}
	return rows, showTraffic(sum), more, r.csv, nil
}

func (a *api) listReferrers(c *call) (response, error) {
	rows, total, more, csv, err := listed(a, c, a.Store.ListReferrers,
		func(s audience.Source) client.Referrer { return client.Referrer{Referrer: s.Host, Visits: s.N} })
	if err != nil {
		return response{}, err
	}
	if csv {
		return c.sendReferrers(rows)
	}
	return response{status: http.StatusOK, body: client.ReferrerList{Referrers: rows, Total: total, HasMore: more}}, nil
}

func (a *api) listMissing(c *call) (response, error) {
	rows, total, more, csv, err := listed(a, c, a.Store.ListMissing, func(m audience.Miss) client.MissingPage {
		return client.MissingPage{Path: m.Path, Referrer: orNull(m.Referrer), Hits: m.N, LastSeenAt: stamp(m.Last)}
	})
	if err != nil {
		return response{}, err
	}
	if csv {
		return c.sendMissing(rows)
	}
	return response{status: http.StatusOK, body: client.MissingPageList{Missing: rows, Total: total, HasMore: more}},
		nil
}

func (a *api) listTries(c *call) (response, error) {
	rows, total, more, csv, err := listed(a, c, a.Store.ListTries, func(t audience.Trial) client.TriedOperation {
		return client.TriedOperation{Operation: t.Operation, Tries: t.N, Succeeded: t.Succeeded, Refused: t.Refused,
			Failed:      t.Failed,
			LastTriedAt: stamp(t.Last)}
	})
	if err != nil {
		return response{}, err
	}
	if csv {
		return c.sendTries(rows)
	}
	return response{status: http.StatusOK, body: client.PlaygroundUse{Operations: rows, Total: total, HasMore: more}},
		nil
}

// listed returns the rows of a list that the request asks for, and the total.
func listed[T, J any](a *api, c *call, list func(context.Context, string, audience.Span, store.Some) ([]T, int64,
	error), show func(T) J) (rows []J, total int64, more, csv bool, err error) {
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

func (a *api) listSearches(c *call) (response, error) {
	r, err := a.report(c)
	if err != nil {
		return response{}, err
	}
	page, err := c.pageOf(r.query, usualRows, maxLimit)
	if err != nil {
		return response{}, err
	}
	if r.csv {
		page = store.Page{Limit: maxTermsCSV}
	}
	list, total, next, err := a.Store.ListTerms(c.ctx(), r.project, r.span, page)
	if err != nil {
		return response{}, err
	}
	rows := []client.SearchTerm{}
	for _, t := range list {
		rows = append(rows, client.SearchTerm{SearchQuery: t.Query, Hits: t.Searches,
			CTR: min(1, float64(t.Clicks)/float64(max(1, t.Searches))), TopClickedPage: orNull(t.TopPage),
			LastSearchedAt: stamp(t.LastSearched), Results: t.Hits, NoResults: t.NoResults, Clicks: t.Clicks})
	}
	if r.csv {
		return c.sendTerms(rows)
	}
	return response{status: http.StatusOK,
		body: client.SearchTermList{Searches: rows, TotalSearches: total, NextCursor: orNull(next)}}, nil
}
